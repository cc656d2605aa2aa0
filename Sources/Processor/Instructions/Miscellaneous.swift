/// The 16-bit instructions of Armv7-M Architecture Reference Manual, A5.2.5: stack, extension, reversal, CPS, hints, IT.
extension Encoding {
  func narrowMiscellaneous() -> Operation {
    let (d, m) = (bits(0, 3), bits(3, 3))
    switch bits(8, 4) {
    case 0:
      return dataImmediate(bit(7) ? .subtract : .add, d: 13, n: 13, bits(0, 7) * 4, setsFlags: false)
    case 1, 3, 9, 11: return compareAndBranch()
    case 2: return Operation(d: d, m: m, narrowExtension())
    case 4, 5: return narrowPush()
    case 6: return bits(5, 3) == 3 ? changeState() : undefined
    case 10:
      switch bits(6, 2) {
      case 0: return Operation(d: d, m: m, Handlers.reverseOctets)
      case 1: return Operation(d: d, m: m, Handlers.reverseInHalfwords)
      case 3: return Operation(d: d, m: m, Handlers.reverseSignedHalfword)
      default: return undefined
      }
    case 12, 13: return narrowPop()
    case 14: return Operation(value: bits(0, 8), Handlers.breakpoint)
    case 15: return bits(0, 4) == 0 ? hint(bits(4, 4)) : ifThen()
    default: return undefined
    }
  }

  private func narrowExtension() -> Handler {
    switch bits(6, 2) {
    case 0: Handlers.extendSignedHalfword
    case 1: Handlers.extendSignedByte
    case 2: Handlers.extendHalfword
    default: Handlers.extendByte
    }
  }

  /// NOP, YIELD, WFE, WFI and SEV; what is reserved does nothing.
  func hint(_ number: UInt32) -> Operation {
    switch number {
    case 2: Operation(Handlers.waitForEvent)
    case 3: Operation(Handlers.waitForInterrupt)
    case 4: Operation(Handlers.sendEvent)
    default: Operation(Handlers.nothing)
    }
  }

  /// IT itself does nothing: the decoder lets the instructions behind it know.
  private func ifThen() -> Operation {
    let (condition, mask) = (bits(4, 4), bits(0, 4))
    if isInIT || condition == 15 || condition == 14 && mask.nonzeroBitCount != 1 { return unpredictable }
    return Operation(Handlers.nothing)
  }

  private func changeState() -> Operation {
    if isInIT || bits(0, 2) == 0 || bit(2) || bit(3) { return unpredictable }
    return Operation(n: bits(0, 2), value: bits(4, 1), Handlers.changeState)
  }
}

extension Handlers {
  static let extendSignedHalfword: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: c[o.m])))
    return c.next(o)
  }
  static let extendSignedByte: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: c[o.m])))
    return c.next(o)
  }
  static let extendHalfword: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m] & 0xFFFF
    return c.next(o)
  }
  static let extendByte: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m] & 0xFF
    return c.next(o)
  }
  static let reverseOctets: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m].byteSwapped
    return c.next(o)
  }
  static let reverseInHalfwords: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.m]
    c[o.d] = value >> 8 & 0x00FF_00FF | value << 8 & 0xFF00_FF00
    return c.next(o)
  }
  static let reverseSignedHalfword: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: c[o.m]).byteSwapped))
    return c.next(o)
  }
}
