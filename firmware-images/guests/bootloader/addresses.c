// Tell the master boot record where the bootloader begins, and where its page for commands is.
#include "bootloader.h"

__attribute__((section(".user_registers"), used)) const uint32_t addresses[2] = {BOOTLOADER, BACKUP};
