// Tells a value again and again without waiting until one was sent.
#include "enable.h"

static const rights_t open = {ANYBODY, ANYBODY, 3};
static const uuid_t service = {0x180F, 1, 0}, level = {0x2A19, 1, 0};
static const advertising_parameters_t parameters = {.type = 1, .interval = 200, .primary_phy = 1};

static void storm(uint16_t link, uint16_t value, uint16_t configuration) {
  uint8_t enabled[2] = {1, 0}, octet = 0;
  value_t subscription = {2, 0, enabled};
  sd_ble_gatts_sys_attr_set(link, 0, 0, 0);
  sd_ble_gatts_value_set(link, configuration, &subscription);
  for (;; octet++) {
    uint16_t count = 1;
    telling_t telling = {.handle = value, .kind = 1, .length = &count, .octets = &octet};
    sd_ble_gatts_hvx(link, &telling);
  }
}

int main(void) {
  enable();
  uint16_t handle;
  uint8_t set = SET_NONE, first = 0;
  attribute_t attribute = {&level, &open, 1, 0, 1, 0, &first};
  characteristic_t about = {.properties = MAY_READ | NOTIFIES};
  handles_t handles;
  sd_ble_gatts_service_add(1, &service, &handle);
  sd_ble_gatts_characteristic_add(0, &about, &attribute, &handles);
  sd_ble_gap_adv_set_configure(&set, 0, &parameters);
  sd_ble_gap_adv_start(set, TAG);
  for (;;) {
    static uint32_t buffer[80];
    uint16_t length = sizeof buffer;
    if (sd_ble_evt_get(buffer, &length) == SUCCESS && (buffer[0] & 0xFFFF) == CONNECTED)
      storm((uint16_t)buffer[1], handles.value, handles.client_configuration);
  }
}
