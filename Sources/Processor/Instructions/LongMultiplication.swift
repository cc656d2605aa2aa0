/// Multiplication with a result of 64 bits, and division (Armv7-M Architecture Reference Manual, A5.3.17).
extension Encoding {
  func wideLongMultiply() -> Operation {
    let code = bits(4, 4)
    let (low, high) = (t, d)
    let isDivision = bits(20, 3) == 1 || bits(20, 3) == 3
    if isBad(d, n, m) || !isDivision && (isBad(t) || low == high) || isDivision && t != 15 {
      return unpredictable
    }
    func with(_ handler: @escaping Handler) -> Operation {
      Operation(d: low, n: n, m: m, a: high, value: code, handler)
    }
    switch (bits(20, 3), code) {
    case (0, 0): return with(Handlers.multiplyLong)
    case (1, 15): return Operation(d: d, n: n, m: m, Handlers.divide)
    case (2, 0): return with(Handlers.multiplyLongUnsigned)
    case (3, 15): return Operation(d: d, n: n, m: m, Handlers.divideUnsigned)
    case (4, 0): return with(Handlers.multiplyAddLong)
    case (4, 8...11): return with(Handlers.multiplyAddLongHalves)
    case (4, 12...13): return with(Handlers.multiplyAddLongDual)
    case (5, 12...13): return with(Handlers.multiplySubtractLongDual)
    case (6, 0): return with(Handlers.multiplyAddLongUnsigned)
    case (6, 6): return with(Handlers.multiplyAddAddLong)
    default: return undefined
    }
  }
}

extension Core {
  /// The pair of registers that holds the result, as one number.
  @inline(__always) fileprivate func pair(_ o: Step) -> UInt64 { UInt64(self[o.a]) << 32 | UInt64(self[o.d]) }

  @inline(__always) fileprivate func setPair(_ o: Step, _ value: UInt64) {
    self[o.d] = UInt32(truncatingIfNeeded: value)
    self[o.a] = UInt32(truncatingIfNeeded: value >> 32)
    return next(o)
  }

  /// What a division by zero does: a fault with CCR.DIV_0_TRP, otherwise the result is 0.
  @inline(never) fileprivate func divideByZero(_ o: Step) {
    if context.pointee.state.system.configuration & 0x10 != 0 { return fail(.divideByZero, o) }
    self[o.d] = 0
    return next(o)
  }
}

extension Handlers {
  static let multiplyLong: Handler = {
    let (c, o) = at($0, $1)
    return c.setPair(o, UInt64(bitPattern: signed(c[o.n]) &* signed(c[o.m])))
  }
  static let multiplyLongUnsigned: Handler = {
    let (c, o) = at($0, $1)
    return c.setPair(o, UInt64(c[o.n]) &* UInt64(c[o.m]))
  }
  static let multiplyAddLong: Handler = {
    let (c, o) = at($0, $1)
    return c.setPair(o, c.pair(o) &+ UInt64(bitPattern: signed(c[o.n]) &* signed(c[o.m])))
  }
  static let multiplyAddLongUnsigned: Handler = {
    let (c, o) = at($0, $1)
    return c.setPair(o, c.pair(o) &+ UInt64(c[o.n]) &* UInt64(c[o.m]))
  }
  /// UMAAL.
  static let multiplyAddAddLong: Handler = {
    let (c, o) = at($0, $1)
    return c.setPair(o, UInt64(c[o.n]) &* UInt64(c[o.m]) &+ UInt64(c[o.a]) &+ UInt64(c[o.d]))
  }
  /// SMLALxy.
  static let multiplyAddLongHalves: Handler = {
    let (c, o) = at($0, $1)
    let product = half(c[o.n], o.value & 2 != 0) &* half(c[o.m], o.value & 1 != 0)
    return c.setPair(o, c.pair(o) &+ UInt64(bitPattern: product))
  }
  /// SMLALD.
  static let multiplyAddLongDual: Handler = {
    let (c, o) = at($0, $1)
    let (low, high) = products(c[o.n], c[o.m], o.value & 1 != 0)
    return c.setPair(o, c.pair(o) &+ UInt64(bitPattern: low &+ high))
  }
  /// SMLSLD.
  static let multiplySubtractLongDual: Handler = {
    let (c, o) = at($0, $1)
    let (low, high) = products(c[o.n], c[o.m], o.value & 1 != 0)
    return c.setPair(o, c.pair(o) &+ UInt64(bitPattern: low &- high))
  }
  static let divide: Handler = {
    let (c, o) = at($0, $1)
    let divisor = signed(c[o.m])
    if divisor == 0 { return c.divideByZero(o) }
    c[o.d] = UInt32(truncatingIfNeeded: signed(c[o.n]) / divisor)
    return c.next(o)
  }
  static let divideUnsigned: Handler = {
    let (c, o) = at($0, $1)
    let divisor = c[o.m]
    if divisor == 0 { return c.divideByZero(o) }
    c[o.d] = c[o.n] / divisor
    return c.next(o)
  }
}
