// Hands out pointers to nowhere.
#include "enable.h"
int main(void) {
  enable();
  sd_ble_gap_adv_set_configure(0x70000000, 0x70000010, 0x70000020);
  sd_ble_gap_device_name_set(0x20006000, 0xFFFFFFF0, 31);
  // Events go where only reading is allowed.
  sd_ble_uuid_vs_add(0x20006000, 0x27000);
  return 0;
}
