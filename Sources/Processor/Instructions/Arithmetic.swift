/// What data processing does with its two operands. Comparisons are subtractions, and tests are logical operations, whose
/// result goes to R15, which is nobody's inside a block.
enum DataOperation: UInt32 {
  case and = 0
  case bitClear = 1
  case or = 2
  case orNot = 3
  case exclusiveOr = 4
  case move = 5
  case moveNot = 6
  case multiply = 7
  case add = 8
  case addCarry = 10
  case subtractCarry = 11
  case subtract = 13
  case reverseSubtract = 14
}

/// How the carry flag follows a logical operation with an immediate operand.
private enum CarryRule {
  static let unchanged: UInt32 = 0
  static let clear: UInt32 = 1
  static let set: UInt32 = 2
}

extension Encoding {
  /// An operation on a register and a constant. `carry` is what an expanded constant leaves, if it was rotated.
  func dataImmediate(
    _ operation: DataOperation, d: UInt32, n: UInt32, _ value: UInt32, setsFlags: Bool, carry: UInt32? = nil
  ) -> Operation {
    if d == 13 { return toStack(operation, n: n, value, setsFlags: setsFlags) }
    let rule = carry.map { $0 == 0 ? CarryRule.clear : CarryRule.set } ?? CarryRule.unchanged
    switch (operation, setsFlags) {
    case (.add, false): return Operation(d: d, n: n, value: value, Handlers.addImmediate)
    case (.subtract, false): return Operation(d: d, n: n, value: 0 &- value, Handlers.addImmediate)
    case (.add, true): return Operation(d: d, n: n, value: value, Handlers.addImmediateFlags)
    case (.subtract, true): return Operation(d: d, n: n, value: ~value, Handlers.subtractImmediateFlags)
    case (.move, false): return Operation(d: d, value: value, Handlers.moveImmediate)
    case (.move, true) where carry == nil: return Operation(d: d, value: value, Handlers.moveImmediateFlags)
    case (.and, false): return Operation(d: d, n: n, value: value, Handlers.andImmediate)
    case (.bitClear, false): return Operation(d: d, n: n, value: ~value, Handlers.andImmediate)
    case (.or, false): return Operation(d: d, n: n, value: value, Handlers.orImmediate)
    case (.exclusiveOr, false): return Operation(d: d, n: n, value: value, Handlers.exclusiveOrImmediate)
    case (_, false):
      return Operation(d: d, n: n, a: operation.rawValue, value: value, Handlers.dataImmediate)
    case (_, true):
      return Operation(d: d, n: n, m: rule, a: operation.rawValue, value: value, Handlers.dataImmediateFlags)
    }
  }

  /// An operation on two registers.
  func dataRegister(_ operation: DataOperation, d: UInt32, n: UInt32, m: UInt32, setsFlags: Bool) -> Operation {
    if d == 13 { return dataShifted(operation, d: d, n: n, m: m, (0, 0), setsFlags: setsFlags) }
    let handler: Handler? =
      switch (operation, setsFlags) {
      case (.add, false): Handlers.addRegister
      case (.add, true): Handlers.addRegisterFlags
      case (.subtract, false): Handlers.subtractRegister
      case (.subtract, true): Handlers.subtractRegisterFlags
      case (.move, false): Handlers.move
      case (.move, true): Handlers.moveFlags
      case (.and, false): Handlers.andRegister
      case (.and, true): Handlers.andRegisterFlags
      case (.or, false): Handlers.orRegister
      case (.or, true): Handlers.orRegisterFlags
      case (.exclusiveOr, false): Handlers.exclusiveOrRegister
      case (.exclusiveOr, true): Handlers.exclusiveOrRegisterFlags
      default: nil
      }
    if let handler { return Operation(d: d, n: n, m: m, handler) }
    return dataShifted(operation, d: d, n: n, m: m, (0, 0), setsFlags: setsFlags)
  }

  /// An operation on a register and a shifted one.
  func dataShifted(
    _ operation: DataOperation, d: UInt32, n: UInt32, m: UInt32, _ shift: (type: UInt32, amount: UInt32),
    setsFlags: Bool
  ) -> Operation {
    if d == 13 {
      return Operation(
        n: n, m: m, a: operation.rawValue, value: shift.amount | shift.type << 8,
        setsFlags ? Handlers.shiftedToStackFlags : Handlers.shiftedToStack)
    }
    if operation == .add, !setsFlags, shift.type == 0 {
      return Operation(d: d, n: n, m: m, value: shift.amount, Handlers.addShiftedLeft)
    }
    return Operation(
      d: d, n: n, m: m, a: operation.rawValue, value: shift.amount | shift.type << 8,
      setsFlags ? Handlers.dataShiftedFlags : Handlers.dataShifted)
  }

  /// An operation whose result goes to SP, where the two low bits are always 0.
  private func toStack(_ operation: DataOperation, n: UInt32, _ value: UInt32, setsFlags: Bool) -> Operation {
    Operation(
      n: n, a: operation.rawValue, value: value,
      setsFlags ? Handlers.immediateToStackFlags : Handlers.immediateToStack)
  }
}

