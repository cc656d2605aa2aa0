// The clock chip RV-4162 behind two wires: registers 1 to 7 hold second, minute, hour, weekday, day, month and year in
// binary-coded decimal.
#include "recorder.h"

enum { ADDRESS = 0x68, PATIENCE = 20000 };

static void wires_start(void) {
  REGISTER(TWI1 + 0x508) = 27;
  REGISTER(TWI1 + 0x50C) = 26;
  REGISTER(TWI1 + 0x524) = 0x06680000;
  REGISTER(TWI1 + 0x588) = ADDRESS;
  REGISTER(TWI1 + 0x500) = 5;
}

// Waits for an event; whether it came.
static int came(uint32_t event) {
  for (uint32_t turns = 0; turns < PATIENCE; turns++) {
    if (REGISTER(TWI1 + event)) {
      REGISTER(TWI1 + event) = 0;
      return 1;
    }
  }
  return 0;
}

static void stop(void) {
  REGISTER(TWI1 + 0x200) = 0;
  REGISTER(TWI1 + 0x014) = 1;
  came(0x104);
}

static uint8_t decimal(uint8_t coded) { return (uint8_t)((coded >> 4) * 10 + (coded & 15)); }
static uint8_t coded(uint8_t decimal) { return (uint8_t)(decimal / 10 << 4 | decimal % 10); }

static void send(uint8_t octet) {
  REGISTER(TWI1 + 0x51C) = octet;
  came(0x11C);
}

void timepiece_read(uint8_t *time) {
  uint8_t registers[7];
  memset(registers, 0, sizeof registers);
  wires_start();
  REGISTER(TWI1 + 0x008) = 1;
  send(1);
  // It waits after each octet until it is asked to go on.
  REGISTER(TWI1 + 0x200) = 1;
  REGISTER(TWI1 + 0x108) = 0;
  REGISTER(TWI1 + 0x000) = 1;
  for (uint32_t index = 0; index < 7; index++) {
    if (!came(0x108)) break;
    registers[index] = (uint8_t)REGISTER(TWI1 + 0x518);
    if (index == 5) REGISTER(TWI1 + 0x200) = 2;
    if (index < 6) REGISTER(TWI1 + 0x020) = 1;
  }
  stop();
  static const uint8_t places[6] = {6, 5, 4, 2, 1, 0};
  for (uint32_t index = 0; index < 6; index++) time[index] = decimal(registers[places[index]]);
}

void timepiece_set(const uint8_t *time) {
  wires_start();
  REGISTER(TWI1 + 0x008) = 1;
  send(1);
  send(coded(time[5]));
  send(coded(time[4]));
  send(coded(time[3]));
  send(0);
  send(coded(time[2]));
  send(coded(time[1]));
  send(coded(time[0]));
  stop();
}
