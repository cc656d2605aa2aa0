// Erases a sector of the flash for records and programs it without waiting.
#include "../chip.h"

static void send(const uint8_t *octets, uint32_t count) {
  PIN_CLEAR(SELECT_PORT) = 1u << SELECT;
  REGISTER(SPIM0 + 0x544) = (uint32_t)octets;
  REGISTER(SPIM0 + 0x548) = count;
  REGISTER(SPIM0 + 0x118) = 0;
  REGISTER(SPIM0 + 0x010) = 1;
  while (!REGISTER(SPIM0 + 0x118)) {}
  PIN_SET(SELECT_PORT) = 1u << SELECT;
}

int main(void) {
  static uint8_t enable[1] = {0x06}, erase[4] = {0x20}, program[5] = {0x02};
  PIN_SET(SELECT_PORT) = 1u << SELECT;
  PIN_CONFIGURATION(SELECT_PORT, SELECT) = 1;
  REGISTER(SPIM0 + 0x524) = 0x80000000;
  REGISTER(SPIM0 + 0x500) = 7;
  send(enable, 1);
  send(erase, 4);
  send(program, 5);
  return 0;
}