extension Core {
  /// Any of the operations, without flags.
  @inline(__always) fileprivate func compute(_ operation: UInt8, _ a: UInt32, _ b: UInt32) -> UInt32 {
    switch DataOperation(rawValue: UInt32(operation)) {
    case .and: a & b
    case .bitClear: a & ~b
    case .or: a | b
    case .orNot: a | ~b
    case .exclusiveOr: a ^ b
    case .move: b
    case .moveNot: ~b
    case .multiply: a &* b
    case .add: a &+ b
    case .addCarry: a &+ b &+ carry
    case .subtractCarry: a &+ ~b &+ carry
    case .subtract: a &- b
    case .reverseSubtract, nil: b &- a
    }
  }

  /// Any of the operations, with flags; logical ones leave `carryOut`.
  @inline(__always) fileprivate func computeWithFlags(
    _ operation: UInt8, _ a: UInt32, _ b: UInt32, _ carryOut: UInt32
  ) -> UInt32 {
    switch DataOperation(rawValue: UInt32(operation)) {
    case .add: return addWithFlags(a, b, 0)
    case .addCarry: return addWithFlags(a, b, carry)
    case .subtractCarry: return addWithFlags(a, ~b, carry)
    case .subtract: return addWithFlags(a, ~b, 1)
    case .reverseSubtract: return addWithFlags(b, ~a, 1)
    default:
      let result = compute(operation, a, b)
      setNZ(result)
      carry = carryOut
      return result
    }
  }
}

extension Handlers {
  static let dataImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.compute(o.a, c[o.n], o.value)
    return c.next(o)
  }
  static let dataImmediateFlags: Handler = {
    let (c, o) = at($0, $1)
    let carry = o.m == 0 ? c.carry : UInt32(o.m) &- 1
    c[o.d] = c.computeWithFlags(o.a, c[o.n], o.value, carry)
    return c.next(o)
  }
  static let dataShifted: Handler = {
    let (c, o) = at($0, $1)
    let operand = Shift.by(o.value >> 8, c[o.m], o.value & 0xFF, c.carry).value
    c[o.d] = c.compute(o.a, c[o.n], operand)
    return c.next(o)
  }
  static let dataShiftedFlags: Handler = {
    let (c, o) = at($0, $1)
    let (operand, carry) = Shift.by(o.value >> 8, c[o.m], o.value & 0xFF, c.carry)
    c[o.d] = c.computeWithFlags(o.a, c[o.n], operand, carry)
    return c.next(o)
  }

  static let immediateToStack: Handler = {
    let (c, o) = at($0, $1)
    c[13] = c.compute(o.a, c[o.n], o.value) & ~3
    return c.next(o)
  }
  static let immediateToStackFlags: Handler = {
    let (c, o) = at($0, $1)
    c[13] = c.computeWithFlags(o.a, c[o.n], o.value, c.carry) & ~3
    return c.next(o)
  }
  static let shiftedToStack: Handler = {
    let (c, o) = at($0, $1)
    let operand = Shift.by(o.value >> 8, c[o.m], o.value & 0xFF, c.carry).value
    c[13] = c.compute(o.a, c[o.n], operand) & ~3
    return c.next(o)
  }
  static let shiftedToStackFlags: Handler = {
    let (c, o) = at($0, $1)
    let (operand, carry) = Shift.by(o.value >> 8, c[o.m], o.value & 0xFF, c.carry)
    c[13] = c.computeWithFlags(o.a, c[o.n], operand, carry) & ~3
    return c.next(o)
  }

  static let addImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] &+ o.value
    return c.next(o)
  }
  static let addImmediateFlags: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.addWithFlags(c[o.n], o.value, 0)
    return c.next(o)
  }
  /// The constant is inverted already.
  static let subtractImmediateFlags: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.addWithFlags(c[o.n], o.value, 1)
    return c.next(o)
  }
  static let moveImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = o.value
    return c.next(o)
  }
  static let moveImmediateFlags: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = o.value
    c.setNZ(o.value)
    return c.next(o)
  }
  static let andImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] & o.value
    return c.next(o)
  }
  static let orImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] | o.value
    return c.next(o)
  }
  static let exclusiveOrImmediate: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] ^ o.value
    return c.next(o)
  }

  static let addRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] &+ c[o.m]
    return c.next(o)
  }
  static let addRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.addWithFlags(c[o.n], c[o.m], 0)
    return c.next(o)
  }
  static let addShiftedLeft: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] &+ c[o.m] << o.value
    return c.next(o)
  }
  static let subtractRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] &- c[o.m]
    return c.next(o)
  }
  static let subtractRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.addWithFlags(c[o.n], ~c[o.m], 1)
    return c.next(o)
  }
  static let andRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] & c[o.m]
    return c.next(o)
  }
  static let andRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.n] & c[o.m]
    c[o.d] = value
    c.setNZ(value)
    return c.next(o)
  }
  static let orRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] | c[o.m]
    return c.next(o)
  }
  static let orRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.n] | c[o.m]
    c[o.d] = value
    c.setNZ(value)
    return c.next(o)
  }
  static let exclusiveOrRegister: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] ^ c[o.m]
    return c.next(o)
  }
  static let exclusiveOrRegisterFlags: Handler = {
    let (c, o) = at($0, $1)
    let value = c[o.n] ^ c[o.m]
    c[o.d] = value
    c.setNZ(value)
    return c.next(o)
  }
}
