/// FPSCR while an operation is computed: how to round, and what was met (Armv7-M Architecture Reference Manual, A2.5.3).
struct FloatStatus {
  var bits: UInt32

  enum Rounding: UInt32 {
    case nearest = 0
    case up = 1
    case down = 2
    case zero = 3
  }

  static let invalid: UInt32 = 1 << 0
  static let divisionByZero: UInt32 = 1 << 1
  static let overflow: UInt32 = 1 << 2
  static let underflow: UInt32 = 1 << 3
  static let inexact: UInt32 = 1 << 4
  static let denormalInput: UInt32 = 1 << 7

  static let defaultNaN: UInt32 = 0x7FC0_0000

  var rounding: Rounding { Rounding(rawValue: bits >> 22 & 3) ?? .nearest }
  var flushesToZero: Bool { bits >> 24 & 1 != 0 }
  var usesDefaultNaN: Bool { bits >> 25 & 1 != 0 }
  var hasAlternativeHalf: Bool { bits >> 26 & 1 != 0 }

  mutating func raise(_ flags: UInt32) { bits |= flags }

  /// Whether the machine's own arithmetic gives the same as the long way: rounding to nearest, nothing flushed, and
  /// inexactness noted already, so that a normal result raises nothing new.
  @inline(__always) var isPlain: Bool { bits & 0x03C0_0010 == 0x10 }

  /// Whether a result of the machine's arithmetic may be taken: far enough from zero, infinity and NaN.
  @inline(__always) static func isSafe(_ result: Float) -> Bool {
    let exponent = result.bitPattern >> 23 & 0xFF
    return exponent > 1 && exponent < 254
  }
}

/// A single-precision number taken apart.
struct FloatParts {
  enum Kind {
    case zero
    case finite
    case infinity
    case quietNaN
    case signallingNaN
  }

  var kind: Kind
  var isNegative: Bool
  /// The value is significand times two to the power of exponent; bit 23 of the significand is set.
  var exponent = 0
  var significand: UInt64 = 0

  /// Takes a number apart; with FZ, denormal numbers become zero and raise IDC.
  init(_ bits: UInt32, _ status: inout FloatStatus) {
    isNegative = bits >> 31 != 0
    let (field, fraction) = (bits >> 23 & 0xFF, bits & 0x7F_FFFF)
    switch (field, fraction) {
    case (0, 0): kind = .zero
    case (0, _) where status.flushesToZero:
      kind = .zero
      status.raise(FloatStatus.denormalInput)
    case (0, _):
      kind = .finite
      let shift = fraction.leadingZeroBitCount - 8
      significand = UInt64(fraction) << UInt64(shift)
      exponent = -149 - shift
    case (255, 0): kind = .infinity
    case (255, _): kind = fraction >> 22 != 0 ? .quietNaN : .signallingNaN
    default:
      kind = .finite
      significand = UInt64(fraction | 0x80_0000)
      exponent = Int(field) - 150
    }
  }

  var isNaN: Bool { kind == .quietNaN || kind == .signallingNaN }
}

extension FloatStatus {
  /// Rounds significand times two to the power of exponent to a format, by default single precision (FPRound). The lowest
  /// bit of the significand may stand for everything below it.
  mutating func round(
    _ isNegative: Bool, _ significand: UInt64, _ exponent: Int, mode: Rounding? = nil, to format: FloatFormat = .single
  ) -> UInt32 {
    let sign: UInt32 = isNegative ? 1 << (format.width - 1) : 0
    if significand == 0 { return sign }
    let mode = mode ?? rounding
    let zeros = significand.leadingZeroBitCount
    let normal = significand << UInt64(zeros)
    let power = exponent - zeros + 63
    let isTiny = power < format.lowest
    if isTiny, flushesToZero, format.width == 32 {
      raise(Self.underflow)
      return sign
    }
    let (kept, rest) = Self.split(normal, 63 - Int(format.fraction) + (isTiny ? format.lowest - power : 0))
    let isOdd = kept & 1 != 0
    let roundsUp =
      switch mode {
      case .nearest: rest == .aboveHalf || rest == .half && isOdd
      case .up: rest != .nothing && !isNegative
      case .down: rest != .nothing && isNegative
      case .zero: false
      }
    let base = isTiny ? 0 : UInt64(max(power - format.lowest, 0)) << UInt64(format.fraction)
    let packed = base + kept + (roundsUp ? 1 : 0)
    if packed >> UInt64(format.fraction) >= format.exponents(status: self) {
      return overflowed(sign, mode, format)
    }
    if rest != .nothing { raise(isTiny ? Self.inexact | Self.underflow : Self.inexact) }
    return sign | UInt32(truncatingIfNeeded: packed)
  }

  private mutating func overflowed(_ sign: UInt32, _ mode: Rounding, _ format: FloatFormat) -> UInt32 {
    if format.width == 16, hasAlternativeHalf {
      raise(Self.invalid)
      return sign | 0x7FFF
    }
    raise(Self.overflow | Self.inexact)
    let infinity = UInt32(format.exponents(status: self)) << format.fraction
    let isInfinite = mode == .nearest || mode == (sign == 0 ? .up : .down)
    return sign | (isInfinite ? infinity : infinity - 1)
  }

  enum Rest {
    case nothing
    case belowHalf
    case half
    case aboveHalf
  }

  /// A number without its lowest bits, and how these compare to half of the last place kept.
  static func split(_ value: UInt64, _ bits: Int) -> (kept: UInt64, rest: Rest) {
    if bits <= 0 { return (value << UInt64(-bits), .nothing) }
    if bits > 64 { return (0, value == 0 ? .nothing : .belowHalf) }
    let kept = bits == 64 ? 0 : value >> UInt64(bits)
    let rest = bits == 64 ? value : value & (1 << UInt64(bits) - 1)
    let half: UInt64 = 1 << UInt64(bits - 1)
    return (kept, rest == 0 ? .nothing : rest < half ? .belowHalf : rest == half ? .half : .aboveHalf)
  }
}

/// The sizes of a format's fields.
struct FloatFormat {
  let width: UInt32
  let fraction: UInt32
  /// The exponent of the smallest normal number.
  let lowest: Int

  static let single = FloatFormat(width: 32, fraction: 23, lowest: -126)
  static let half = FloatFormat(width: 16, fraction: 10, lowest: -14)

  /// The first exponent field that no finite number has. Alternative half precision has no infinities.
  func exponents(status: FloatStatus) -> UInt64 {
    width == 32 ? 255 : status.hasAlternativeHalf ? 32 : 31
  }
}
