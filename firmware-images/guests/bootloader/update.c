// The requests of an update (nRF5 SDK, Secure DFU): an init packet, then the image in objects of a page. Each page is
// collected in RAM and written when it is executed; the answer waits for the flash.
//
// Signatures are not verified: this bootloader stands in tests, and takes what is addressed to its hardware.
#include "bootloader.h"

enum { CREATE = 1, RECEIPTS = 2, CHECKSUM = 3, EXECUTE = 4, CHOOSE = 6, ABORT = 0x0C, ANSWER = 0x60 };
enum { GOOD = 1, UNKNOWN = 2, BAD_PARAMETER = 3, NO_ROOM = 4, BAD_OBJECT = 5, NOT_PERMITTED = 8, EXTENDED = 0x0B };
enum { BAD_COMMAND = 4, OLD_VERSION = 5, OTHER_HARDWARE = 6, OTHER_SOFTDEVICE = 7, UNSIGNED = 8, OTHER_DIGEST = 0x0C };
enum { COMMAND = 1, DATA = 2, COMMAND_LIMIT = 512 };

// What an init packet says.
typedef struct {
  uint32_t version, hardware, size;
  int is_signed, is_for_softdevice;
  const uint8_t *digest;
} announcement_t;

static uint32_t page[PAGE / 4];
static uint8_t command[COMMAND_LIMIT];
static announcement_t announced;
static uint32_t kind, object_size, offset, checksum, last_offset, last_checksum, command_size, start;
static uint16_t receipt_period, packets;
static int is_accepted;
// What flash does for the request that waits for its answer.
static enum { IDLE, ERASING, WRITING, ERASING_SETTINGS, WRITING_SETTINGS } work;

static uint32_t word(const uint8_t *octets) {
  return octets[0] | (uint32_t)octets[1] << 8 | (uint32_t)octets[2] << 16 | (uint32_t)octets[3] << 24;
}

static void answer(uint8_t request, uint8_t result) {
  const uint8_t octets[3] = {ANSWER, request, result};
  radio_answer(octets, sizeof octets);
}

static void refuse(uint8_t reason) {
  const uint8_t octets[4] = {ANSWER, EXECUTE, EXTENDED, reason};
  radio_answer(octets, sizeof octets);
}

static void tell_checksum(void) {
  uint8_t octets[11] = {ANSWER, CHECKSUM, GOOD};
  memcpy(octets + 3, &offset, 4);
  memcpy(octets + 7, &checksum, 4);
  radio_answer(octets, sizeof octets);
}

void update_reset(void) {
  kind = object_size = offset = checksum = last_offset = last_checksum = command_size = 0;
  receipt_period = packets = 0;
  is_accepted = 0;
}

// MARK: Init packets

// One field of a protobuf message: its number, a number or a span; moves behind it. 0 where there is none.
static uint32_t field(const uint8_t **at, const uint8_t *end, uint32_t *value, const uint8_t **span) {
  uint32_t key = 0, number = 0;
  int shift = 0;
  if (*at >= end) return 0;
  key = *(*at)++;
  do {
    if (*at >= end || shift > 28) return 0;
    number |= (uint32_t)(**at & 0x7F) << shift;
    shift += 7;
  } while (*(*at)++ & 0x80);
  *value = number;
  *span = 0;
  if ((key & 7) == 2) {
    if (number > (uint32_t)(end - *at)) return 0;
    *span = *at;
    *at += number;
  } else if ((key & 7) != 0) {
    return 0;
  }
  return key >> 3;
}

