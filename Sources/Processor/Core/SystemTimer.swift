/// SysTick (Armv7-M Architecture Reference Manual, B3.3): counts processor cycles down and wraps to its reload value.
struct SystemTimer: Equatable, Sendable {
  /// Bit 0 ENABLE, bit 1 TICKINT, bit 2 CLKSOURCE.
  private(set) var control: UInt32 = 0
  private(set) var reload: UInt32 = 0
  private(set) var hasCounted = false
  /// The value while the timer stands.
  private var standing: UInt32 = 0
  /// The cycle at which the count reaches 0 next, while the timer runs and its reload value is not 0.
  private(set) var due: UInt64?

  var isEnabled: Bool { control & 1 != 0 }
  var raisesException: Bool { control & 2 != 0 }

  /// SYST_CVR at a cycle.
  func value(at cycle: UInt64) -> UInt32 {
    guard isEnabled, let due else { return standing }
    return UInt32(truncatingIfNeeded: due > cycle ? due - cycle : 0)
  }

  /// SYST_CSR, whose reading clears COUNTFLAG.
  mutating func readControl() -> UInt32 {
    defer { hasCounted = false }
    return control | (hasCounted ? 1 << 16 : 0)
  }

  mutating func setControl(_ value: UInt32, at cycle: UInt64) {
    let current = self.value(at: cycle)
    let wasEnabled = isEnabled
    control = value & 7
    if isEnabled, !wasEnabled {
      start(from: standing, at: cycle)
    } else if !isEnabled {
      standing = current
      due = nil
    }
  }

  mutating func setReload(_ value: UInt32, at cycle: UInt64) {
    reload = value & 0xFF_FFFF
    if isEnabled, due == nil { start(from: standing, at: cycle) }
  }

  /// Any write to SYST_CVR clears the count and COUNTFLAG.
  mutating func clear(at cycle: UInt64) {
    hasCounted = false
    standing = 0
    if isEnabled { start(from: 0, at: cycle) }
  }

  /// Acts on reaching zero. Returns whether the exception becomes pending.
  mutating func expire(at cycle: UInt64) -> Bool {
    guard let last = due, last <= cycle else { return false }
    hasCounted = true
    if reload == 0 {
      due = nil
      standing = 0
    } else {
      let period = UInt64(reload) + 1
      due = last + ((cycle - last) / period + 1) * period
    }
    return raisesException
  }

  private mutating func start(from value: UInt32, at cycle: UInt64) {
    if value > 0 {
      due = cycle &+ UInt64(value)
    } else {
      due = reload == 0 ? nil : cycle &+ UInt64(reload) &+ 1
    }
  }
}
