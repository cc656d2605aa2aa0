// Recurses until its stack has eaten everything below it.
#include <stdint.h>
volatile uint32_t depth;
__attribute__((noinline)) static uint32_t deeper(volatile uint32_t *above) {
  volatile uint32_t frame[64];
  frame[0] = *above + 1;
  // There is an end to it, but not within this chip's RAM.
  return depth++ < 1u << 30 ? deeper(frame) + frame[0] : 0;
}
int main(void) {
  volatile uint32_t first = 0;
  return (int)deeper(&first);
}
