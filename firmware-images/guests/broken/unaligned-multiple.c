// Stores two words at an address that is none of a word.
#include <stdint.h>
static uint32_t words[4];
int main(void) {
  __asm__ volatile("stm %0, {r2, r3}" ::"r"((uint32_t)words + 2) : "memory");
  return 0;
}
