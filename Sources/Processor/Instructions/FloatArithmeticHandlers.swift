extension Core {
  /// Whether floating point may be used; makes its context active (ExecuteFPCheck).
  @inline(__always) func canFloat() -> Bool {
    if context.pointee.state.control & 4 != 0, context.pointee.state.system.coprocessorAccess == 0x00F0_0000 {
      return true
    }
    return startFloating()
  }

  @inline(never) private func startFloating() -> Bool {
    let access = context.pointee.state.system.coprocessorAccess >> 20 & 3
    guard access == 3 || access == 1 && isPrivileged else { return false }
    if context.pointee.state.control & 4 == 0, context.pointee.state.system.floatContextControl >> 31 != 0 {
      context.pointee.state.control |= 4
      let defaults = context.pointee.state.system.floatDefaults
      context.pointee.state.fpscr = context.pointee.state.fpscr & ~0x07C0_0000 | defaults
    }
    return true
  }

  @inline(never) func noCoprocessor(_ o: Step) { fail(.noCoprocessor, o) }

  /// Computes with FPSCR, and keeps its flags.
  @inline(__always) func withStatus(_ body: (inout FloatStatus) -> UInt32) -> UInt32 {
    var status = FloatStatus(bits: context.pointee.state.fpscr)
    let result = body(&status)
    context.pointee.state.fpscr = status.bits
    return result
  }
}

private let signBit: UInt32 = 0x8000_0000

extension Handlers {
  static let noCoprocessor: Handler = { core, step in Core(core).noCoprocessor(Step(step)) }

  static let floatAdd: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.withStatus { $0.add(c.float(o.n), c.float(o.m)) })
    return c.next(o)
  }
  static let floatSubtract: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.withStatus { $0.subtract(c.float(o.n), c.float(o.m)) })
    return c.next(o)
  }
  /// VMUL and VNMUL.
  static let floatMultiply: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let product = c.withStatus { $0.multiply(c.float(o.n), c.float(o.m)) }
    c.setFloat(o.d, o.a != 0 ? product ^ signBit : product)
    return c.next(o)
  }
  static let floatDivide: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.withStatus { $0.divide(c.float(o.n), c.float(o.m)) })
    return c.next(o)
  }
  /// VMLA and VMLS, rounded twice.
  static let floatMultiplyAdd: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let result = c.withStatus { status in
      let product = status.multiply(c.float(o.n), c.float(o.m))
      return status.add(c.float(o.d), o.a != 0 ? product ^ signBit : product)
    }
    c.setFloat(o.d, result)
    return c.next(o)
  }
  /// VNMLA and VNMLS, rounded twice.
  static let floatNegatedMultiplyAdd: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let result = c.withStatus { status in
      let product = status.multiply(c.float(o.n), c.float(o.m))
      return status.add(c.float(o.d) ^ signBit, o.a != 0 ? product ^ signBit : product)
    }
    c.setFloat(o.d, result)
    return c.next(o)
  }
  /// VFMA and VFMS, rounded once.
  static let floatFused: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let factor = o.a != 0 ? c.float(o.n) ^ signBit : c.float(o.n)
    c.setFloat(o.d, c.withStatus { $0.multiplyAdd(c.float(o.d), factor, c.float(o.m)) })
    return c.next(o)
  }
  /// VFNMA and VFNMS, rounded once.
  static let floatFusedNegated: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    let factor = o.a != 0 ? c.float(o.n) ^ signBit : c.float(o.n)
    c.setFloat(o.d, c.withStatus { $0.multiplyAdd(c.float(o.d) ^ signBit, factor, c.float(o.m)) })
    return c.next(o)
  }
  static let floatSquareRoot: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.withStatus { $0.squareRoot(c.float(o.m)) })
    return c.next(o)
  }
  static let floatAbsolute: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.float(o.m) & ~signBit)
    return c.next(o)
  }
  static let floatNegate: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.float(o.m) ^ signBit)
    return c.next(o)
  }
  static let floatMove: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, c.float(o.m))
    return c.next(o)
  }
  static let floatSetImmediate: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    c.setFloat(o.d, o.value)
    return c.next(o)
  }
  static let floatCompare: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    var status = FloatStatus(bits: c.context.pointee.state.fpscr)
    status.compare(c.float(o.d), c.float(o.m), isStrict: o.a != 0)
    c.context.pointee.state.fpscr = status.bits
    return c.next(o)
  }
  static let floatCompareZero: Handler = {
    let (c, o) = at($0, $1)
    guard c.canFloat() else { return c.noCoprocessor(o) }
    var status = FloatStatus(bits: c.context.pointee.state.fpscr)
    status.compare(c.float(o.d), 0, isStrict: o.a != 0)
    c.context.pointee.state.fpscr = status.bits
    return c.next(o)
  }
}
