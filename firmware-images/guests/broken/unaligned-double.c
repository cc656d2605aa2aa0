// Loads two words from an address that is none of a word.
#include <stdint.h>
static uint32_t words[4];
int main(void) {
  __asm__ volatile("ldrd r2, r3, [%0]" ::"r"((uint32_t)words + 1) : "r2", "r3", "memory");
  return 0;
}
