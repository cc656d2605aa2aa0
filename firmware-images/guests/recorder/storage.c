// Records on the flash behind SPI: a directory of entries of 32 octets, contents in whole pages behind it.
#include "recorder.h"

enum { ENTRY = 32, PAGE = 256, OPEN = 0xFFFFFFFF };
#ifdef BOARD_S132
// A transfer of the nRF52832 has at most 255 octets.
enum { PART = PAGE / 2 };
#else
enum { PART = PAGE };
#endif
enum { WRITE_ENABLE = 0x06, PROGRAM = 0x02, READ = 0x03, STATUS = 0x05, ERASE_SECTOR = 0x20 };

static const uint8_t directory_mark[8] = {0x1F, 0x3D, 0x7B, 0x2A, 0x00, 0x01, 0x00, 0x00};
static const uint32_t entry_mark = 0xE9C864A7;

typedef struct { uint32_t mark, start; uint8_t identifier[8]; uint32_t size; uint8_t unused[12]; } entry_t;

static record_t records[RECORD_LIMIT];
static uint32_t count;
// The page that is being filled, behind the four octets of a command.
static uint8_t page[4 + PAGE];
static uint32_t filled, written;

// Exchanges octets with the flash; it writes `sent`, then reads on.
static void exchange(const uint8_t *sent, uint32_t sent_count, uint8_t *received, uint32_t received_count) {
  PIN_CLEAR(SELECT_PORT) = 1u << SELECT;
  REGISTER(SPIM0 + 0x544) = (uint32_t)sent;
  REGISTER(SPIM0 + 0x548) = sent_count;
  REGISTER(SPIM0 + 0x534) = (uint32_t)received;
  REGISTER(SPIM0 + 0x538) = received_count;
  REGISTER(SPIM0 + 0x118) = 0;
  REGISTER(SPIM0 + 0x010) = 1;
  while (!REGISTER(SPIM0 + 0x118)) {}
  PIN_SET(SELECT_PORT) = 1u << SELECT;
}

static void wait_until_idle(void) {
  static uint8_t command[1], answer[2];
  do {
    command[0] = STATUS;
    exchange(command, 1, answer, 2);
  } while (answer[1] & 1);
}

static void set_address(uint8_t *command, uint8_t code, uint32_t address) {
  command[0] = code;
  command[1] = (uint8_t)(address >> 16);
  command[2] = (uint8_t)(address >> 8);
  command[3] = (uint8_t)address;
}

static void enable_writing(void) {
  static uint8_t command[1];
  command[0] = WRITE_ENABLE;
  wait_until_idle();
  exchange(command, 1, 0, 0);
}

// Programs what stands behind the first four octets of `command`; it may take effect later.
static void program(uint8_t *command, uint32_t address, uint32_t size) {
#ifdef BOARD_S132
  // The second part's command stands where the end of the first part stood, which the flash has by then.
  if (size > PART) {
    program(command, address, PART);
    command += PART;
    address += PART;
    size -= PART;
  }
#endif
  enable_writing();
  set_address(command, PROGRAM, address);
  exchange(command, 4 + size, 0, 0);
}

void storage_read(uint32_t address, uint8_t *octets, uint32_t size) {
  static uint8_t command[4], answer[4 + PAGE];
  while (size > 0) {
    uint32_t part = size < PART ? size : PART;
    wait_until_idle();
    set_address(command, READ, address);
    exchange(command, 4, answer, 4 + part);
    memcpy(octets, answer + 4, part);
    octets += part;
    address += part;
    size -= part;
  }
}

static void format(void) {
  static uint8_t command[4 + sizeof directory_mark];
  for (uint32_t address = 0; address < DIRECTORY_SIZE; address += 4096) {
    enable_writing();
    set_address(command, ERASE_SECTOR, address);
    exchange(command, 4, 0, 0);
  }
  memcpy(command + 4, directory_mark, sizeof directory_mark);
  program(command, 0, sizeof directory_mark);
}

static uint32_t entry_address(uint32_t index) { return (index + 1) * ENTRY; }

static void write_size(uint32_t index, uint32_t size) {
  static uint8_t command[8];
  memcpy(command + 4, &size, 4);
  program(command, entry_address(index) + 16, 4);
  records[index].size = size;
}

static int is_written(uint32_t address) {
  uint8_t octets[PAGE];
  storage_read(address, octets, PAGE);
  int is_written = 0;
  for (uint32_t place = 0; place < PAGE; place++) is_written |= octets[place] != 0xFF;
  return is_written;
}

// Power failed while this record was made: it ends where nothing was written. Its pages were written one after the other, so
// that place is found by halves: a user who presses the button at the start does not wait until a long record was read.
static void repair(uint32_t index) {
  uint32_t start = records[index].start, low = 0, high = start < STORAGE_SIZE ? (STORAGE_SIZE - start) / PAGE : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (is_written(start + middle * PAGE))
      low = middle + 1;
    else
      high = middle;
  }
  write_size(index, low * PAGE);
}

void storage_start(void) {
  REGISTER(SPIM0 + 0x524) = 0x80000000;
  REGISTER(SPIM0 + 0x500) = 7;
  uint8_t head[8];
  storage_read(0, head, sizeof head);
  if (memcmp(head, directory_mark, 4) != 0) format();
  for (count = 0; count < RECORD_LIMIT; count++) {
    entry_t entry;
    storage_read(entry_address(count), (uint8_t *)&entry, sizeof entry);
    if (entry.mark != entry_mark) break;
    records[count].start = entry.start;
    records[count].size = entry.size;
    memcpy(records[count].identifier, entry.identifier, 8);
#ifdef FORMATS_AFTER_POWER_CUT
    // A mistake for tests: a record that was not finished costs all of them.
    if (entry.size == OPEN) {
      format();
      count = 0;
      break;
    }
#else
    if (entry.size == OPEN) repair(count);
#endif
  }
}

uint32_t storage_count(void) { return count; }
const record_t *storage_record(uint32_t index) { return &records[index]; }

const record_t *storage_find(const uint8_t *identifier) {
  for (uint32_t index = 0; index < count; index++)
    if (memcmp(records[index].identifier, identifier, 8) == 0) return &records[index];
  return 0;
}

int storage_begin(const uint8_t *identifier) {
  static uint8_t command[4 + ENTRY];
  if (count == RECORD_LIMIT) return 0;
  uint32_t start = DIRECTORY_SIZE;
  if (count > 0) start = records[count - 1].start + (records[count - 1].size / PAGE + 1) * PAGE;
  if (start >= STORAGE_SIZE) return 0;
  entry_t entry = {.mark = entry_mark, .start = start, .size = OPEN};
  memcpy(entry.identifier, identifier, 8);
  memset(entry.unused, 0xFF, sizeof entry.unused);
  memcpy(command + 4, &entry, ENTRY);
  program(command, entry_address(count), ENTRY);
  records[count].start = start;
  records[count].size = OPEN;
  memcpy(records[count].identifier, identifier, 8);
  count++;
  filled = written = 0;
  return 1;
}

int storage_append(const uint8_t *octets, uint32_t size) {
  uint32_t address = records[count - 1].start + written;
  if (address + PAGE > STORAGE_SIZE) return 0;
  memcpy(page + 4 + filled, octets, size);
  filled += size;
  if (filled < PAGE) return 1;
  program(page, address, PAGE);
  filled = 0;
  written += PAGE;
  return 1;
}

void storage_end(void) {
  uint32_t size = written + filled;
  if (filled > 0) program(page, records[count - 1].start + written, filled);
  write_size(count - 1, size);
}
