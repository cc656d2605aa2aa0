// The recorder as a whole: power, button, time, and one loop that does what is to be done and sleeps.
#include "recorder.h"

enum {
  // Hundredths of a second.
  POLL = 1,
#ifdef SLEEPS_EARLY
  IDLE_LIMIT = 600,
#else
  IDLE_LIMIT = 2450,
#endif
  LEFT_LIMIT = 500,
  BATTERY_PERIOD = 500,
  // What a rail that is held leaves of a recorder that went off.
  OFF_LIMIT = 205,
};

static volatile uint32_t ticks;
static uint32_t off_at;
static int is_recording;
static int has_recorded;

void woken(void) {
  if (REGISTER(RTC1 + 0x100)) {
    REGISTER(RTC1 + 0x100) = 0;
    ticks++;
  }
  // A full buffer only wakes: its interrupt is held back until sound_step has cleared the event, or this would never end.
  if (REGISTER(PDM + 0x108)) REGISTER(PDM + 0x308) = 1 << 2;
}

void fault(void) { reset_chip(); }

void must(uint32_t result) {
  if (result != SUCCESS) reset_chip();
}

uint32_t now(void) { return ticks; }

// How long it stays on is told by what happened last.
static void stay_for(uint32_t limit) { off_at = ticks + limit; }

void stay_on(void) { stay_for(IDLE_LIMIT); }

static void pin_output(uint32_t port, uint32_t pin) { PIN_CONFIGURATION(port, pin) = 1; }

static void latch(int is_closed) {
  if (is_closed)
    PIN_SET(LATCH_PORT) = 1u << LATCH_DATA;
  else
    PIN_CLEAR(LATCH_PORT) = 1u << LATCH_DATA;
  PIN_CLEAR(LATCH_CLOCK_PORT) = 1u << LATCH_CLOCK;
  PIN_SET(LATCH_CLOCK_PORT) = 1u << LATCH_CLOCK;
}

int is_pressed(void) { return PIN_IN(BUTTON_PORT) >> BUTTON & 1; }

static void clock_start(void) {
  REGISTER(0x40000518) = 1;
  REGISTER(0x40000104) = 0;
  REGISTER(0x40000008) = 1;
  while (!REGISTER(0x40000104)) {}
  // 32,768 Hz divided by 328: a tick every hundredth of a second.
  REGISTER(RTC1 + 0x508) = 327;
  REGISTER(RTC1 + 0x304) = 1;
  INTERRUPT_PRIORITY(RTC1_INTERRUPT) = 6 << 5;
  INTERRUPT_PRIORITY(PDM_INTERRUPT) = 6 << 5;
  INTERRUPT_SET_ENABLE = 1u << RTC1_INTERRUPT | 1u << PDM_INTERRUPT;
  REGISTER(RTC1 + 0x000) = 1;
}

static void record_begin(void) {
  advertise_no_more();
  link_drop();
  sound_start();
  is_recording = 1;
}

static void record_end(void) {
  is_recording = 0;
  has_recorded = 1;
  sound_stop();
  stay_on();
  advertise();
}

static void switch_off(void) {
  advertise_no_more();
  link_drop();
  latch(0);
  // Where something holds the rail there is no end: start anew, and at once for a user who presses the button.
  for (uint32_t end = ticks + OFF_LIMIT; (int32_t)(ticks - end) < 0 && !is_pressed();) {
    link_drain();
    __asm__ volatile("wfi");
  }
  reset_chip();
}

// What has to be looked at once a hundredth of a second.
static void tick(uint32_t *measured) {
  int pressed = is_pressed();
  if (pressed || is_recording) link_admit();
  if (pressed && !is_recording) record_begin();
  if (!pressed && is_recording) record_end();
  bonds_tick();
  link_tick();
  // A phone that leaves ends the wait only once there is a record that it could have fetched.
  if (link_handle != LINK_NONE && (has_recorded || (int32_t)(ticks + LEFT_LIMIT - off_at) > 0)) stay_for(LEFT_LIMIT);
  if (!is_recording && (int32_t)(ticks - off_at) >= 0) switch_off();
  if (!is_recording && ticks - *measured >= BATTERY_PERIOD) {
    *measured = ticks;
    service_battery(battery_level());
  }
}

int main(void) {
  pin_output(LATCH_PORT, LATCH_DATA);
  pin_output(LATCH_CLOCK_PORT, LATCH_CLOCK);
  latch(1);
  // Pulled down, as an input.
  PIN_CONFIGURATION(BUTTON_PORT, BUTTON) = 0x4;
  PIN_SET(SELECT_PORT) = 1u << SELECT;
  pin_output(SELECT_PORT, SELECT);
  clock_start();
  storage_start();
  is_recording = is_pressed();
  if (is_recording) sound_start();
  table_start(battery_level());
  // The SoftDevice has given it a priority now.
  INTERRUPT_SET_ENABLE = 1u << EVENT_INTERRUPT;
  stay_on();
  if (!is_recording) advertise();
  uint32_t seen = 0, measured = 0;
  for (;;) {
    link_drain();
    sound_step();
    service_step();
    if (seen != ticks) {
      seen = ticks;
      tick(&measured);
    }
    // An interrupt that comes while they are off still ends the sleep.
    __asm__ volatile("cpsid i" ::: "memory");
    if (seen == ticks && !REGISTER(PDM + 0x104) && !REGISTER(PDM + 0x108)) __asm__ volatile("wfi");
    __asm__ volatile("cpsie i\n isb" ::: "memory");
  }
}
