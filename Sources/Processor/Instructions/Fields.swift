/// Bit fields and saturation to a number of bits (Armv7-M Architecture Reference Manual, A5.3.3).
extension Encoding {
  private var lowBit: UInt32 { bits(12, 3) << 2 | bits(6, 2) }

  /// SBFX and UBFX.
  func extractField() -> Operation {
    let width = bits(0, 5) + 1
    if isBad(d, n) || lowBit + width > 32 || bit(26) { return unpredictable }
    return Operation(
      d: d, n: n, m: 32 - lowBit - width, value: 32 - width,
      bit(23) ? Handlers.extractField : Handlers.extractSignedField)
  }

  /// BFI and BFC.
  func insertField() -> Operation {
    let top = bits(0, 5)
    if isBad(d) || n == 13 || top < lowBit || bit(26) { return unpredictable }
    let mask = (UInt32.max >> (31 - (top - lowBit))) << lowBit
    return n == 15
      ? Operation(d: d, n: d, value: ~mask, Handlers.andImmediate)
      : Operation(d: d, n: n, a: lowBit, value: mask, Handlers.insertField)
  }

  /// SSAT, USAT, SSAT16 and USAT16.
  func saturate() -> Operation {
    if isBad(d, n) || bit(26) { return unpredictable }
    let isUnsigned = bit(23)
    let width = isUnsigned ? bits(0, 5) : bits(0, 5) + 1
    if bit(21), lowBit == 0 {
      if bits(4, 2) != 0 { return unpredictable }
      return Operation(
        d: d, n: n, value: width, isUnsigned ? Handlers.saturateHalvesUnsigned : Handlers.saturateHalves)
    }
    let shift = Shift.decode(bit(21) ? 2 : 0, lowBit)
    return Operation(
      d: d, n: n, m: shift.amount, a: shift.type, value: width,
      isUnsigned ? Handlers.saturateUnsigned : Handlers.saturate)
  }
}

extension Core {
  /// A number held between two limits; notes in Q when it had to be.
  @inline(__always) func clamp(_ value: Int64, _ low: Int64, _ high: Int64) -> UInt32 {
    if value < low {
      setSaturated()
      return UInt32(truncatingIfNeeded: low)
    }
    if value > high {
      setSaturated()
      return UInt32(truncatingIfNeeded: high)
    }
    return UInt32(truncatingIfNeeded: value)
  }

  @inline(__always) func clampSigned(_ value: Int64, _ width: UInt32) -> UInt32 {
    let high: Int64 = 1 << Int64(width &- 1)
    return clamp(value, 0 &- high, high &- 1)
  }

  @inline(__always) func clampUnsigned(_ value: Int64, _ width: UInt32) -> UInt32 {
    clamp(value, 0, (1 << Int64(width)) &- 1)
  }
}

extension Handlers {
  static let extractField: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = (c[o.n] << UInt32(o.m)) >> o.value
    return c.next(o)
  }
  static let extractSignedField: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = UInt32(bitPattern: Int32(bitPattern: c[o.n] << UInt32(o.m)) >> Int32(bitPattern: o.value))
    return c.next(o)
  }
  static let insertField: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.d] & ~o.value | c[o.n] << UInt32(o.a) & o.value
    return c.next(o)
  }
  static let saturate: Handler = {
    let (c, o) = at($0, $1)
    let value = Int32(bitPattern: Shift.by(UInt32(o.a), c[o.n], UInt32(o.m), 0).value)
    c[o.d] = c.clampSigned(Int64(value), o.value)
    return c.next(o)
  }
  static let saturateUnsigned: Handler = {
    let (c, o) = at($0, $1)
    let value = Int32(bitPattern: Shift.by(UInt32(o.a), c[o.n], UInt32(o.m), 0).value)
    c[o.d] = c.clampUnsigned(Int64(value), o.value)
    return c.next(o)
  }
  static let saturateHalves: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.n]
    let low = c.clampSigned(Int64(Halfwords.low(value)), o.value) & 0xFFFF
    c[o.d] = low | c.clampSigned(Int64(Halfwords.high(value)), o.value) << 16
    return c.next(o)
  }
  static let saturateHalvesUnsigned: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.n]
    let low = c.clampUnsigned(Int64(Halfwords.low(value)), o.value)
    c[o.d] = low | c.clampUnsigned(Int64(Halfwords.high(value)), o.value) << 16
    return c.next(o)
  }
  static let saturatingAdd: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.clampSigned(signed(c[o.m]) &+ signed(c[o.n]), 32)
    return c.next(o)
  }
  static let saturatingSubtract: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.clampSigned(signed(c[o.m]) &- signed(c[o.n]), 32)
    return c.next(o)
  }
  static let saturatingDoubleAdd: Handler = {
    let (c, o) = at($0, $1)
    let double = signed(c.clampSigned(signed(c[o.n]) &* 2, 32))
    c[o.d] = c.clampSigned(signed(c[o.m]) &+ double, 32)
    return c.next(o)
  }
  static let saturatingDoubleSubtract: Handler = {
    let (c, o) = at($0, $1)
    let double = signed(c.clampSigned(signed(c[o.n]) &* 2, 32))
    c[o.d] = c.clampSigned(signed(c[o.m]) &- double, 32)
    return c.next(o)
  }
}

/// A word as a signed number that does not overflow.
@inline(__always) func signed(_ word: UInt32) -> Int64 { Int64(Int32(bitPattern: word)) }
