/// Data processing of registers with 32 bits: shifts by registers, extension, reversal, CLZ, SEL (Armv7-M Architecture
/// Reference Manual, A5.3.12, A5.3.15).
extension Encoding {
  func wideRegister() -> Operation {
    if t != 15 { return undefined }
    if !bit(23) {
      if bits(4, 4) == 0 {
        return isBad(d, n, m)
          ? unpredictable : shiftByRegister(bits(21, 2), d: d, n: n, m: m, setsFlags: bit(20))
      }
      return bit(7) ? wideExtension() : undefined
    }
    if bits(6, 2) == 0 || bits(6, 2) == 1 { return parallel() }
    if bits(6, 2) == 2 { return wideMiscellaneous() }
    return undefined
  }

  private func wideExtension() -> Operation {
    guard bits(20, 3) <= 5, !bit(6) else { return undefined }
    if isBad(d, m) || n == 13 { return unpredictable }
    // R15 is nobody's inside a block; without an addend the handler adds nothing.
    return Operation(d: d, n: n, m: m, a: bits(20, 3), value: bits(4, 2) * 8, Handlers.extendAndAdd)
  }

  private func wideMiscellaneous() -> Operation {
    if isBad(d, n, m) { return unpredictable }
    switch (bits(20, 3), bits(4, 2)) {
    case (0, 0): return Operation(d: d, n: n, m: m, Handlers.saturatingAdd)
    case (0, 1): return Operation(d: d, n: n, m: m, Handlers.saturatingDoubleAdd)
    case (0, 2): return Operation(d: d, n: n, m: m, Handlers.saturatingSubtract)
    case (0, 3): return Operation(d: d, n: n, m: m, Handlers.saturatingDoubleSubtract)
    case (2, 0): return Operation(d: d, n: n, m: m, Handlers.select)
    case _ where n != m: return bits(20, 3) == 1 || (bits(20, 3), bits(4, 2)) == (3, 0) ? unpredictable : undefined
    case (1, 0): return Operation(d: d, m: m, Handlers.reverseOctets)
    case (1, 1): return Operation(d: d, m: m, Handlers.reverseInHalfwords)
    case (1, 2): return Operation(d: d, m: m, Handlers.reverseBits)
    case (1, 3): return Operation(d: d, m: m, Handlers.reverseSignedHalfword)
    case (3, 0): return Operation(d: d, m: m, Handlers.countLeadingZeros)
    default: return undefined
    }
  }

  /// PKHBT and PKHTB.
  func packHalfwords() -> Operation {
    if bit(20) || bit(4) { return undefined }
    if isBad(d, n, m) { return unpredictable }
    let shift = Shift.decode(bits(4, 2), bits(12, 3) << 2 | bits(6, 2))
    return Operation(
      d: d, n: n, m: m, value: shift.amount, bit(5) ? Handlers.packTopBottom : Handlers.packBottomTop)
  }
}

extension Handlers {
  static let extendAndAdd: Handler = {
    let (c, o) = at($0, $1)
    let value = Shift.rotate(c[o.m], o.value, 0).value
    let addend = o.n == 15 ? 0 : c[o.n]
    let (low, high) = (value & 0xFF, value >> 16 & 0xFF)
    c[o.d] =
      switch o.a {
      case 0: addend &+ UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: value)))
      case 1: addend &+ value & 0xFFFF
      case 2: Halfwords.add(addend, Halfwords.extended(low), Halfwords.extended(high))
      case 3: Halfwords.add(addend, low, high)
      case 4: addend &+ UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: value)))
      default: addend &+ value & 0xFF
      }
    return c.next(o)
  }
  static let reverseBits: Handler = {
    let (c, o) = at($0, $1)
    var value = c[o.m].byteSwapped
    value = value >> 4 & 0x0F0F_0F0F | value << 4 & 0xF0F0_F0F0
    value = value >> 2 & 0x3333_3333 | value << 2 & 0xCCCC_CCCC
    c[o.d] = value >> 1 & 0x5555_5555 | value << 1 & 0xAAAA_AAAA
    return c.next(o)
  }
  static let countLeadingZeros: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = UInt32(c[o.m].leadingZeroBitCount)
    return c.next(o)
  }
  static let select: Handler = {
    let (c, o) = at($0, $1)
    let flags = c.context.pointee.state.greaterEqual
    let mask =
      (flags & 1) &* 0xFF | (flags >> 1 & 1) &* 0xFF00 | (flags >> 2 & 1) &* 0xFF_0000
      | (flags >> 3 & 1) &* 0xFF00_0000
    c[o.d] = c[o.n] & mask | c[o.m] & ~mask
    return c.next(o)
  }
  static let packBottomTop: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] & 0xFFFF | (c[o.m] << o.value) & 0xFFFF_0000
    return c.next(o)
  }
  static let packTopBottom: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] & 0xFFFF_0000 | Shift.arithmeticRight(c[o.m], o.value, 0).value & 0xFFFF
    return c.next(o)
  }
}

/// Arithmetic on the two halves of a word.
enum Halfwords {
  /// The sign-extended octet as a half-word.
  @inline(__always) static func extended(_ octet: UInt32) -> UInt32 {
    UInt32(UInt16(bitPattern: Int16(Int8(truncatingIfNeeded: octet))))
  }

  /// Adds to each half on its own.
  @inline(__always) static func add(_ word: UInt32, _ low: UInt32, _ high: UInt32) -> UInt32 {
    (word &+ low) & 0xFFFF | (word >> 16 &+ high) << 16
  }

  /// The lower half as a signed number.
  @inline(__always) static func low(_ word: UInt32) -> Int32 { Int32(Int16(truncatingIfNeeded: word)) }

  /// The upper half as a signed number.
  @inline(__always) static func high(_ word: UInt32) -> Int32 { Int32(bitPattern: word) >> 16 }
}
