import Timeline

/// Ticks of the recorder's operating system, 1024 a second of its own crystal, derived from the time of the world
/// in integers.
package struct Oscillator: Hashable, Sendable {
  /// Ticks in a second of a perfect crystal.
  static let ticksPerSecond: Int64 = 1024
  /// Nanoseconds of one tick times a thousand million: 10^18 / 1024.
  private static let scaledTickLength: UInt64 = 976_562_500_000_000

  /// How much faster the crystal swings than it should, in parts per billion.
  private(set) var partsPerBillion: Int64
  private var anchor: Instant
  private var anchorTick: Int64

  /// Starts counting at 0 at `instant`.
  init(partsPerBillion: Int64, startedAt instant: Instant) {
    self.partsPerBillion = Self.held(partsPerBillion)
    anchor = instant
    anchorTick = 0
  }

  /// Errors that a crystal may have, in parts per billion; beyond a tenth it is held there.
  package static let errors: ClosedRange<Int64> = -100_000_000...100_000_000

  private var rate: UInt64 { UInt64(1_000_000_000 + partsPerBillion) }

  /// Whole ticks counted at `instant`, which is not before the start.
  func tick(at instant: Instant) -> Int64 {
    let elapsed = instant.nanoseconds - anchor.nanoseconds
    // A perfect crystal needs no wide numbers: 1024 / 10^9 is 2 / 1,953,125.
    if partsPerBillion == 0 { return anchorTick + Int64(elapsed * 2 / 1_953_125) }
    let (product, overflow) = elapsed.multipliedReportingOverflow(by: rate)
    guard overflow else { return anchorTick + Int64(product / Self.scaledTickLength) }
    return anchorTick + Int64(UInt128(elapsed) * UInt128(rate) / UInt128(Self.scaledTickLength))
  }

  /// The first instant at which `tick` is counted; the start for ticks before the last change of the crystal.
  func instant(of tick: Int64) -> Instant {
    let ticks = UInt64(max(0, tick - anchorTick))
    if partsPerBillion == 0 { return anchor.advanced(byNanoseconds: (ticks * 1_953_125 + 1) / 2) }
    let (product, overflow) = ticks.multipliedReportingOverflow(by: Self.scaledTickLength)
    let (sum, carry) = product.addingReportingOverflow(rate - 1)
    guard overflow || carry else { return anchor.advanced(byNanoseconds: sum / rate) }
    let wide = (UInt128(ticks) * UInt128(Self.scaledTickLength) + UInt128(rate) - 1) / UInt128(rate)
    return anchor.advanced(byNanoseconds: UInt64(wide))
  }

  /// Changes the crystal's error; ticks counted so far stay.
  mutating func setError(partsPerBillion: Int64, at instant: Instant) {
    let tick = tick(at: instant)
    anchor = self.instant(of: tick)
    anchorTick = tick
    self.partsPerBillion = Self.held(partsPerBillion)
  }

  /// An error within bounds.
  static func held(_ partsPerBillion: Int64) -> Int64 {
    min(max(partsPerBillion, errors.lowerBound), errors.upperBound)
  }
}
