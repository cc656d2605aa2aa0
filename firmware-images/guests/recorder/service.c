// The File Transfer Service: one request at a time, one notification on its way; a request that comes meanwhile waits.
#include "recorder.h"

enum { LIST = 1, INFORMATION = 2, DATA = 3, STATUS = 4, COMPLETE = 6, FORGET = 0xAD };
enum { REQUEST = 17, PART = 200, FIRST_IDENTIFIERS = 7, PART_IDENTIFIERS = 8, IDENTIFIER = 16 };

typedef struct { uint8_t octets[REQUEST]; uint16_t count; } request_t;

// The request that waits, and the one that is served.
static request_t waiting, running;
static uint32_t offset, end;
static const record_t *record;
static int is_on_its_way, must_tell_battery;
static uint8_t level;
#ifdef UPDATABLE
enum { START_BOOTLOADER = 1, INDICATION = 2, RETAINED = 0x4000051C, UPDATE_REQUESTED = 0xB1 };
// The phone has asked for the bootloader, and has not confirmed the answer.
static int must_enter;
#endif

void service_reset(void) {
#ifdef COUNTS_LOST_REQUESTS
  // A mistake for tests: nobody has a link any more whose number could be the place of a count.
  static uint32_t lost[4];
  if (waiting.count > 0) lost[link_handle]++;
#endif
  waiting.count = running.count = 0;
#ifndef DEAF_AFTER_BREAK
  // Left out as a mistake for tests: what was on its way when the link was lost never arrives.
  is_on_its_way = 0;
#endif
#ifdef UPDATABLE
  must_enter = 0;
#endif
}

// Tells a value. What cannot be told now can be told later when this is 0.
static int tell(uint16_t handle, const uint8_t *octets, uint16_t count) {
  telling_t telling = {.handle = handle, .kind = 1, .length = &count, .octets = octets};
  uint32_t result = sd_ble_gatts_hvx(link_handle, &telling);
  if (result == RESOURCES) return 0;
  if (result == SUCCESS)
    is_on_its_way = 1;
  else
    running.count = 0;
  return 1;
}

static void word(uint8_t *octets, uint32_t value) { memcpy(octets, &value, 4); }

static void digits(uint8_t *octets, const uint8_t *identifier) {
  for (uint32_t index = 0; index < 8; index++) {
    octets[2 * index] = (uint8_t)('0' + identifier[index] / 10 % 10);
    octets[2 * index + 1] = (uint8_t)('0' + identifier[index] % 10);
  }
}

static const record_t *wanted(const uint8_t *request) {
  uint8_t identifier[8];
  for (uint32_t index = 0; index < 8; index++) {
    uint8_t tens = (uint8_t)(request[1 + 2 * index] - '0'), ones = (uint8_t)(request[2 + 2 * index] - '0');
    if (tens > 9 || ones > 9) return 0;
    identifier[index] = (uint8_t)(tens * 10 + ones);
  }
  return storage_find(identifier);
}

// The octet of the whole list that stands at a place: its head of eight octets, then the identifiers.
static void list_octets(uint8_t *octets, uint32_t from, uint32_t count) {
  uint8_t piece[IDENTIFIER];
  for (uint32_t index = 0; index < count; index++) {
    uint32_t at = from + index;
    if (at < 8) {
      uint8_t head[8] = {0};
      word(head, storage_count());
      octets[index] = head[at];
    } else {
      digits(piece, storage_record((at - 8) / IDENTIFIER)->identifier);
      octets[index] = piece[(at - 8) % IDENTIFIER];
    }
  }
}

static uint32_t smaller(uint32_t one, uint32_t other) { return one < other ? one : other; }

static void step_list(void) {
  uint8_t octets[128];
  uint32_t first = 8 + FIRST_IDENTIFIERS * IDENTIFIER;
  uint32_t room = offset < first ? first - offset : PART_IDENTIFIERS * IDENTIFIER - (offset - first) % 128;
  uint32_t count = smaller(smaller(end - offset, room), link_room);
  list_octets(octets, offset, count);
  if (tell(offset < first ? table.list : table.more, octets, (uint16_t)count)) offset += count;
}

static void step_data(void) {
  static uint8_t octets[PART];
  uint32_t count = smaller(smaller(record->size - offset, PART), link_room);
  if (count > 0) storage_read(record->start + offset, octets, count);
  if (tell(table.data, octets, (uint16_t)count)) offset = record->size > 0 ? offset + count : end;
}

