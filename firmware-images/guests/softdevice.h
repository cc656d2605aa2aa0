// What the guests call of Nordic's SoftDevice: numbers of supervisor calls, of events and of errors, and the structures
// that calls take, as S132 7.x and S140 7.x have them. Arguments go in R0 to R3, the result comes back in R0.
#ifndef SOFTDEVICE_H
#define SOFTDEVICE_H

#include <stdint.h>

#define SUPERVISOR_CALL(number, a, b, c, d)                                                                            \
  ({                                                                                                                   \
    register uint32_t r0 __asm__("r0") = (uint32_t)(a);                                                                \
    register uint32_t r1 __asm__("r1") = (uint32_t)(b);                                                                \
    register uint32_t r2 __asm__("r2") = (uint32_t)(c);                                                                \
    register uint32_t r3 __asm__("r3") = (uint32_t)(d);                                                                \
    __asm__ volatile("svc %[n]" : "+r"(r0) : [n] "i"(number), "r"(r1), "r"(r2), "r"(r3) : "r12", "cc", "memory");       \
    r0;                                                                                                                \
  })

#define sd_softdevice_enable(clock, handler) SUPERVISOR_CALL(0x10, clock, handler, 0, 0)
#define sd_flash_page_erase(page) SUPERVISOR_CALL(0x28, page, 0, 0, 0)
#define sd_flash_write(to, from, words) SUPERVISOR_CALL(0x29, to, from, words, 0)
#define sd_clock_hfclk_request() SUPERVISOR_CALL(0x42, 0, 0, 0, 0)
#define sd_clock_hfclk_release() SUPERVISOR_CALL(0x43, 0, 0, 0, 0)
#define sd_ecb_block_encrypt(block) SUPERVISOR_CALL(0x46, block, 0, 0, 0)
#define sd_evt_get(number) SUPERVISOR_CALL(0x4B, number, 0, 0, 0)
#define sd_ble_enable(ram_start) SUPERVISOR_CALL(0x60, ram_start, 0, 0, 0)
#define sd_ble_evt_get(buffer, length) SUPERVISOR_CALL(0x61, buffer, length, 0, 0)
#define sd_ble_uuid_vs_add(base, type) SUPERVISOR_CALL(0x62, base, type, 0, 0)
#define sd_ble_cfg_set(number, configuration, ram_start) SUPERVISOR_CALL(0x69, number, configuration, ram_start, 0)
#define sd_ble_gap_adv_set_configure(set, data, parameters) SUPERVISOR_CALL(0x72, set, data, parameters, 0)
#define sd_ble_gap_adv_start(set, tag) SUPERVISOR_CALL(0x73, set, tag, 0, 0)
#define sd_ble_gap_adv_stop(set) SUPERVISOR_CALL(0x74, set, 0, 0, 0)
#define sd_ble_gap_conn_param_update(link, parameters) SUPERVISOR_CALL(0x75, link, parameters, 0, 0)
#define sd_ble_gap_disconnect(link, reason) SUPERVISOR_CALL(0x76, link, reason, 0, 0)
#define sd_ble_gap_ppcp_set(parameters) SUPERVISOR_CALL(0x7A, parameters, 0, 0, 0)
#define sd_ble_gap_device_name_set(right, name, length) SUPERVISOR_CALL(0x7C, right, name, length, 0)
#define sd_ble_gap_authenticate(link, parameters) SUPERVISOR_CALL(0x7E, link, parameters, 0, 0)
#define sd_ble_gap_sec_params_reply(link, status, parameters, keys) SUPERVISOR_CALL(0x7F, link, status, parameters, keys)
#define sd_ble_gap_sec_info_reply(link, key, identity, signing) SUPERVISOR_CALL(0x86, link, key, identity, signing)
#define sd_ble_gap_phy_update(link, phys) SUPERVISOR_CALL(0x8F, link, phys, 0, 0)
#define sd_ble_gap_data_length_update(link, wish, limit) SUPERVISOR_CALL(0x90, link, wish, limit, 0)
#define sd_ble_gattc_primary_services_discover(link, from, uuid) SUPERVISOR_CALL(0x9B, link, from, uuid, 0)
#define sd_ble_gattc_characteristics_discover(link, range) SUPERVISOR_CALL(0x9D, link, range, 0, 0)
#define sd_ble_gattc_read(link, handle, offset) SUPERVISOR_CALL(0xA1, link, handle, offset, 0)
#define sd_ble_gatts_service_add(kind, uuid, handle) SUPERVISOR_CALL(0xA8, kind, uuid, handle, 0)
#define sd_ble_gatts_characteristic_add(service, about, value, handles)                                                \
  SUPERVISOR_CALL(0xAA, service, about, value, handles)
#define sd_ble_gatts_value_set(link, handle, value) SUPERVISOR_CALL(0xAC, link, handle, value, 0)
#define sd_ble_gatts_hvx(link, parameters) SUPERVISOR_CALL(0xAE, link, parameters, 0, 0)
#define sd_ble_gatts_sys_attr_set(link, data, length, flags) SUPERVISOR_CALL(0xB1, link, data, length, flags)
#define sd_ble_gatts_exchange_mtu_reply(link, size) SUPERVISOR_CALL(0xB5, link, size, 0, 0)

