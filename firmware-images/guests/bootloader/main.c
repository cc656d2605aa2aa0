// The bootloader from reset to the application: puts a waiting image in place, and starts the application where there is
// one and nobody asked for an update.
#include "bootloader.h"

enum { RETAINED = 0x4000051C, UPDATE_REQUESTED = 0xB1, PROTECTION = 0x4001E800, WRITE_DISABLED = 2 };
enum { COPY_SOFTDEVICE = 1, FORWARD_INTERRUPTS = 6 };

#define sd_mbr_command(command) SUPERVISOR_CALL(0x18, command, 0, 0, 0)

void fault(void) { reset_chip(); }

void must(uint32_t result) {
  if (result != SUCCESS) reset_chip();
}

static void keep_power(void) {
  PIN_CONFIGURATION(LATCH_PORT, LATCH_DATA) = 1;
  PIN_CONFIGURATION(LATCH_CLOCK_PORT, LATCH_CLOCK) = 1;
  PIN_SET(LATCH_PORT) = 1u << LATCH_DATA;
  PIN_CLEAR(LATCH_CLOCK_PORT) = 1u << LATCH_CLOCK;
  PIN_SET(LATCH_CLOCK_PORT) = 1u << LATCH_CLOCK;
}

// Whether an image is there whose checksum is right.
static int is_startable(void) {
  const bank_t *bank = &settings.running;
  return bank->code == IMAGE && bank->size > 0 && bank->size <= IMAGES_END - APPLICATION &&
         crc32((const uint8_t *)APPLICATION, bank->size, 0) == bank->checksum;
}

// Copies the waiting image down. It stays where it is until the settings say that the copy is done, so that a power cut at
// any moment is followed by the same copy from the beginning.
static void install(void) {
  const bank_t waiting = settings.waiting;
  uint32_t start = settings.waiting_start;
  if (start % PAGE != 0 || waiting.size == 0 || start < APPLICATION || start >= IMAGES_END ||
      waiting.size > IMAGES_END - start) {
    settings.waiting.code = NOTHING;
    settings_write();
    return;
  }
#ifdef FORGETS_BEFORE_COPYING
  // A power cut in the copy leaves half an application, and nothing that would mend it.
  settings.running = waiting;
  settings.waiting.code = NOTHING;
  settings_write();
#endif
  for (uint32_t at = 0; at < waiting.size; at += PAGE) {
    uint32_t left = waiting.size - at;
    const uint32_t command[4] = {COPY_SOFTDEVICE, start + at, APPLICATION + at, (left < PAGE ? left : PAGE) / 4};
    must(sd_mbr_command(command));
  }
  settings.running = waiting;
  memset(&settings.waiting, 0, sizeof settings.waiting);
  memset(settings.progress, 0, sizeof settings.progress);
  settings.waiting_start = 0;
  settings_write();
  reset_chip();
}

static void protect(uint32_t index, uint32_t start, uint32_t size) {
  REGISTER(PROTECTION + 16 * index) = start;
  REGISTER(PROTECTION + 16 * index + 4) = size;
  REGISTER(PROTECTION + 16 * index + 8) = WRITE_DISABLED;
}

// The SoftDevice starts first, and hands the chip to the application.
static void start_application(void) {
  const uint32_t command[2] = {FORWARD_INTERRUPTS, SOFTDEVICE};
  must(sd_mbr_command(command));
#ifndef BOARD_S132
  protect(0, BOOTLOADER, BACKUP + PAGE - BOOTLOADER);
  protect(1, 0, APPLICATION + (settings.running.size + PAGE - 1) / PAGE * PAGE);
#endif
  const uint32_t *vectors = (const uint32_t *)SOFTDEVICE;
  __asm__ volatile("msr msp, %0\n bx %1" ::"r"(vectors[0]), "r"(vectors[1]));
}

int main(void) {
  keep_power();
  settings_read();
  if (settings.waiting.code == IMAGE) install();
  int is_requested = REGISTER(RETAINED) == UPDATE_REQUESTED;
#ifndef KEEPS_REQUEST
  if (is_requested) REGISTER(RETAINED) = 0;
#endif
  settings_seal();
  if (settings.running.code == IMAGE) settings_write();
  if (!is_requested && is_startable()) start_application();
  radio_serve();
}
