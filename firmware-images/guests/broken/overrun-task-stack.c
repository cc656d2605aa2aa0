// A task with a stack of its own, at the beginning of RAM: the frame of an exception does not fit.
#include "../chip.h"
int main(void) {
  __asm__ volatile("msr psp, %0\n msr control, %1\n isb" ::"r"(0x20000010), "r"(2));
  // PendSV.
  REGISTER(0xE000ED04) = 1 << 28;
  __asm__ volatile("dsb\n isb");
  for (;;) {}
}
