// Makes a supervisor call while no interrupt is let in.
#include "../softdevice.h"
int main(void) {
  __asm__ volatile("cpsid i");
  uint32_t number;
  return (int)sd_evt_get(&number);
}
