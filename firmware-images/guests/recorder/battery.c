// The battery's level: half of its voltage at the converter, eight steps.
#include "recorder.h"

uint8_t battery_level(void) {
  static volatile uint16_t sample;
  // Input 5 against 0.6 V with a sixth of gain, 12 bits, one sample.
  REGISTER(SAADC + 0x510) = 6;
  REGISTER(SAADC + 0x518) = 0x00020000;
  REGISTER(SAADC + 0x5F0) = 2;
  REGISTER(SAADC + 0x62C) = (uint32_t)&sample;
  REGISTER(SAADC + 0x630) = 1;
  REGISTER(SAADC + 0x500) = 1;
  REGISTER(SAADC + 0x100) = 0;
  REGISTER(SAADC + 0x104) = 0;
  REGISTER(SAADC + 0x000) = 1;
  while (!REGISTER(SAADC + 0x100)) {}
  REGISTER(SAADC + 0x004) = 1;
  while (!REGISTER(SAADC + 0x104)) {}
  REGISTER(SAADC + 0x500) = 0;
  // The product reckons with a full scale of 3.3 V, and its thresholds are made for that.
  uint32_t millivolts = (uint32_t)sample * 6600 / 4095;
  static const uint16_t thresholds[] = {3100, 3200, 3250, 3300, 3350, 3400, 3450, 3500};
  uint8_t level = 0;
  for (uint32_t index = 0; index < 8; index++)
    if (millivolts >= thresholds[index]) level += 12;
  return level;
}
