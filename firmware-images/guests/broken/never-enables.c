// Wants to advertise without having enabled the SoftDevice.
#include "../softdevice.h"
int main(void) {
  uint8_t set = SET_NONE;
  static const advertising_parameters_t parameters = {.type = 1, .interval = 200, .primary_phy = 1};
  uint32_t number;
  sd_evt_get(&number);
  sd_ble_gap_adv_set_configure(&set, 0, &parameters);
  sd_ble_gap_adv_start(set, TAG);
  return 0;
}
