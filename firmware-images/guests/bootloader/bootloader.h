// The parts of the bootloader, a small program that starts the application above the SoftDevice and takes updates of it.
#ifndef BOOTLOADER_H
#define BOOTLOADER_H

#include "../chip.h"
#include "../softdevice.h"

void *memcpy(void *to, const void *from, unsigned count);
void *memset(void *to, int value, unsigned count);
int memcmp(const void *one, const void *other, unsigned count);

enum { PAGE = 4096, SOFTDEVICE = 0x1000, HARDWARE = 52 };
#ifdef BOARD_S132
enum { APPLICATION = 0x26000, BOOTLOADER = 0x71000, BACKUP = 0x7E000, SETTINGS = 0x7F000, IDENTIFIER = 0x101 };
#else
enum { APPLICATION = 0x27000, BOOTLOADER = 0xF0000, BACKUP = 0xFE000, SETTINGS = 0xFF000, IDENTIFIER = 0x100 };
#endif
// The application's own pages below the bootloader, which no update touches.
enum { IMAGES_END = BOOTLOADER - 3 * PAGE };

// settings.c: what the bootloader knows of the application, in a page of flash and in a copy of it. The places of the
// members are those of Nordic's settings, so that other programs can read them.
typedef struct { uint32_t size, checksum, code; } bank_t;
typedef struct {
  uint32_t checksum, layout, application_version, bootloader_version, unused[2];
  bank_t running, waiting;
  uint32_t copied, softdevice_size, progress[4], waiting_start, unused2[4];
  uint8_t command[512];
  uint32_t validation_checksum;
  uint8_t validation[196], peer[64], name[28];
} settings_t;
_Static_assert(sizeof(settings_t) == 896, "settings");
enum { NOTHING = 0, IMAGE = 1 };
extern settings_t settings;
void settings_read(void);
// Where the SoftDevice is off: the processor stands still meanwhile.
void settings_write(void);
void settings_seal(void);

// checks.c
uint32_t crc32(const uint8_t *octets, uint32_t count, uint32_t before);
void sha256(const uint8_t *octets, uint32_t count, uint8_t digest[32]);

// radio.c: advertising, the link, and the update service, until an image was taken or nobody comes.
void radio_serve(void) __attribute__((noreturn));
void radio_answer(const uint8_t *octets, uint16_t count);
// The link is ended, and the chip is reset soon.
void radio_end(void);

// update.c: the requests of an update.
void update_reset(void);
void update_request(const uint8_t *octets, uint16_t count);
void update_packet(const uint8_t *octets, uint16_t count);
void update_flash_done(int is_good);

// main.c
void must(uint32_t result);

#endif