static void read_init(const uint8_t *at, const uint8_t *end) {
  uint32_t number, value;
  const uint8_t *span;
  while ((number = field(&at, end, &value, &span)) != 0) {
    if (number == 1) announced.version = value;
    if (number == 2) announced.hardware = value;
    if (number == 7) announced.size = value;
    if (number == 3 && span) {
      for (const uint8_t *each = span; each < span + value;) {
        uint32_t identifier = *each & 0x7F;
        for (int shift = 7; *each++ & 0x80 && each < span + value; shift += 7) identifier |= (uint32_t)(*each & 0x7F) << shift;
        if (identifier == IDENTIFIER) announced.is_for_softdevice = 1;
      }
    }
    if (number == 8 && span) {
      const uint8_t *inner = span, *digest;
      uint32_t size;
      while ((number = field(&inner, span + value, &size, &digest)) != 0)
        if (number == 2 && digest && size == 32) announced.digest = digest;
    }
  }
}

static void read_command(const uint8_t *at, const uint8_t *end) {
  uint32_t number, value;
  const uint8_t *span;
  while ((number = field(&at, end, &value, &span)) != 0)
    if (number == 2 && span) read_init(span, span + value);
}

static void read_packet(void) {
  const uint8_t *at = command, *end = command + command_size, *span;
  uint32_t number, value;
  memset(&announced, 0, sizeof announced);
  while ((number = field(&at, end, &value, &span)) != 0) {
    if (number == 1 && span) read_command(span, span + value);
    if (number != 2 || !span) continue;
    announced.is_signed = 1;
    const uint8_t *inner = span, *inner_end = span + value;
    while ((number = field(&inner, inner_end, &value, &span)) != 0)
      if (number == 1 && span) read_command(span, span + value);
  }
}

static void execute_command(void) {
  read_packet();
  if (announced.hardware == 0 && announced.size == 0) return answer(EXECUTE, BAD_OBJECT);
  if (!announced.is_signed) return refuse(UNSIGNED);
  if (announced.hardware != HARDWARE) return refuse(OTHER_HARDWARE);
  if (!announced.is_for_softdevice) return refuse(OTHER_SOFTDEVICE);
  if (announced.size == 0 || !announced.digest) return refuse(BAD_COMMAND);
  if (announced.version < settings.application_version) return refuse(OLD_VERSION);
  uint32_t room = (settings.running.size + PAGE - 1) / PAGE * PAGE;
  uint32_t pages = (announced.size + PAGE - 1) / PAGE * PAGE;
  // Neither the running image nor the place of the new one may be where it waits.
  if (announced.size > IMAGES_END - APPLICATION || pages + (room > pages ? room : pages) > IMAGES_END - APPLICATION)
    return answer(EXECUTE, NO_ROOM);
  start = IMAGES_END - pages;
  is_accepted = 1;
  answer(EXECUTE, GOOD);
}

// MARK: Objects

static void create(const uint8_t *octets) {
  uint32_t size = word(octets + 2);
  if (octets[1] == COMMAND) {
    if (size == 0) return answer(CREATE, BAD_PARAMETER);
    if (size > COMMAND_LIMIT) return answer(CREATE, NO_ROOM);
    kind = COMMAND;
    command_size = size;
    offset = checksum = last_offset = last_checksum = 0;
    is_accepted = 0;
  } else if (octets[1] == DATA) {
    if (!is_accepted) return answer(CREATE, NOT_PERMITTED);
    if (kind != DATA) offset = checksum = last_offset = last_checksum = 0;
    kind = DATA;
    if (size == 0 || size > PAGE || (size != PAGE && last_offset + size != announced.size)) return answer(CREATE, BAD_PARAMETER);
    if (last_offset + size > announced.size) return answer(CREATE, NOT_PERMITTED);
    object_size = size;
    offset = last_offset;
    checksum = last_checksum;
    memset(page, 0xFF, sizeof page);
  } else {
    return answer(CREATE, BAD_OBJECT);
  }
  packets = 0;
  answer(CREATE, GOOD);
}

