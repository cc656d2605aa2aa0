// The settings page and its copy. One of the two is always whole, so a power cut loses nothing.
#include "bootloader.h"

enum { NVMC = 0x4001E000, READY = NVMC + 0x400, CONFIGURATION = NVMC + 0x504, ERASE = NVMC + 0x508 };
enum { COVERED = 92, LAYOUT = 2 };

settings_t settings;

static int is_whole(const settings_t *page) {
  return page->checksum != 0xFFFFFFFF && page->checksum == crc32((const uint8_t *)page + 4, COVERED - 4, 0);
}

void settings_read(void) {
  if (is_whole((const settings_t *)SETTINGS)) {
    memcpy(&settings, (const void *)SETTINGS, sizeof settings);
  } else if (is_whole((const settings_t *)BACKUP)) {
    memcpy(&settings, (const void *)BACKUP, sizeof settings);
  } else {
    memset(&settings, 0, sizeof settings);
  }
  settings.layout = LAYOUT;
}

void settings_seal(void) { settings.checksum = crc32((const uint8_t *)&settings + 4, COVERED - 4, 0); }

static void wait(void) {
  while (!REGISTER(READY)) {}
}

static void erase(uint32_t page) {
  REGISTER(CONFIGURATION) = 2;
  REGISTER(ERASE) = page;
  wait();
  REGISTER(CONFIGURATION) = 0;
}

static void write(uint32_t page) {
  const uint32_t *words = (const uint32_t *)&settings;
  REGISTER(CONFIGURATION) = 1;
  for (uint32_t at = 0; at < sizeof settings / 4; at++) {
    REGISTER(page + 4 * at) = words[at];
    wait();
  }
  REGISTER(CONFIGURATION) = 0;
}

static void store(uint32_t page) {
  if (memcmp((const void *)page, &settings, sizeof settings) == 0) return;
  erase(page);
  write(page);
}

void settings_write(void) {
  settings_seal();
#ifdef BREAKS_BOTH_PAGES
  // A power cut before the first is written leaves no settings at all.
  erase(SETTINGS);
  erase(BACKUP);
#endif
  store(SETTINGS);
  store(BACKUP);
}
