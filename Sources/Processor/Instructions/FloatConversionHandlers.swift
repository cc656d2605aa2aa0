extension Handlers {
  static let floatFromHalf: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let half = c.float(o.m) >> UInt32(o.a) & 0xFFFF
    c.setFloat(o.d, c.withStatus { $0.fromHalf(half) })
    return c.next(o)
  }
  static let floatToHalf: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let half = c.withStatus { $0.toHalf(c.float(o.m)) }
    c.setFloat(o.d, c.float(o.d) & ~(0xFFFF << UInt32(o.a)) | half << UInt32(o.a))
    return c.next(o)
  }
  static let floatFromInteger: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let value = o.a != 0 ? signed(c.float(o.m)) : Int64(c.float(o.m))
    c.setFloat(o.d, c.withStatus { $0.fromFixed(value, fraction: 0, mode: nil) })
    return c.next(o)
  }
  static let floatToInteger: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let result = c.withStatus { status in
      status.toFixed(
        c.float(o.m), width: 32, fraction: 0, isSigned: o.a & 1 != 0, mode: o.a & 2 != 0 ? .zero : status.rounding)
    }
    c.setFloat(o.d, result)
    return c.next(o)
  }
  static let floatToFixed: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let isSigned = o.a & 1 == 0
    let result = c.withStatus {
      $0.toFixed(c.float(o.d), width: Int(o.n), fraction: Int(o.value), isSigned: isSigned, mode: .zero)
    }
    let isExtended = isSigned && o.n == 16
    c.setFloat(o.d, isExtended ? UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: result))) : result)
    return c.next(o)
  }
  static let floatFromFixed: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let bits = c.float(o.d)
    let value: Int64 =
      switch (o.n, o.a & 1) {
      case (16, 0): Int64(Int16(truncatingIfNeeded: bits))
      case (16, _): Int64(bits & 0xFFFF)
      case (_, 0): signed(bits)
      default: Int64(bits)
      }
    c.setFloat(o.d, c.withStatus { $0.fromFixed(value, fraction: Int(o.value), mode: .nearest) })
    return c.next(o)
  }

  // MARK: Transfers

  static let floatToCore: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c[o.d] = c.float(o.n)
    return c.next(o)
  }
  static let floatFromCore: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.n, c[o.d])
    return c.next(o)
  }
  static let floatPairToCore: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c[o.d] = c.float(o.n)
    c[o.m] = c.float(o.n &+ 1)
    return c.next(o)
  }
  static let floatPairFromCore: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.n, c[o.d])
    c.setFloat(o.n &+ 1, c[o.m])
    return c.next(o)
  }
  static let floatReadStatus: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c[o.d] = c.context.pointee.state.fpscr
    return c.next(o)
  }
  static let floatWriteStatus: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.context.pointee.state.fpscr = c[o.d] & 0xF7C0_009F
    return c.next(o)
  }
  /// VMRS to the flags.
  static let floatFlags: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let flags = c.context.pointee.state.fpscr & 0xF000_0000
    c.context.pointee.state.applicationStatus = c.context.pointee.state.applicationStatus & 0x0FFF_FFFF | flags
    return c.next(o)
  }
  static let floatLoad: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let address = o.n == 15 ? o.value : c[o.n] &+ o.value
    guard let first = c.readWord(address, o, isStrict: true) else { return c.leaveBefore(o) }
    if o.m == 2 {
      guard let second = c.readWord(address &+ 4, o, isStrict: true) else { return c.leaveBefore(o) }
      c.setFloat(o.d &+ 1, second)
    }
    c.setFloat(o.d, first)
    return c.next(o)
  }
  static let floatStore: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    return c.storeFloats(o, c[o.n] &+ o.value)
  }
  static let floatLoadMultiple: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let base = c[o.n]
    let size = UInt32(o.m) &* 4
    let start = o.a & 1 != 0 ? base &- size : base
    var values = SIMD32<UInt32>()
    for index in 0..<Int(o.m & 31) + (o.m == 32 ? 32 : 0) {
      guard let value = c.readWord(start &+ UInt32(index) * 4, o, isStrict: true) else { return c.leaveBefore(o) }
      values[index] = value
    }
    for index in 0..<o.m { c.setFloat(o.d &+ index, values[Int(index & 31)]) }
    if o.a & 2 != 0 { c[o.n] = o.a & 1 != 0 ? start : base &+ size }
    return c.next(o)
  }
  static let floatStoreMultiple: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let base = c[o.n]
    let size = UInt32(o.m) &* 4
    let start = o.a & 1 != 0 ? base &- size : base
    return c.storeFloats(o, start) { if o.a & 2 != 0 { c[o.n] = o.a & 1 != 0 ? start : base &+ size } }
  }
}

extension Core {
  /// Stores as many registers as the operation says; `complete` is called when all of them were taken.
  fileprivate func storeFloats(
    _ o: Step, _ start: UInt32, complete: () -> Void = {}
  ) {
    var outcome = StoreOutcome.done
    for index in 0..<o.m {
      switch writeWord(start &+ UInt32(index) * 4, float(o.d &+ index), o, isStrict: true) {
      case .done: break
      case .leave: outcome = .leave
      case .failed: return leaveBefore(o)
      }
    }
    complete()
    return finish(outcome, o)
  }
}
