/// Shifts, with the carry that they leave (Armv7-M Architecture Reference Manual, A2.2.1). Amounts of registers go up to 255.
enum Shift {
  typealias Result = (value: UInt32, carry: UInt32)

  @inline(__always) static func left(_ value: UInt32, _ amount: UInt32, _ carry: UInt32) -> Result {
    if amount == 0 { return (value, carry) }
    let wide = UInt64(value) << UInt64(amount)
    return (UInt32(truncatingIfNeeded: wide), UInt32(truncatingIfNeeded: wide >> 32) & 1)
  }

  @inline(__always) static func right(_ value: UInt32, _ amount: UInt32, _ carry: UInt32) -> Result {
    if amount == 0 { return (value, carry) }
    let wide = (UInt64(value) << 1) >> UInt64(amount)
    return (UInt32(truncatingIfNeeded: wide >> 1), UInt32(truncatingIfNeeded: wide) & 1)
  }

  @inline(__always) static func arithmeticRight(_ value: UInt32, _ amount: UInt32, _ carry: UInt32) -> Result {
    if amount == 0 { return (value, carry) }
    let wide = (Int64(Int32(bitPattern: value)) << 1) >> Int64(min(amount, 63))
    return (UInt32(truncatingIfNeeded: wide >> 1), UInt32(truncatingIfNeeded: wide) & 1)
  }

  @inline(__always) static func rotate(_ value: UInt32, _ amount: UInt32, _ carry: UInt32) -> Result {
    if amount == 0 { return (value, carry) }
    let places = amount & 31
    let result = value >> places | value << ((32 &- places) & 31)
    return (result, result >> 31)
  }

  /// By type: 0 LSL, 1 LSR, 2 ASR, 3 ROR, 4 RRX.
  @inline(__always) static func by(_ type: UInt32, _ value: UInt32, _ amount: UInt32, _ carry: UInt32) -> Result {
    switch type {
    case 0: left(value, amount, carry)
    case 1: right(value, amount, carry)
    case 2: arithmeticRight(value, amount, carry)
    case 3: rotate(value, amount, carry)
    default: (value >> 1 | carry << 31, value & 1)
    }
  }

  /// Type and amount of an immediate shift (DecodeImmShift).
  static func decode(_ type: UInt32, _ amount: UInt32) -> (type: UInt32, amount: UInt32) {
    switch (type, amount) {
    case (1, 0), (2, 0): (type, 32)
    case (3, 0): (4, 1)
    default: (type, amount)
    }
  }
}

extension Encoding {
  /// LSL, LSR and ASR by an immediate amount.
  func narrowShift() -> Operation {
    let (type, amount) = Shift.decode(bits(11, 2), bits(6, 5))
    return shift(type, amount, d: bits(0, 3), m: bits(3, 3), setsFlags: setsFlags)
  }

  /// A shift by an immediate amount; MOV where the amount is 0.
  func shift(_ type: UInt32, _ amount: UInt32, d: UInt32, m: UInt32, setsFlags: Bool) -> Operation {
    let handler: Handler =
      switch (type, amount, setsFlags) {
      case (0, 0, true): Handlers.moveFlags
      case (0, 0, false): Handlers.move
      case (0, _, true): Handlers.shiftLeftFlags
      case (0, _, false): Handlers.shiftLeft
      case (1, _, true): Handlers.shiftRightFlags
      case (1, _, false): Handlers.shiftRight
      case (2, _, true): Handlers.shiftArithmeticFlags
      case (2, _, false): Handlers.shiftArithmetic
      case (_, _, true): Handlers.shiftAnyFlags
      case (_, _, false): Handlers.shiftAny
      }
    return Operation(d: d, m: m, a: type, value: amount, handler)
  }

  /// A shift by the low octet of a register.
  func shiftByRegister(_ type: UInt32, d: UInt32, n: UInt32, m: UInt32, setsFlags: Bool) -> Operation {
    Operation(
      d: d, n: n, m: m, a: type, setsFlags ? Handlers.shiftByRegisterFlags : Handlers.shiftByRegister)
  }
}

extension Handlers {
  static let shiftLeft: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m] << o.value
    return c.next(o)
  }
  static let shiftLeftFlags: Handler = {
    let (c, o) = at($0, $1)
    let (value, carry) = Shift.left(c[o.m], o.value, c.carry)
    return c.setShifted(o, value, carry)
  }
  static let shiftRight: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m] >> o.value
    return c.next(o)
  }
  static let shiftRightFlags: Handler = {
    let (c, o) = at($0, $1)
    let (value, carry) = Shift.right(c[o.m], o.value, c.carry)
    return c.setShifted(o, value, carry)
  }
  static let shiftArithmetic: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = Shift.arithmeticRight(c[o.m], o.value, 0).value
    return c.next(o)
  }
  static let shiftArithmeticFlags: Handler = {
    let (c, o) = at($0, $1)
    let (value, carry) = Shift.arithmeticRight(c[o.m], o.value, c.carry)
    return c.setShifted(o, value, carry)
  }
  static let shiftAny: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = Shift.by(UInt32(o.a), c[o.m], o.value, c.carry).value
    return c.next(o)
  }
  static let shiftAnyFlags: Handler = {
    let (c, o) = at($0, $1)
    let (value, carry) = Shift.by(UInt32(o.a), c[o.m], o.value, c.carry)
    return c.setShifted(o, value, carry)
  }
  static let shiftByRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = Shift.by(UInt32(o.a), c[o.n], c[o.m] & 0xFF, c.carry).value
    return c.next(o)
  }
  static let shiftByRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    let (value, carry) = Shift.by(UInt32(o.a), c[o.n], c[o.m] & 0xFF, c.carry)
    return c.setShifted(o, value, carry)
  }
  static let move: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.m]
    return c.next(o)
  }
  static let moveFlags: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.m]
    c[o.d] = value
    c.setNZ(value)
    return c.next(o)
  }
}

extension Core {
  @inline(__always) fileprivate func setShifted(_ o: Step, _ value: UInt32, _ carry: UInt32) {
    self[o.d] = value
    setNZ(value)
    self.carry = carry
    return next(o)
  }
}