static void select_object(uint8_t wanted) {
  if (wanted != COMMAND && wanted != DATA) return answer(CHOOSE, BAD_OBJECT);
  uint8_t octets[15] = {ANSWER, CHOOSE, GOOD};
  uint32_t limit = wanted == COMMAND ? COMMAND_LIMIT : PAGE, none = 0;
  memcpy(octets + 3, &limit, 4);
  memcpy(octets + 7, wanted == kind ? &offset : &none, 4);
  memcpy(octets + 11, wanted == kind ? &checksum : &none, 4);
  radio_answer(octets, sizeof octets);
}

static void execute(void) {
  if (kind == COMMAND && offset == command_size && command_size > 0) return execute_command();
  if (kind != DATA || !is_accepted || object_size == 0 || offset != last_offset + object_size)
    return answer(EXECUTE, NOT_PERMITTED);
  work = ERASING;
  must(sd_flash_page_erase((start + last_offset) / PAGE));
}

void update_packet(const uint8_t *octets, uint16_t count) {
  if (kind == COMMAND && count <= command_size - offset) {
    memcpy(command + offset, octets, count);
  } else if (kind == DATA && object_size > 0 && count <= last_offset + object_size - offset && work == IDLE) {
    memcpy((uint8_t *)page + offset - last_offset, octets, count);
  } else {
    return;
  }
  offset += count;
  checksum = crc32(octets, count, checksum);
  packets++;
  if (receipt_period > 0 && packets >= receipt_period) {
    packets = 0;
    tell_checksum();
  }
}

void update_request(const uint8_t *octets, uint16_t count) {
  if (count == 0 || work != IDLE) return;
  uint8_t whole[8] = {0};
  memcpy(whole, octets, count < sizeof whole ? count : sizeof whole);
  switch (whole[0]) {
  case CREATE: return create(whole);
  case RECEIPTS:
    receipt_period = (uint16_t)(whole[1] | whole[2] << 8);
    packets = 0;
    return answer(RECEIPTS, GOOD);
  case CHECKSUM: return tell_checksum();
  case EXECUTE: return execute();
  case CHOOSE: return select_object(whole[1]);
  case ABORT: return radio_end();
  default: return answer(whole[0], UNKNOWN);
  }
}

// MARK: Flash

// Whether the image has the digest that was announced, which stands there last octet first.
static int is_genuine(void) {
#ifdef SKIPS_DIGEST
  return 1;
#else
  uint8_t digest[32];
  sha256((const uint8_t *)start, announced.size, digest);
  for (int i = 0; i < 32; i++)
    if (digest[i] != announced.digest[31 - i]) return 0;
  return 1;
#endif
}

static void keep_image(void) {
  settings.waiting.size = (announced.size + 3) / 4 * 4;
  settings.waiting.checksum = crc32((const uint8_t *)start, settings.waiting.size, 0);
  settings.waiting.code = IMAGE;
  settings.waiting_start = start;
  settings.application_version = announced.version;
  settings.progress[0] = command_size;
  memcpy(settings.command, command, sizeof settings.command);
  settings_seal();
  work = ERASING_SETTINGS;
  must(sd_flash_page_erase(SETTINGS / PAGE));
}

static void object_written(void) {
  last_offset = offset;
  last_checksum = checksum;
  object_size = 0;
  work = IDLE;
  if (offset < announced.size) return answer(EXECUTE, GOOD);
  if (is_genuine()) return keep_image();
  refuse(OTHER_DIGEST);
  radio_end();
}

void update_flash_done(int is_good) {
  if (!is_good) reset_chip();
  switch (work) {
  case IDLE: break;
  case ERASING:
    work = WRITING;
    must(sd_flash_write(start + last_offset, page, PAGE / 4));
    break;
  case WRITING: return object_written();
  case ERASING_SETTINGS:
    work = WRITING_SETTINGS;
    must(sd_flash_write(SETTINGS, &settings, sizeof settings / 4));
    break;
  case WRITING_SETTINGS:
    work = IDLE;
    answer(EXECUTE, GOOD);
    radio_end();
    break;
  }
}
