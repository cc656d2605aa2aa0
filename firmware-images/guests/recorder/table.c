// The stack with its attributes in the product's order, which gives them the product's handles, and advertising.
#include "recorder.h"

extern uint32_t data_start;

table_t table;

static uint8_t set = SET_NONE;
static int is_advertising;

// a0450000-b822-4820-8782-bd8faf68807b and 8ec90000-f315-4f60-9fb8-838830daea50, least significant octet first.
static const uint8_t transfer_base[16] = {0x7B, 0x80, 0x68, 0xAF, 0x8F, 0xBD, 0x82, 0x87,
                                          0x20, 0x48, 0x22, 0xB8, 0x00, 0x00, 0x45, 0xA0};
static const uint8_t update_base[16] = {0x50, 0xEA, 0xDA, 0x30, 0x88, 0x83, 0xB8, 0x9F,
                                        0x60, 0x4F, 0x15, 0xF3, 0x00, 0x00, 0xC9, 0x8E};

// Appearance, flags, the transfer service, as much of the name as there is room for; the time service.
static const uint8_t advertising[31] = {0x03, 0x19, 0x00, 0x00, 0x02, 0x01, 0x06, 0x11, 0x07, 0x7B, 0x80,
                                        0x68, 0xAF, 0x8F, 0xBD, 0x82, 0x87, 0x20, 0x48, 0x22, 0xB8, 0x01,
                                        0x10, 0x45, 0xA0, 0x05, 0x08, 'd',  'i',  'c',  't'};
static const uint8_t scan_response[4] = {0x03, 0x03, 0x05, 0x18};

static void configure(uint32_t number, const uint8_t *octets, uint32_t count) {
  configuration_t configuration;
  memset(&configuration, 0, sizeof configuration);
  memcpy(configuration.octets, octets, count);
  must(sd_ble_cfg_set(number, &configuration, (uint32_t)&data_start & ~3u));
}

static void enable(void) {
  static const clock_source_t crystal = {1, 0, 0, 7};
  must(sd_softdevice_enable(&crystal, reset_chip));
  // One connection of 100 ms events, an ATT_MTU of 247; one peripheral; service changed; 1,408 octets of table.
  configure(CFG_LINK, (const uint8_t[]){TAG, 0, 1, 0, 80, 0}, 6);
  configure(CFG_ATT, (const uint8_t[]){TAG, 0, 247, 0}, 4);
  configure(CFG_VENDOR_BASES, (const uint8_t[]){2}, 1);
  configure(CFG_ROLES, (const uint8_t[]){1, 1, 0, 0, 0}, 5);
  configure(CFG_SERVICE_CHANGED, (const uint8_t[]){1}, 1);
  configure(CFG_TABLE, (const uint8_t[]){0x80, 0x05, 0, 0}, 4);
  uint32_t ram_start = (uint32_t)&data_start;
  must(sd_ble_enable(&ram_start));
}

static void name(void) {
  static const uint8_t right = ENCRYPTED;
  static const link_parameters_t preferred = {80, 160, 0, 400};
  must(sd_ble_gap_device_name_set(&right, NAME, sizeof NAME - 1));
  must(sd_ble_gap_ppcp_set(&preferred));
}

static void add_service(uint16_t value, uint8_t type) {
  uuid_t uuid = {value, type, 0};
  uint16_t handle;
  must(sd_ble_gatts_service_add(1, &uuid, &handle));
}

static uint16_t add(uint16_t value, uint8_t type, uint8_t properties, uint8_t right, uint16_t longest, uint8_t first) {
  uuid_t uuid = {value, type, 0};
  // Of variable length, kept by the stack.
  rights_t rights = {properties & MAY_READ ? right : NOBODY, properties & MAY_WRITE ? right : NOBODY, 3};
  attribute_t attribute = {&uuid, &rights, 1, 0, longest, 0, &first};
  characteristic_t about;
  memset(&about, 0, sizeof about);
  about.properties = properties;
  handles_t handles;
  must(sd_ble_gatts_characteristic_add(0, &about, &attribute, &handles));
  return handles.value;
}

static void add_services(uint8_t battery) {
  uint8_t transfer, update;
  must(sd_ble_uuid_vs_add(transfer_base, &transfer));
  must(sd_ble_uuid_vs_add(update_base, &update));
  add_service(0x1001, transfer);
  table.control = add(0x1002, 1, MAY_WRITE | NOTIFIES, ENCRYPTED, 17, 0);
  table.list = add(0x1003, 1, MAY_READ | NOTIFIES, ENCRYPTED, 128, 0);
  table.more = add(0x1008, 1, MAY_READ | NOTIFIES, ENCRYPTED, 128, 0);
  table.information = add(0x1004, 1, MAY_READ | NOTIFIES, ENCRYPTED, 32, 0);
  table.data = add(0x1005, 1, MAY_READ | NOTIFIES, ENCRYPTED, 256, 0);
  table.status = add(0x1006, 1, MAY_READ | NOTIFIES, ENCRYPTED, 14, 0);
  table.general = add(0x1007, 1, MAY_READ | NOTIFIES, ENCRYPTED, 17, 0);
  table.pairing = add(0x10FE, 1, MAY_WRITE | NOTIFIES, ENCRYPTED, 1, 0);
  add_service(0x180F, 1);
  table.battery = add(0x2A19, 1, MAY_READ | NOTIFIES, ANYBODY, 1, battery);
  add_service(0xFE59, 1);
#ifdef UPDATABLE
  table.update =
#endif
      add(0x0003, update, MAY_WRITE | INDICATES, ENCRYPTED, 23, 0);
}

static void configure_advertising(void) {
  static const advertising_data_t data = {{advertising, sizeof advertising, 0}, {scan_response, sizeof scan_response, 0}};
  // Connectable and scannable, every 125 ms.
  static const advertising_parameters_t parameters = {.type = 1, .interval = 200, .primary_phy = 1};
  must(sd_ble_gap_adv_set_configure(&set, &data, &parameters));
}

void table_start(uint8_t battery) {
  enable();
  name();
  add_services(battery);
  configure_advertising();
}

void advertise(void) {
  if (is_advertising || link_handle != LINK_NONE) return;
  is_advertising = sd_ble_gap_adv_start(set, TAG) == SUCCESS;
}

void advertise_no_more(void) {
  if (is_advertising) sd_ble_gap_adv_stop(set);
  is_advertising = 0;
}
