// The link: what the SoftDevice tells is taken here, and what it asks is answered.
#include "recorder.h"

enum {
  // Hundredths of a second.
  ASK_AFTER = 100,
  UPDATE_AFTER = 150,
  // How long a recorder that has an owner pairs with others, and how long the link of a phone without a bond may last.
  ADMITS_FOR = 2990,
  STRANGER_LIMIT = 2990,
};
// What a phone asks for when it pairs, in the octet of flags.
enum { BONDING = 1 };
// The kind of an address that changes, and that a key tells.
enum { PRIVATE_RESOLVABLE = 2 };

uint16_t link_handle = LINK_NONE;
uint16_t link_room;

static uint32_t connected_at;
static int must_ask, must_update, is_secure;
static uint32_t admits_until, stranger_until;
// Whose link it is: where it came from, until its keys say who it is.
static uint8_t peer_address[6];
static encryption_key_t own_key, peer_key;
static identity_t own_identity, peer_identity;
static const security_parameters_t security = {.flags = 0x31, .shortest_key = 7, .longest_key = 16, .own_keys = 3, .peer_keys = 3};
static handle_range_t time_service;

static uint16_t half(const uint8_t *octets) { return (uint16_t)(octets[0] | octets[1] << 8); }

static void connected(const uint8_t *event) {
  link_handle = half(event + 4);
  link_room = 20;
  connected_at = now();
  is_secure = 0;
  must_update = 1;
  // A bonded phone is asked for encryption; the peer's address stands behind an octet of its kind.
  memcpy(peer_address, event + 9, sizeof peer_address);
  must_ask = (event[8] >> 1 == PRIVATE_RESOLVABLE ? bond_by_private_address(peer_address) : bond_by_address(peer_address)) != 0;
  stranger_until = now() + STRANGER_LIMIT;
  service_reset();
}

static void disconnected(void) {
  link_handle = LINK_NONE;
  service_reset();
  advertise_no_more();
  if (!is_pressed()) advertise();
}

// MARK: Who is admitted

void link_admit(void) { admits_until = now() + ADMITS_FOR; }

// Whether a phone may pair: the first one always, and others for a while after somebody used the button.
static int admits(void) { return !bonds_exist() || (int32_t)(now() - admits_until) < 0; }

static void reply_security_parameters(const uint8_t *event) {
  if (!admits() || !(event[8] & BONDING)) {
    sd_ble_gap_sec_params_reply(link_handle, PAIRING_NOT_SUPPORTED, 0, 0);
    return;
  }
  key_set_t keys;
  memset(&keys, 0, sizeof keys);
  keys.own.encryption = &own_key;
  keys.own.identity = &own_identity;
  keys.peer.encryption = &peer_key;
  keys.peer.identity = &peer_identity;
  memcpy(peer_identity.address, peer_address, sizeof peer_address);
  sd_ble_gap_sec_params_reply(link_handle, 0, &security, &keys);
}

static void reply_security_information(const uint8_t *event) {
  const bond_t *bond = bond_by_key(half(event + 16), event + 18);
  if (bond) memcpy(peer_address, bond->peer.address, sizeof peer_address);
  sd_ble_gap_sec_info_reply(link_handle, bond ? bond->own.key : 0, 0, 0);
}

static void paired(void) {
  if (!bonds_exist()) link_admit();
  memcpy(peer_address, peer_identity.address, sizeof peer_address);
  bond_keep(&own_key, &peer_identity);
}

void link_forget(void) { bond_forget(peer_address); }

// MARK: The phone's time

static void ask_for_time(void) {
  static const uuid_t uuid = {0x1805, 1, 0};
  sd_ble_gattc_primary_services_discover(link_handle, 1, &uuid);
}

static void services_discovered(const uint8_t *event) {
  if (half(event + 6) != 0 || half(event + 10) == 0) return;
  time_service.first = half(event + 16);
  time_service.last = half(event + 18);
  sd_ble_gattc_characteristics_discover(link_handle, &time_service);
}

static void characteristics_discovered(const uint8_t *event, uint32_t length) {
  if (half(event + 6) != 0) return;
  const uint8_t *entry = event + 12;
  for (uint32_t left = half(event + 10); left > 0 && entry + 10 <= event + length; left--, entry += 10) {
    if (half(entry) != 0x2A2B) continue;
    sd_ble_gattc_read(link_handle, half(entry + 8), 0);
    return;
  }
}

