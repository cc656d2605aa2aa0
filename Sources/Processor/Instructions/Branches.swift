/// Branches (Armv7-M Architecture Reference Manual, A7.7, B to BX, CBZ, TBB).
extension Encoding {
  /// Whether a branch may stand here: outside of IT blocks, or last in one.
  private var mayBranch: Bool { !isInIT || isLastInIT }

  func narrowConditionalBranch() -> Operation {
    switch bits(8, 4) {
    case 14: return undefined
    case 15: return supervisorCall()
    default:
      if isInIT { return unpredictable }
      return conditionalBranch(bits(8, 4), to: programCounter &+ signed(0, 8) &* 2)
    }
  }

  func narrowBranch() -> Operation {
    bit(11)
      ? undefined
      : mayBranch ? always(Operation(value: programCounter &+ signed(0, 11) &* 2, Handlers.branch)) : unpredictable
  }

  func compareAndBranch() -> Operation {
    if isInIT { return unpredictable }
    let target = programCounter &+ (bits(9, 1) << 6 | bits(3, 5) << 1)
    return Operation(
      n: bits(0, 3), value: target, bit(11) ? Handlers.branchIfNotZero : Handlers.branchIfZero)
  }

  /// BX and BLX.
  func branchExchange(_ m: UInt32) -> Operation {
    if bits(0, 3) != 0 || !mayBranch || m == 15 { return unpredictable }
    if bit(7) { return always(Operation(m: m, Handlers.branchLinkExchange)) }
    return always(Operation(m: m, Handlers.branchExchange))
  }

  /// MOV PC.
  func branchTo(_ m: UInt32) -> Operation {
    m == 15
      ? always(Operation(value: programCounter, Handlers.branch))
      : always(Operation(m: m, value: 0, Handlers.branchRegister))
  }

  /// ADD PC.
  func branchAdding(_ m: UInt32) -> Operation {
    always(Operation(m: m, value: programCounter, Handlers.branchRegister))
  }

  /// B, BL and conditional B with 32 bits.
  func wideBranch() -> Operation {
    let (sign, first, second) = (bits(26, 1), bits(13, 1), bits(11, 1))
    if !bit(12), !bit(14) {
      if isInIT { return unpredictable }
      let offset = sign &* 0xFFF0_0000 | second << 19 | first << 18 | bits(16, 6) << 12 | bits(0, 11) << 1
      return conditionalBranch(bits(22, 4), to: programCounter &+ offset)
    }
    if !mayBranch { return unpredictable }
    let offset =
      sign &* 0xFF00_0000 | (first ^ sign ^ 1) << 23 | (second ^ sign ^ 1) << 22 | bits(16, 10) << 12 | bits(0, 11) << 1
    return always(
      Operation(value: programCounter &+ offset, bit(14) ? Handlers.branchLink : Handlers.branch))
  }

  /// TBB and TBH.
  func tableBranch() -> Operation {
    if !mayBranch || n == 13 || isBad(m) || t != 15 || d != 0 { return unpredictable }
    // R15 is nobody's inside a block, so the table's address goes there when the base is PC.
    return always(
      Operation(n: n, m: m, value: programCounter, bit(4) ? Handlers.tableBranchHalfword : Handlers.tableBranchByte))
  }

  private func always(_ operation: Operation) -> Operation {
    var operation = operation
    operation.endsBlock = true
    return operation
  }

  private func conditionalBranch(_ condition: UInt32, to target: UInt32) -> Operation {
    let handler: Handler =
      switch condition {
      case 0: Handlers.branchEqual
      case 1: Handlers.branchNotEqual
      case 2: Handlers.branchCarry
      case 3: Handlers.branchNoCarry
      case 4: Handlers.branchMinus
      case 5: Handlers.branchPlus
      case 8: Handlers.branchHigher
      case 9: Handlers.branchLowerOrSame
      case 10: Handlers.branchGreaterOrEqual
      case 11: Handlers.branchLess
      case 12: Handlers.branchGreater
      case 13: Handlers.branchLessOrEqual
      default: Handlers.branchConditional
      }
    return Operation(a: condition, value: target, handler)
  }
}

extension Handlers {
  static let branch: Handler = {
    let (c, o) = at($0, $1)
    return c.leave(o, to: o.value)
  }
  static let branchLink: Handler = {
    let (c, o) = at($0, $1)
    c[14] = o.following | 1
    return c.leave(o, to: o.value)
  }
  static let branchExchange: Handler = {
    let (c, o) = at($0, $1)
    return c.branchExchange(o, to: c[o.m])
  }
  static let branchLinkExchange: Handler = {
    let (c, o) = at($0, $1)
    let target = c[o.m]
    c[14] = o.following | 1
    return c.branchInterworking(o, to: target)
  }
  static let branchRegister: Handler = {
    let (c, o) = at($0, $1)
    return c.leave(o, to: (c[o.m] &+ o.value) & ~1)
  }
  static let branchIfZero: Handler = {
    let (c, o) = at($0, $1)
    return c[o.n] == 0 ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchIfNotZero: Handler = {
    let (c, o) = at($0, $1)
    return c[o.n] != 0 ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchConditional: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(o.a) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchEqual: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(0) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchNotEqual: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(1) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchCarry: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(2) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchNoCarry: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(3) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchMinus: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(4) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchPlus: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(5) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchHigher: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(8) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchLowerOrSame: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(9) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchGreaterOrEqual: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(10) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchLess: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(11) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchGreater: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(12) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let branchLessOrEqual: Handler = {
    let (c, o) = at($0, $1)
    return c.holds(13) ? c.leave(o, to: o.value) : c.next(o)
  }
  static let tableBranchByte: Handler = {
    let (c, o) = at($0, $1)
    let base = o.n == 15 ? o.value : c[o.n]
    guard let distance = c.readByte(base &+ c[o.m], o) else { return c.leaveBefore(o) }
    return c.leave(o, to: o.value &+ distance &* 2)
  }
  static let tableBranchHalfword: Handler = {
    let (c, o) = at($0, $1)
    let base = o.n == 15 ? o.value : c[o.n]
    guard let distance = c.readHalfword(base &+ c[o.m] &* 2, o) else { return c.leaveBefore(o) }
    return c.leave(o, to: o.value &+ distance &* 2)
  }
}
