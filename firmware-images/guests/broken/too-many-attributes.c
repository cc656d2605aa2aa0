// Adds services without an end, and does not look at the result.
#include "enable.h"
int main(void) {
  enable();
  static const uuid_t uuid = {0x180F, 1, 0};
  for (uint32_t count = 0; count < 10000; count++) {
    uint16_t handle;
    sd_ble_gatts_service_add(1, &uuid, &handle);
  }
  return 0;
}
