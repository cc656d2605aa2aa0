// Writes through a null pointer: flash stands there.
#include "../chip.h"
int main(void) {
  REGISTER(0) = 1;
  return 0;
}