enum { SUCCESS = 0, NOT_FOUND = 5, INVALID_STATE = 8, BUSY = 17, RESOURCES = 19, NO_SYSTEM_ATTRIBUTES = 0x3401 };

enum {
  FLASH_DONE = 2,
  FLASH_FAILED = 3,
};

enum {
  CONNECTED = 0x10,
  DISCONNECTED = 0x11,
  SECURITY_PARAMETERS_REQUESTED = 0x13,
  SECURITY_INFORMATION_REQUESTED = 0x14,
  AUTHENTICATION_STATUS = 0x19,
  CONNECTION_SECURITY_UPDATED = 0x1A,
  PHY_REQUESTED = 0x21,
  DATA_LENGTH_REQUESTED = 0x23,
  SERVICES_DISCOVERED = 0x30,
  CHARACTERISTICS_DISCOVERED = 0x32,
  VALUE_READ = 0x36,
  CLIENT_TIMEOUT = 0x3B,
  VALUE_WRITTEN = 0x50,
  SYSTEM_ATTRIBUTES_MISSING = 0x52,
  TRANSMISSION_UNIT_REQUESTED = 0x55,
  VALUE_CONFIRMED = 0x53,
  SERVER_TIMEOUT = 0x56,
  NOTIFICATIONS_SENT = 0x57,
};

// Numbers for `sd_ble_cfg_set`.
enum { CFG_VENDOR_BASES = 0x01, CFG_LINK = 0x20, CFG_ATT = 0x23, CFG_ROLES = 0x40, CFG_SERVICE_CHANGED = 0xA0, CFG_TABLE = 0xA1 };

// What a phone that may not pair is told.
enum { PAIRING_NOT_SUPPORTED = 0x85 };

enum { LINK_NONE = 0xFFFF, SET_NONE = 0xFF, TAG = 1, USER_TERMINATED = 0x13 };

// Rights: the security mode in the low half, the level in the high half.
enum { NOBODY = 0x00, ANYBODY = 0x11, ENCRYPTED = 0x21 };

// Properties of a characteristic.
enum { MAY_READ = 0x02, MAY_WRITE = 0x08, NOTIFIES = 0x10, INDICATES = 0x20 };

typedef struct { uint8_t source, interval, temperature_interval, accuracy; } clock_source_t;
typedef struct { uint16_t value; uint8_t type, unused; } uuid_t;
typedef struct { uint8_t octets[12]; } configuration_t;
typedef struct { const uint8_t *data; uint16_t length, unused; } octets_t;
typedef struct { octets_t advertising, scan_response; } advertising_data_t;
typedef struct {
  uint8_t type, flags, unused[2];
  const void *peer;
  uint32_t interval;
  uint16_t duration;
  uint8_t most_events, channels[5], filter, primary_phy, secondary_phy, more;
} advertising_parameters_t;
typedef struct { uint16_t shortest, longest, latency, timeout; } link_parameters_t;
typedef struct { uint8_t flags, shortest_key, longest_key, own_keys, peer_keys; } security_parameters_t;
// An encryption key: the key and its flags, EDIV, Rand.
typedef struct { uint8_t key[16], flags, unused; uint16_t diversifier; uint8_t random[8]; } encryption_key_t;
// One block of AES: everything with its most significant octet first.
typedef struct { uint8_t key[16], clear[16], cipher[16]; } cipher_block_t;
// An identity: IRK, kind of address, address.
typedef struct { uint8_t resolving_key[16], address_kind, address[6], unused; } identity_t;
typedef struct { encryption_key_t *encryption; identity_t *identity; void *signing, *public_key; } keys_t;
typedef struct { keys_t own, peer; } key_set_t;
typedef struct { uint8_t read, write, flags; } rights_t;
typedef struct {
  const uuid_t *uuid;
  const rights_t *rights;
  uint16_t length, offset, longest, unused;
  uint8_t *value;
} attribute_t;
typedef struct {
  uint8_t properties, extended, unused[2];
  const uint8_t *description;
  uint16_t longest_description, description_length;
  const void *format;
  const rights_t *description_rights, *client_rights, *server_rights;
} characteristic_t;
typedef struct { uint16_t value, description, client_configuration, server_configuration; } handles_t;
typedef struct { uint16_t length, offset; uint8_t *octets; } value_t;
typedef struct { uint16_t handle; uint8_t kind, unused; uint16_t offset, unused2; uint16_t *length; const uint8_t *octets; } telling_t;
typedef struct { uint16_t first, last; } handle_range_t;

_Static_assert(sizeof(advertising_parameters_t) == 24, "advertising parameters");
_Static_assert(sizeof(encryption_key_t) == 28 && sizeof(key_set_t) == 32, "keys");
_Static_assert(sizeof(attribute_t) == 20 && sizeof(characteristic_t) == 28 && sizeof(telling_t) == 16, "attributes");

#endif