static void time_read(const uint8_t *event) {
  const uint8_t *value = event + 16;
  if (half(event + 6) != 0 || half(event + 14) != 10) return;
  uint16_t year = half(value);
  int is_valid = year >= 2000 && year < 2100 && value[2] >= 1 && value[2] <= 12 && value[3] >= 1 && value[3] <= 31 &&
                 value[4] <= 23 && value[5] <= 59 && value[6] <= 59;
  if (!is_valid) return;
  uint8_t time[6] = {(uint8_t)(year - 2000), value[2], value[3], value[4], value[5], value[6]};
  timepiece_set(time);
}

// MARK: Events

static void security_updated(const uint8_t *event) {
  if (event[8] >> 4 < 2 || is_secure) return;
  is_secure = 1;
  must_ask = 0;
  ask_for_time();
}

static void take(const uint8_t *event, uint32_t length) {
  static const uint8_t any_phy[2] = {0, 0};
  switch (half(event)) {
  case CONNECTED: connected(event); break;
  case DISCONNECTED: disconnected(); break;
  case SECURITY_PARAMETERS_REQUESTED: reply_security_parameters(event); break;
  case SECURITY_INFORMATION_REQUESTED: reply_security_information(event); break;
  case AUTHENTICATION_STATUS:
    if (event[8] == 0 && event[9] & 4) paired();
    break;
  case CONNECTION_SECURITY_UPDATED: security_updated(event); break;
  case PHY_REQUESTED: sd_ble_gap_phy_update(link_handle, any_phy); break;
  case DATA_LENGTH_REQUESTED: sd_ble_gap_data_length_update(link_handle, 0, 0); break;
  case SERVICES_DISCOVERED: services_discovered(event); break;
  case CHARACTERISTICS_DISCOVERED: characteristics_discovered(event, length); break;
  case VALUE_READ: time_read(event); break;
  case VALUE_WRITTEN: service_written(half(event + 6), event + 18, half(event + 16)); break;
  case SYSTEM_ATTRIBUTES_MISSING: sd_ble_gatts_sys_attr_set(link_handle, 0, 0, 0); break;
  case TRANSMISSION_UNIT_REQUESTED: {
    uint16_t size = half(event + 6);
    sd_ble_gatts_exchange_mtu_reply(link_handle, 247);
    link_room = (size < 23 ? 23 : size < 247 ? size : 247) - 3;
    break;
  }
  case NOTIFICATIONS_SENT: service_sent(); break;
#ifdef UPDATABLE
  case VALUE_CONFIRMED: service_confirmed(half(event + 6)); break;
#endif
  case CLIENT_TIMEOUT:
  case SERVER_TIMEOUT: link_drop(); break;
  }
}

void link_drain(void) {
  static uint32_t buffer[80];
  uint32_t number;
  while (sd_evt_get(&number) == SUCCESS)
    if (number == FLASH_DONE || number == FLASH_FAILED) bonds_flash_done();
  for (;;) {
    uint16_t length = sizeof buffer;
    if (sd_ble_evt_get(buffer, &length) != SUCCESS) return;
    take((const uint8_t *)buffer, length);
  }
}

void link_tick(void) {
  static const link_parameters_t wish = {12, 20, 0, 400};
  if (link_handle == LINK_NONE) return;
  if (must_ask && now() - connected_at >= ASK_AFTER) {
    must_ask = 0;
    sd_ble_gap_authenticate(link_handle, &security);
  }
  if (!is_secure && (int32_t)(now() - stranger_until) >= 0) {
    stranger_until = now() + STRANGER_LIMIT;
    // While anybody may pair, nobody is a stranger.
    if (!admits()) link_drop();
  }
  if (must_update && now() - connected_at >= UPDATE_AFTER) {
    must_update = 0;
    sd_ble_gap_conn_param_update(link_handle, &wish);
  }
}

void link_drop(void) {
  if (link_handle != LINK_NONE) sd_ble_gap_disconnect(link_handle, USER_TERMINATED);
}
