// Divides by zero, and wants to be told.
#include "../chip.h"
volatile uint32_t dividend = 7, divisor;
int main(void) {
  REGISTER(0xE000ED14) |= 1 << 4;
  return (int)(dividend / divisor);
}
