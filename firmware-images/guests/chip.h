// What the guests use of the chip: registers by their addresses (nRF52832 and nRF52840 Product Specifications), and the
// pins of the two boards.
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

// A block's task, event and register by offset.
enum { PDM = 0x4001D000, SPIM0 = 0x40003000, TWI1 = 0x40004000, SAADC = 0x40007000, WDT = 0x40010000, RTC1 = 0x40011000 };
enum { PDM_INTERRUPT = 29, RTC1_INTERRUPT = 17, EVENT_INTERRUPT = 22 };

#define PORT(port) (0x50000000u + 0x300u * (port))
#define PIN_OUT(port) REGISTER(PORT(port) + 0x504)
#define PIN_SET(port) REGISTER(PORT(port) + 0x508)
#define PIN_CLEAR(port) REGISTER(PORT(port) + 0x50C)
#define PIN_IN(port) REGISTER(PORT(port) + 0x510)
#define PIN_CONFIGURATION(port, pin) REGISTER(PORT(port) + 0x700 + 4 * (pin))

#define INTERRUPT_SET_ENABLE REGISTER(0xE000E100)
#define INTERRUPT_PRIORITY(number) (*(volatile uint8_t *)(0xE000E400 + (number)))
#define RESET_CONTROL REGISTER(0xE000ED0C)

#ifdef BOARD_S132
enum { BUTTON_PORT = 0, BUTTON = 25, SELECT_PORT = 0, SELECT = 8, LATCH_PORT = 0, LATCH_DATA = 27, LATCH_CLOCK_PORT = 0, LATCH_CLOCK = 26 };
enum { BOND_PAGE = 0x7E000 };
#define NAME "dictofun_v1.3"
#else
enum { BUTTON_PORT = 1, BUTTON = 13, SELECT_PORT = 1, SELECT = 6, LATCH_PORT = 0, LATCH_DATA = 2, LATCH_CLOCK_PORT = 1, LATCH_CLOCK = 15 };
#ifdef UPDATABLE
// Below the bootloader.
enum { BOND_PAGE = 0xEE000 };
#else
enum { BOND_PAGE = 0xFE000 };
#endif
#define NAME "dictofun_v1.4"
#endif

// Resets the chip.
static inline void reset_chip(void) {
  RESET_CONTROL = 0x05FA0004;
  for (;;) {}
}

#endif
