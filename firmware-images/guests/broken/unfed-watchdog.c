// Starts the watchdog with half a second and sleeps.
#include "../chip.h"
int main(void) {
  REGISTER(WDT + 0x504) = 16384;
  REGISTER(WDT + 0x508) = 1;
  REGISTER(WDT + 0x000) = 1;
  for (;;) __asm__ volatile("wfi");
}
