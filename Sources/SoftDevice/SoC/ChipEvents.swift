import Processor

/// Sleep, events of the chip, clock, temperature and mutexes (`nrf_soc.h`).
extension SoftDeviceHost {
  /// 0x41 `sd_app_evt_wait`.
  mutating func wait(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) { output.sleeps = true }

  /// 0x4B `sd_evt_get`: the number of the oldest event of the chip.
  mutating func fetchChipEvent(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard let event = state.chipEvents.first else { throw .notFound }
    try write(event.rawValue, to: call.r0, call, &processor)
    state.chipEvents.removeFirst()
  }

  /// Cycles until the crystal oscillator runs: 360 µs (product specifications, CLOCK, typical).
  private static let clockCycles: UInt64 = 23_040

  /// 0x42 `sd_clock_hfclk_request`.
  mutating func requestClock(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard state.clockRequest == nil else { return }
    let number = nextNumber()
    state.clockRequest = number
    output.completions.append(
      TimedCompletion(due: call.cycle + Self.clockCycles, completion: .clock(number)))
  }

  /// 0x43 `sd_clock_hfclk_release`.
  mutating func releaseClock(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    state.clockRequest = nil
    state.isClockRunning = false
  }

  /// 0x44 `sd_clock_hfclk_is_running`.
  mutating func tellClock(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(UInt32(state.isClockRunning ? 1 : 0), to: call.r0, call, &processor)
  }

  /// `NRF_RADIO_NOTIFICATION_TYPE_INT_ON_BOTH`.
  private static let lastNotificationKind: UInt32 = 3
  /// `NRF_RADIO_NOTIFICATION_DISTANCE_5500US`.
  private static let lastNotificationDistance: UInt32 = 6

  /// 0x45 `sd_radio_notification_cfg_set`.
  mutating func setRadioNotification(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 <= Self.lastNotificationKind, call.r1 <= Self.lastNotificationDistance else {
      throw .invalidParameter
    }
    if call.r0 != 0 { note(.withoutEffect(call: call.number, "no interrupt tells of the radio's activity")) }
  }

  /// 0x4C `sd_temp_get`: in quarters of a degree Celsius.
  mutating func tellTemperature(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(UInt32(bitPattern: temperature), to: call.r0, call, &processor)
  }

  /// 0x2C `sd_mutex_new` and 0x2E `sd_mutex_release`.
  mutating func releaseMutex(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write([0], to: call.r0, call, &processor)
  }

  /// 0x2D `sd_mutex_acquire`.
  mutating func acquireMutex(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard try read(call.r0, 1, call, processor) == [0] else { throw .mutexTaken }
    try write([1], to: call.r0, call, &processor)
  }
}
