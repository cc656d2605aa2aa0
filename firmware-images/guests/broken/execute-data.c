// Calls a function that stands in RAM.
#include <stdint.h>
static uint16_t code[1] = {0x4770};
int main(void) {
  ((void (*)(void))((uint32_t)code | 1))();
  return 0;
}
