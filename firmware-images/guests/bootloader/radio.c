// Advertising, one link, and the service with its two characteristics.
#include "bootloader.h"

enum { INACTIVITY = 6000, END_AFTER = 20, FACTORY_ADDRESS = 0x100000A4, TELLS = 1 };

#define sd_softdevice_vector_table_base_set(address) SUPERVISOR_CALL(0x13, address, 0, 0, 0)
#define sd_ble_gap_addr_set(address) SUPERVISOR_CALL(0x6C, address, 0, 0, 0)
#define sd_ble_gap_addr_get(address) SUPERVISOR_CALL(0x6D, address, 0, 0, 0)

extern uint32_t data_start;

static const uint8_t base[16] = {0x50, 0xEA, 0xDA, 0x30, 0x88, 0x83, 0xB8, 0x9F,
                                 0x60, 0x4F, 0x15, 0xF3, 0x00, 0x00, 0xC9, 0x8E};
// Flags, the service, the name.
static const uint8_t advertising[22] = {0x02, 0x01, 0x06, 0x03, 0x02, 0x59, 0xFE, 0x0E, 0x09, 'd', 'i',
                                        'c',  't',  'o',  'f',  'u',  'n',  '_',  'b',  't',  'l', 'd'};

static volatile uint32_t ticks;
static uint32_t quiet_since, end_at;
static int is_ending;
static uint8_t set = SET_NONE, bases;
static uint16_t link = LINK_NONE, control, packet;

void woken(void) {
  if (!REGISTER(RTC1 + 0x100)) return;
  REGISTER(RTC1 + 0x100) = 0;
  ticks++;
}

static uint16_t half(const uint8_t *octets) { return (uint16_t)(octets[0] | octets[1] << 8); }

static void configure(uint32_t number, const uint8_t *octets, uint32_t count) {
  configuration_t configuration;
  memset(&configuration, 0, sizeof configuration);
  memcpy(configuration.octets, octets, count);
  must(sd_ble_cfg_set(number, &configuration, (uint32_t)&data_start & ~3u));
}

static void clock_start(void) {
  REGISTER(0x40000518) = 1;
  REGISTER(0x40000104) = 0;
  REGISTER(0x40000008) = 1;
  while (!REGISTER(0x40000104)) {}
  // 32,768 Hz divided by 328: a tick every hundredth of a second.
  REGISTER(RTC1 + 0x508) = 327;
  REGISTER(RTC1 + 0x304) = TELLS;
  INTERRUPT_PRIORITY(RTC1_INTERRUPT) = 6 << 5;
  INTERRUPT_SET_ENABLE = 1u << RTC1_INTERRUPT;
  REGISTER(RTC1 + 0x000) = 1;
}

static void enable(void) {
  static const clock_source_t crystal = {1, 0, 0, 7};
  must(sd_softdevice_vector_table_base_set(BOOTLOADER));
  must(sd_softdevice_enable(&crystal, reset_chip));
  configure(CFG_LINK, (const uint8_t[]){TAG, 0, 1, 0, 6, 0}, 6);
  configure(CFG_ATT, (const uint8_t[]){TAG, 0, 247, 0}, 4);
  configure(CFG_VENDOR_BASES, (const uint8_t[]){1}, 1);
  configure(CFG_ROLES, (const uint8_t[]){1, 1, 0, 0, 0}, 5);
  configure(CFG_SERVICE_CHANGED, (const uint8_t[]){1}, 1);
  uint32_t ram_start = (uint32_t)&data_start;
  must(sd_ble_enable(&ram_start));
}

// A phone must not take the bootloader's attributes for the application's, so the address is the next one.
static void choose_address(void) {
  uint8_t address[8] = {0};
  must(sd_ble_gap_addr_get(address));
  address[1]++;
  must(sd_ble_gap_addr_set(address));
}

static uint16_t add(uint16_t value, uint8_t properties, uint16_t longest) {
  uuid_t uuid = {value, bases, 0};
  uint8_t first = 0;
  rights_t rights = {NOBODY, ANYBODY, 3};
  attribute_t attribute = {&uuid, &rights, 1, 0, longest, 0, &first};
  characteristic_t about;
  memset(&about, 0, sizeof about);
  about.properties = properties;
  handles_t handles;
  must(sd_ble_gatts_characteristic_add(0, &about, &attribute, &handles));
  return handles.value;
}

