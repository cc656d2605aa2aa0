// Enables the SoftDevice with one connection, for guests that break something behind that.
#include "../softdevice.h"

static inline void enable(void) {
  static const clock_source_t crystal = {1, 0, 0, 7};
  uint32_t ram_start = 0x20006000;
  sd_softdevice_enable(&crystal, enable);
  sd_ble_enable(&ram_start);
}
