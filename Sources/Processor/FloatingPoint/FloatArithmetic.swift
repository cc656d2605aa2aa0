/// Arithmetic of single precision as the architecture defines it bit by bit, with its flags (Armv7-M Architecture
/// Reference Manual, A2.5, "FPAdd" to "FPSqrt").
extension FloatStatus {
  mutating func add(_ a: UInt32, _ b: UInt32) -> UInt32 {
    if isPlain {
      let result = Float(bitPattern: a) + Float(bitPattern: b)
      if Self.isSafe(result) { return result.bitPattern }
    }
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    if let result = nan(x, a, y, b) { return result }
    switch (x.kind, y.kind) {
    case (.infinity, .infinity): return x.isNegative == y.isNegative ? a : invalid()
    case (.infinity, _): return a
    case (_, .infinity): return b
    case (.zero, .zero) where x.isNegative == y.isNegative: return x.isNegative ? 0x8000_0000 : 0
    default: return sum(Self.wide(x), Self.wide(y))
    }
  }

  mutating func subtract(_ a: UInt32, _ b: UInt32) -> UInt32 {
    if isPlain {
      let result = Float(bitPattern: a) - Float(bitPattern: b)
      if Self.isSafe(result) { return result.bitPattern }
    }
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    if let result = nan(x, a, y, b) { return result }
    return add(a, b ^ 0x8000_0000)
  }

  mutating func multiply(_ a: UInt32, _ b: UInt32) -> UInt32 {
    if isPlain {
      let result = Float(bitPattern: a) * Float(bitPattern: b)
      if Self.isSafe(result) { return result.bitPattern }
    }
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    if let result = nan(x, a, y, b) { return result }
    let isNegative = x.isNegative != y.isNegative
    switch (x.kind, y.kind) {
    case (.infinity, .zero), (.zero, .infinity): return invalid()
    case (.infinity, _), (_, .infinity): return isNegative ? 0xFF80_0000 : 0x7F80_0000
    case (.zero, _), (_, .zero): return isNegative ? 0x8000_0000 : 0
    default: return round(isNegative, x.significand * y.significand, x.exponent + y.exponent)
    }
  }

  mutating func divide(_ a: UInt32, _ b: UInt32) -> UInt32 {
    if isPlain {
      let result = Float(bitPattern: a) / Float(bitPattern: b)
      if Self.isSafe(result) { return result.bitPattern }
    }
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    if let result = nan(x, a, y, b) { return result }
    let isNegative = x.isNegative != y.isNegative
    switch (x.kind, y.kind) {
    case (.infinity, .infinity), (.zero, .zero): return invalid()
    case (.infinity, _): return isNegative ? 0xFF80_0000 : 0x7F80_0000
    case (_, .zero):
      raise(Self.divisionByZero)
      return isNegative ? 0xFF80_0000 : 0x7F80_0000
    case (.zero, _), (_, .infinity): return isNegative ? 0x8000_0000 : 0
    default:
      let (quotient, remainder) = (x.significand << 38).quotientAndRemainder(dividingBy: y.significand)
      return round(isNegative, quotient | (remainder == 0 ? 0 : 1), x.exponent - y.exponent - 38)
    }
  }

  mutating func squareRoot(_ a: UInt32) -> UInt32 {
    let x = FloatParts(a, &self)
    if x.isNaN { return quiet(x, a) }
    if x.kind == .zero { return x.isNegative ? 0x8000_0000 : 0 }
    if x.isNegative { return invalid() }
    if x.kind == .infinity { return a }
    let isOdd = x.exponent & 1 != 0
    let radicand = x.significand << (isOdd ? 39 : 38)
    let (root, isExact) = Self.integerRoot(radicand)
    return round(false, root << 1 | (isExact ? 0 : 1), (x.exponent - (isOdd ? 39 : 38)) / 2 - 1)
  }

  /// addend + a × b, rounded once.
  mutating func multiplyAdd(_ addend: UInt32, _ a: UInt32, _ b: UInt32) -> UInt32 {
    let z = FloatParts(addend, &self)
    let (x, y) = (FloatParts(a, &self), FloatParts(b, &self))
    let isZeroTimesInfinity = (x.kind, y.kind) == (.zero, .infinity) || (x.kind, y.kind) == (.infinity, .zero)
    if z.kind == .quietNaN, isZeroTimesInfinity { return invalid() }
    if let result = nan(z, addend, x, a, y, b) { return result }
    let isNegative = x.isNegative != y.isNegative
    let isInfinite = x.kind == .infinity || y.kind == .infinity
    let isZero = x.kind == .zero || y.kind == .zero
    if isZeroTimesInfinity || z.kind == .infinity && isInfinite && z.isNegative != isNegative { return invalid() }
    if z.kind == .infinity { return addend }
    if isInfinite { return isNegative ? 0xFF80_0000 : 0x7F80_0000 }
    if isZero, z.kind == .zero, isNegative == z.isNegative { return isNegative ? 0x8000_0000 : 0 }
    let product = Wide(isNegative, isZero ? 0 : UInt128(x.significand * y.significand), x.exponent + y.exponent)
    return sum(Self.wide(z), product)
  }

