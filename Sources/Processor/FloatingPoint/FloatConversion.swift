/// Comparison and conversion (Armv7-M Architecture Reference Manual, A2.5, "FPCompare" to "FPToFixed").
extension FloatStatus {
  /// Sets N, Z, C and V. `isStrict` is VCMPE, which is invalid for every NaN.
  mutating func compare(_ a: UInt32, _ b: UInt32, isStrict: Bool) {
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    bits &= 0x0FFF_FFFF
    if x.isNaN || y.isNaN {
      bits |= 3 << 28
      if isStrict || x.kind == .signallingNaN || y.kind == .signallingNaN { raise(Self.invalid) }
      return
    }
    let (left, right) = (Self.ordered(x, a), Self.ordered(y, b))
    bits |= left == right ? 6 << 28 : left < right ? 8 << 28 : 2 << 28
  }

  /// A whole number that is ordered as the floating-point number is.
  private static func ordered(_ parts: FloatParts, _ value: UInt32) -> Int64 {
    if parts.kind == .zero { return 0 }
    let size = Int64(value & 0x7FFF_FFFF)
    return parts.isNegative ? -size : size
  }

  /// A fixed-point number of `width` bits with `fraction` of them behind the point; too large ones are saturated.
  mutating func toFixed(
    _ value: UInt32, width: Int, fraction: Int, isSigned: Bool, mode: Rounding
  ) -> UInt32 {
    let x = FloatParts(value, &self)
    let low: Int64 = isSigned ? -(1 << Int64(width - 1)) : 0
    let high: Int64 = (1 << Int64(isSigned ? width - 1 : width)) - 1
    if x.isNaN {
      raise(Self.invalid)
      return 0
    }
    if x.kind == .zero { return 0 }
    let shift = x.exponent + fraction
    if x.kind == .infinity || shift > 32 {
      raise(Self.invalid)
      return UInt32(truncatingIfNeeded: x.isNegative ? low : high)
    }
    let (kept, rest) = Self.split(x.significand, -shift)
    let roundsUp =
      switch mode {
      case .nearest: rest == .aboveHalf || rest == .half && kept & 1 != 0
      case .up: rest != .nothing && !x.isNegative
      case .down: rest != .nothing && x.isNegative
      case .zero: false
      }
    let size = Int64(kept) + (roundsUp ? 1 : 0)
    let result = x.isNegative ? -size : size
    if result < low || result > high {
      raise(Self.invalid)
      return UInt32(truncatingIfNeeded: min(max(result, low), high))
    }
    if rest != .nothing { raise(Self.inexact) }
    return UInt32(truncatingIfNeeded: result)
  }

  /// The floating-point number of a whole number with `fraction` bits behind the point.
  mutating func fromFixed(_ value: Int64, fraction: Int, mode: Rounding?) -> UInt32 {
    round(value < 0, value.magnitude, -fraction, mode: mode)
  }

  /// The single-precision number of a half-precision one.
  mutating func fromHalf(_ value: UInt32) -> UInt32 {
    let sign = (value & 0x8000) << 16
    let (field, fraction) = (value >> 10 & 0x1F, value & 0x3FF)
    if field == 0 {
      if fraction == 0 { return sign }
      return round(sign != 0, UInt64(fraction), -24)
    }
    if field == 31, !hasAlternativeHalf {
      if fraction == 0 { return sign | 0x7F80_0000 }
      if fraction >> 9 == 0 { raise(Self.invalid) }
      return usesDefaultNaN ? Self.defaultNaN : sign | 0x7FC0_0000 | fraction << 13
    }
    return sign | (field + 112) << 23 | fraction << 13
  }

  /// The half-precision number of a single-precision one.
  mutating func toHalf(_ value: UInt32) -> UInt32 {
    let x = FloatParts(value, &self)
    let sign: UInt32 = x.isNegative ? 0x8000 : 0
    switch x.kind {
    case .zero: return sign
    case .infinity:
      if !hasAlternativeHalf { return sign | 0x7C00 }
      raise(Self.invalid)
      return sign | 0x7FFF
    case .quietNaN, .signallingNaN:
      if hasAlternativeHalf || x.kind == .signallingNaN { raise(Self.invalid) }
      if hasAlternativeHalf { return sign }
      return usesDefaultNaN ? 0x7E00 : sign | 0x7E00 | value >> 13 & 0x1FF
    case .finite: return round(x.isNegative, x.significand, x.exponent, to: .half)
    }
  }
}
