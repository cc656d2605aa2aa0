import Timeline

/// Translates the world's time into cycles of the chip's crystal, 64 million a second of its own, and back.
struct CycleClock: Hashable, Sendable {
  private var anchor: Instant
  private var anchorCycle: UInt64
  private var partsPerBillion: Int64

  /// A clock that shows `cycle` at `instant`.
  init(partsPerBillion: Int64, at instant: Instant, cycle: UInt64) {
    self.partsPerBillion = min(max(partsPerBillion, -100_000_000), 100_000_000)
    anchor = instant
    anchorCycle = cycle
  }

  private var rate: UInt128 { UInt128(1_000_000_000 + partsPerBillion) }

  /// Whole cycles counted at an instant.
  func cycle(at instant: Instant) -> UInt64 {
    let elapsed = instant.nanoseconds - min(anchor.nanoseconds, instant.nanoseconds)
    if partsPerBillion == 0 { return anchorCycle + elapsed / 125 * 8 + elapsed % 125 * 8 / 125 }
    return anchorCycle + UInt64(UInt128(elapsed) * 8 * rate / (125 * 1_000_000_000))
  }

  /// The first instant at which a cycle is counted; the last instant that there is for cycles that no run reaches, of which
  /// a guest may ask for any.
  func instant(of cycle: UInt64) -> Instant {
    let cycles = UInt128(cycle - min(anchorCycle, cycle))
    let divisor = 8 * rate
    let left = UInt128(Int64.max) - min(UInt128(anchor.nanoseconds), UInt128(Int64.max))
    return anchor.advanced(byNanoseconds: UInt64(min(left, (cycles * 125 * 1_000_000_000 + divisor - 1) / divisor)))
  }

  /// Changes the crystal; cycles counted so far stay.
  mutating func setError(partsPerBillion: Int64, at instant: Instant) {
    self = CycleClock(partsPerBillion: partsPerBillion, at: instant, cycle: cycle(at: instant))
  }
}