static void tell_missing(void) {
  uint8_t octets[REQUEST];
  octets[0] = 2;
  memcpy(octets + 1, running.octets + 1, IDENTIFIER);
  if (tell(table.general, octets, REQUEST)) offset = end = 1;
}

static void step_information(void) {
  uint8_t octets[32] = {0, 0, '{', '"', 's', '"', ':'}, number[10];
  uint32_t place = 7, count = 0, size = record->size;
  do number[count++] = (uint8_t)('0' + size % 10);
  while ((size /= 10) > 0);
  while (count > 0) octets[place++] = number[--count];
  octets[place++] = '}';
  octets[0] = (uint8_t)(place - 2);
  if (tell(table.information, octets, (uint16_t)place)) offset = end = 1;
}

static void step_status(void) {
  uint8_t octets[14] = {14, 0};
  uint32_t occupied = DIRECTORY_SIZE;
  for (uint32_t index = 0; index < storage_count(); index++) occupied += storage_record(index)->size;
  word(octets + 2, STORAGE_SIZE - occupied);
  word(octets + 6, occupied);
  word(octets + 10, storage_count());
  if (tell(table.status, octets, sizeof octets)) offset = end = 1;
}

static void begin(void) {
  running = waiting;
  waiting.count = 0;
  offset = 0;
  end = 1;
  record = running.count == REQUEST ? wanted(running.octets) : 0;
  if (running.octets[0] == LIST) end = 8 + storage_count() * IDENTIFIER;
  // An empty record is told by an empty value.
  if (running.octets[0] == DATA && record) end = record->size > 0 ? record->size : 1;
  if (running.octets[0] == COMPLETE) {
    running.count = 0;
    link_drop();
  }
}

void service_step(void) {
  if (link_handle == LINK_NONE || is_on_its_way) return;
  if (running.count > 0 && offset >= end) running.count = 0;
  if (running.count == 0 && waiting.count > 0) begin();
  if (running.count == 0) {
    if (must_tell_battery) {
      must_tell_battery = 0;
      tell(table.battery, &level, 1);
    }
    return;
  }
  switch (running.octets[0]) {
  case LIST: step_list(); break;
  case STATUS: step_status(); break;
  default:
    if (!record)
      tell_missing();
    else if (running.octets[0] == DATA)
      step_data();
    else
      step_information();
  }
}

void service_sent(void) { is_on_its_way = 0; }

static int is_request(const uint8_t *octets, uint16_t count) {
  if (count == 1) return octets[0] == LIST || octets[0] == STATUS || octets[0] == COMPLETE;
  return count == REQUEST && (octets[0] == INFORMATION || octets[0] == DATA);
}

#ifdef UPDATABLE
// A request for the bootloader is answered by an indication; the chip is reset into it when the phone has confirmed that.
static void update_written(const uint8_t *octets, uint16_t count) {
  uint8_t answer[3] = {0x20, count > 0 ? octets[0] : 0, count > 0 && octets[0] == START_BOOTLOADER ? 1 : 2};
  uint16_t size = sizeof answer;
  telling_t telling = {table.update, INDICATION, 0, 0, 0, &size, answer};
  must_enter = sd_ble_gatts_hvx(link_handle, &telling) == SUCCESS && answer[2] == 1;
}

void service_confirmed(uint16_t handle) {
  if (handle != table.update || !must_enter) return;
  REGISTER(RETAINED) = UPDATE_REQUESTED;
  reset_chip();
}
#endif

void service_written(uint16_t handle, const uint8_t *octets, uint16_t count) {
#ifdef UPDATABLE
  if (handle == table.update) return update_written(octets, count);
#endif
  if (handle == table.pairing && count > 0 && octets[0] == FORGET) link_forget();
  if (handle != table.control || !is_request(octets, count) || waiting.count > 0) return;
  memcpy(waiting.octets, octets, count);
  waiting.count = count;
#ifdef LOOKS_UP_EARLY
  // A mistake for tests: the record of the request that is still served is another one from here on.
  record = count == REQUEST ? wanted(octets) : 0;
#endif
}

void service_battery(uint8_t now) {
  static uint8_t told = 0xFF;
  if (now == told) return;
  told = level = now;
  value_t value = {1, 0, &level};
  sd_ble_gatts_value_set(LINK_NONE, table.battery, &value);
  must_tell_battery = 1;
}
