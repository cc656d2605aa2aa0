// Resets the chip as soon as it has started.
#include "../chip.h"
int main(void) {
  reset_chip();
  return 0;
}
