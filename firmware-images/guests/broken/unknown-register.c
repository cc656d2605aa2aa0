// Starts a timer that no recorder has use for, and no board models.
#include "../chip.h"
int main(void) {
  REGISTER(0x40008000) = 1;
  return 0;
}
