// The microphone: buffers of 128 samples become frames of 64 octets, four bits a sample (IMA ADPCM, the first sample in
// the high half), behind a label in the first frame.
#include "recorder.h"

enum { SAMPLES = 128, FRAME = SAMPLES / 2, LABEL = 14, PDM_STARTED = 0x100, PDM_STOPPED = 0x104, PDM_END = 0x108 };

static int16_t buffers[2][SAMPLES];
static uint32_t filling;
static int is_running, has_record, has_label;
static int32_t predicted, step_index;

static const int16_t steps[89] = {
    7,    8,    9,    10,   11,   12,   13,   14,   16,   17,    19,    21,    23,    25,    28,    31,    34,    37,
    41,   45,   50,   55,   60,   66,   73,   80,   88,   97,    107,   118,   130,   143,   157,   173,   190,   209,
    230,  253,  279,  307,  337,  371,  408,  449,  494,  544,   598,   658,   724,   796,   876,   963,   1060,  1166,
    1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024,  3327,  3660,  4026,  4428,  4871,  5358,  5894,  6484,
    7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const int8_t index_steps[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

static int32_t within(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

// Goes on as whoever decodes these four bits will.
static void follow(uint8_t code) {
  int32_t step = steps[step_index], change = step >> 3;
  for (uint8_t bit = 4; bit > 0; bit >>= 1, step >>= 1)
    if (code & bit) change += step;
  predicted = within(code & 8 ? predicted - change : predicted + change, -32768, 32767);
  step_index = within(step_index + index_steps[code & 7], 0, 88);
}

static uint8_t encode(int32_t sample) {
  int32_t step = steps[step_index], difference = sample - predicted;
  uint8_t code = 0;
  if (difference < 0) {
    code = 8;
    difference = -difference;
  }
  for (uint8_t bit = 4; bit > 0; bit >>= 1, step >>= 1) {
    if (difference < step) continue;
    code |= bit;
    difference -= step;
  }
  follow(code);
  return code;
}

static void keep(const int16_t *samples) {
  uint8_t frame[FRAME] = "adpcm;16000;2";
  uint32_t index = 0;
  // The label stands in the place of sound and is decoded as sound.
  for (; !has_label && index < LABEL; index++) {
    follow(frame[index] >> 4);
    follow(frame[index] & 15);
  }
  has_label = 1;
  for (; index < FRAME; index++) {
    uint8_t high = encode(samples[2 * index]);
    frame[index] = (uint8_t)(high << 4 | encode(samples[2 * index + 1]));
  }
  if (has_record && !storage_append(frame, FRAME)) {
    // No room is left: what was said until now is a record.
    storage_end();
    has_record = 0;
  }
}

// The time is a record's name.
static void begin_record(void) {
  uint8_t identifier[8], time[6];
  timepiece_read(time);
  identifier[0] = identifier[1] = 0;
  memcpy(identifier + 2, time, sizeof time);
  while (storage_find(identifier) && identifier[7] < 99) identifier[7]++;
  has_record = storage_begin(identifier);
}

void sound_start(void) {
  predicted = step_index = 0;
  has_label = 0;
  filling = 0;
#ifdef BOARD_S132
  REGISTER(PDM + 0x504) = 0x08400000;
#else
  // 1.28 MHz over 80 are 16,000 samples a second.
  REGISTER(PDM + 0x504) = 0x0A000000;
  REGISTER(PDM + 0x520) = 1;
#endif
  REGISTER(PDM + 0x508) = 1;
  REGISTER(PDM + 0x560) = (uint32_t)buffers[0];
  REGISTER(PDM + 0x564) = SAMPLES;
  REGISTER(PDM + 0x304) = 1 << 2;
  REGISTER(PDM + 0x500) = 1;
  REGISTER(PDM + PDM_END) = 0;
  REGISTER(PDM + 0x000) = 1;
  REGISTER(PDM + 0x560) = (uint32_t)buffers[1];
  is_running = 1;
  begin_record();
}

void sound_step(void) {
  if (!is_running || !REGISTER(PDM + PDM_END)) return;
  REGISTER(PDM + PDM_END) = 0;
  REGISTER(PDM + 0x304) = 1 << 2;
  const int16_t *full = buffers[filling];
  filling ^= 1;
  keep(full);
  // The other buffer fills; this one is next.
  REGISTER(PDM + 0x560) = (uint32_t)full;
}

void sound_stop(void) {
  if (!is_running) return;
  sound_step();
  REGISTER(PDM + PDM_STOPPED) = 0;
  REGISTER(PDM + 0x004) = 1;
  while (!REGISTER(PDM + PDM_STOPPED)) {}
  REGISTER(PDM + PDM_STOPPED) = 0;
  REGISTER(PDM + PDM_END) = 0;
  REGISTER(PDM + 0x500) = 0;
  is_running = 0;
  if (has_record) storage_end();
  has_record = 0;
}