static void add_service(void) {
  must(sd_ble_uuid_vs_add(base, &bases));
  uuid_t uuid = {0xFE59, 1, 0};
  uint16_t handle;
  must(sd_ble_gatts_service_add(1, &uuid, &handle));
  // Written without an answer.
  packet = add(0x0002, 0x04, 244);
  control = add(0x0001, MAY_WRITE | NOTIFIES, 23);
}

static void advertise(void) {
  static const advertising_data_t data = {{advertising, sizeof advertising, 0}, {0, 0, 0}};
  // Connectable and scannable, every 25 ms.
  static const advertising_parameters_t parameters = {.type = 1, .interval = 40, .primary_phy = 1};
  if (set == SET_NONE) must(sd_ble_gap_adv_set_configure(&set, &data, &parameters));
  must(sd_ble_gap_adv_start(set, TAG));
}

void radio_answer(const uint8_t *octets, uint16_t count) {
  if (link == LINK_NONE) return;
  telling_t telling = {control, TELLS, 0, 0, 0, &count, octets};
  sd_ble_gatts_hvx(link, &telling);
}

void radio_end(void) {
  is_ending = 1;
  end_at = ticks + END_AFTER;
  if (link != LINK_NONE) sd_ble_gap_disconnect(link, USER_TERMINATED);
}

static void written(const uint8_t *event) {
  quiet_since = ticks;
  if (half(event + 6) == packet) update_packet(event + 18, half(event + 16));
  if (half(event + 6) == control) update_request(event + 18, half(event + 16));
}

static void take(const uint8_t *event) {
  static const uint8_t any_phy[2] = {0, 0};
  static const link_parameters_t wish = {12, 12, 0, 600};
  switch (half(event)) {
  case CONNECTED:
    link = half(event + 4);
    sd_ble_gap_conn_param_update(link, &wish);
    break;
  case DISCONNECTED:
    link = LINK_NONE;
    update_reset();
    if (!is_ending) advertise();
    break;
  // Status 5: pairing is not supported.
  case SECURITY_PARAMETERS_REQUESTED: sd_ble_gap_sec_params_reply(link, 0x85, 0, 0); break;
  case SECURITY_INFORMATION_REQUESTED: sd_ble_gap_sec_info_reply(link, 0, 0, 0); break;
  case PHY_REQUESTED: sd_ble_gap_phy_update(link, any_phy); break;
  case DATA_LENGTH_REQUESTED: sd_ble_gap_data_length_update(link, 0, 0); break;
  case VALUE_WRITTEN: written(event); break;
  case SYSTEM_ATTRIBUTES_MISSING: sd_ble_gatts_sys_attr_set(link, 0, 0, 0); break;
  case TRANSMISSION_UNIT_REQUESTED: sd_ble_gatts_exchange_mtu_reply(link, 247); break;
  case SERVER_TIMEOUT: sd_ble_gap_disconnect(link, USER_TERMINATED); break;
  }
}

static void drain(void) {
  static uint32_t buffer[80];
  uint32_t number;
  while (sd_evt_get(&number) == SUCCESS)
    if (number == FLASH_DONE || number == FLASH_FAILED) update_flash_done(number == FLASH_DONE);
  for (;;) {
    uint16_t length = sizeof buffer;
    if (sd_ble_evt_get(buffer, &length) != SUCCESS) return;
    take((const uint8_t *)buffer);
  }
}

void radio_serve(void) {
  clock_start();
  enable();
  choose_address();
  add_service();
  INTERRUPT_SET_ENABLE = 1u << EVENT_INTERRUPT;
  advertise();
  quiet_since = ticks;
  for (;;) {
    drain();
    if (is_ending && (int32_t)(ticks - end_at) >= 0) reset_chip();
    if (ticks - quiet_since >= INACTIVITY) reset_chip();
    __asm__ volatile("wfi");
  }
}
