// The beginning of every guest: its vector table, and what has to be done before C begins.
#include <stdint.h>

extern uint32_t stack_top, data_source, data_start, data_end, bss_start, bss_end;

int main(void);
void reset(void);

// A guest that does not say otherwise stands still in a fault.
__attribute__((weak)) void fault(void) {
  for (;;) {}
}
// A guest that has nothing of its own to do in an interrupt only wakes.
__attribute__((weak)) void woken(void) {}

typedef void (*vector_t)(void);

__attribute__((section(".vectors"), used)) const vector_t vectors[16 + 48] = {
    (vector_t)&stack_top, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, 0, 0, fault, fault,
    [16 ... 63] = woken,
};

void reset(void) {
  for (uint32_t *from = &data_source, *to = &data_start; to < &data_end;) *to++ = *from++;
  for (uint32_t *to = &bss_start; to < &bss_end;) *to++ = 0;
  main();
  for (;;) {}
}

// What the compiler calls by itself.
void *memcpy(void *to, const void *from, unsigned count) {
  uint8_t *target = to;
  for (const uint8_t *source = from; count > 0; count--) *target++ = *source++;
  return to;
}

void *memset(void *to, int value, unsigned count) {
  for (uint8_t *target = to; count > 0; count--) *target++ = (uint8_t)value;
  return to;
}

int memcmp(const void *one, const void *other, unsigned count) {
  const uint8_t *a = one, *b = other;
  for (; count > 0; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}