  // MARK: Sums

  /// A number with bits to spare on both sides.
  struct Wide {
    var isNegative: Bool
    var significand: UInt128
    var exponent: Int

    /// Brings the highest bit to position 125, or leaves it at 126 where a sum has carried.
    init(_ isNegative: Bool, _ significand: UInt128, _ exponent: Int) {
      let shift = significand == 0 ? 0 : max(0, significand.leadingZeroBitCount - 2)
      self.isNegative = isNegative
      self.significand = significand << UInt128(shift)
      self.exponent = exponent - shift
    }
  }

  private static func wide(_ parts: FloatParts) -> Wide {
    Wide(parts.isNegative, UInt128(parts.significand), parts.exponent)
  }

  /// Adds exactly, then rounds once. An exact zero is negative only when rounding down.
  private mutating func sum(_ a: Wide, _ b: Wide) -> UInt32 {
    if a.significand == 0, b.significand == 0, a.isNegative != b.isNegative {
      return rounding == .down ? 0x8000_0000 : 0
    }
    if a.significand == 0 { return narrow(b) }
    if b.significand == 0 { return narrow(a) }
    let (large, small) = a.exponent >= b.exponent ? (a, b) : (b, a)
    let shift = large.exponent - small.exponent
    var aligned: UInt128 = shift < 127 ? small.significand >> UInt128(shift) : 0
    if shift >= 127 || aligned << UInt128(shift) != small.significand { aligned |= 1 }
    if large.isNegative == small.isNegative {
      return narrow(Wide(large.isNegative, large.significand + aligned, large.exponent))
    }
    if large.significand == aligned { return rounding == .down ? 0x8000_0000 : 0 }
    let isLarger = large.significand > aligned
    let difference = isLarger ? large.significand - aligned : aligned - large.significand
    return narrow(Wide(isLarger ? large.isNegative : small.isNegative, difference, large.exponent))
  }

  private mutating func narrow(_ value: Wide) -> UInt32 {
    let rest: UInt64 = UInt64(truncatingIfNeeded: value.significand) != 0 ? 1 : 0
    return round(value.isNegative, UInt64(truncatingIfNeeded: value.significand >> 64) | rest, value.exponent + 64)
  }

  private static func integerRoot(_ value: UInt64) -> (root: UInt64, isExact: Bool) {
    var (rest, root, bit): (UInt64, UInt64, UInt64) = (value, 0, 1 << 62)
    while bit != 0 {
      if rest >= root + bit {
        rest -= root + bit
        root = root >> 1 + bit
      } else {
        root >>= 1
      }
      bit >>= 2
    }
    return (root, rest == 0)
  }

  // MARK: NaN

  mutating func invalid() -> UInt32 {
    raise(Self.invalid)
    return Self.defaultNaN
  }

  /// The result for an operand that is not a number (FPProcessNaN).
  mutating func quiet(_ parts: FloatParts, _ value: UInt32) -> UInt32 {
    if parts.kind == .signallingNaN { raise(Self.invalid) }
    return usesDefaultNaN ? Self.defaultNaN : value | 0x0040_0000
  }

  /// The result if one of two operands is not a number: the first signalling one, else the first quiet one.
  private mutating func nan(_ x: FloatParts, _ a: UInt32, _ y: FloatParts, _ b: UInt32) -> UInt32? {
    if x.kind == .signallingNaN { return quiet(x, a) }
    if y.kind == .signallingNaN { return quiet(y, b) }
    if x.isNaN { return quiet(x, a) }
    return y.isNaN ? quiet(y, b) : nil
  }

  private mutating func nan(
    _ x: FloatParts, _ a: UInt32, _ y: FloatParts, _ b: UInt32, _ z: FloatParts, _ c: UInt32
  ) -> UInt32? {
    if x.kind == .signallingNaN { return quiet(x, a) }
    if y.kind == .signallingNaN { return quiet(y, b) }
    if z.kind == .signallingNaN { return quiet(z, c) }
    if x.isNaN { return quiet(x, a) }
    return nan(y, b, z, c)
  }
}
