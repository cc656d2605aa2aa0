/// Loads and stores of several registers: PUSH, POP, LDM and STM (Armv7-M Architecture Reference Manual, A5.3.5, A7.7.41,
/// A7.7.159).
extension Encoding {
  /// STMIA and LDMIA of low registers.
  func narrowMultiple() -> Operation {
    let (n, list) = (bits(8, 3), bits(0, 8))
    if list == 0 { return unpredictable }
    let writesBack = !bit(11) || list >> n & 1 == 0
    return multiple(n: n, list, isLoad: bit(11), isDecrementing: false, writesBack: writesBack)
  }

  func narrowPush() -> Operation {
    let list = bits(0, 8) | bits(8, 1) << 14
    return list == 0
      ? unpredictable : multiple(n: 13, list, isLoad: false, isDecrementing: true, writesBack: true)
  }

  func narrowPop() -> Operation {
    let list = bits(0, 8) | bits(8, 1) << 15
    if list == 0 || bit(8) && isInIT && !isLastInIT { return unpredictable }
    return multiple(n: 13, list, isLoad: true, isDecrementing: false, writesBack: true)
  }

  func wideMultiple() -> Operation {
    let list = bits(0, 16)
    let (isLoad, writesBack) = (bit(20), bit(21))
    guard bits(23, 2) == 1 || bits(23, 2) == 2 else { return undefined }
    let isForbidden =
      n == 15 || list.nonzeroBitCount < 2 || list >> 13 & 1 != 0 || writesBack && list >> n & 1 != 0
      || !isLoad && list >> 15 != 0 || list >> 14 == 3
      || list >> 15 != 0 && isInIT && !isLastInIT
    if isForbidden { return unpredictable }
    return multiple(n: n, list, isLoad: isLoad, isDecrementing: bits(23, 2) == 2, writesBack: writesBack)
  }

  private func multiple(
    n: UInt32, _ list: UInt32, isLoad: Bool, isDecrementing: Bool, writesBack: Bool
  ) -> Operation {
    let count = UInt32(list.nonzeroBitCount)
    var operation = Operation(
      n: n, m: count, a: (isDecrementing ? 1 : 0) | (writesBack ? 2 : 0), value: list,
      isLoad ? Handlers.loadMultiple : Handlers.storeMultiple)
    operation.endsBlock = isLoad && list >> 15 != 0
    return operation
  }
}

extension Handlers {
  static let loadMultiple: Handler = {
    let (c, o) = at($0, $1)
    let count = UInt32(o.m)
    let base = c[o.n]
    let start = o.a & 1 != 0 ? base &- count &* 4 : base
    var list = o.value & 0x7FFF
    var target: UInt32 = 0
    if var place = c.readableWords(start, count) {
      while list != 0 {
        c[UInt8(truncatingIfNeeded: list.trailingZeroBitCount)] = place.load(as: UInt32.self)
        place += 4
        list &= list &- 1
      }
      if o.value >> 15 != 0 { target = place.load(as: UInt32.self) }
    } else {
      guard let last = c.loadMultipleSlowly(start, o) else { return c.leaveBefore(o) }
      target = last
    }
    if o.a & 2 != 0 { c[o.n] = o.a & 1 != 0 ? start : base &+ count &* 4 }
    return o.value >> 15 != 0 ? c.branchExchange(o, to: target) : c.next(o)
  }

  static let storeMultiple: Handler = {
    let (c, o) = at($0, $1)
    let count = UInt32(o.m)
    let base = c[o.n]
    let start = o.a & 1 != 0 ? base &- count &* 4 : base
    var list = o.value
    var outcome = StoreOutcome.done
    if var place = c.writableWords(start, count) {
      while list != 0 {
        place.storeBytes(of: c[UInt8(truncatingIfNeeded: list.trailingZeroBitCount)], as: UInt32.self)
        place += 4
        list &= list &- 1
      }
    } else {
      outcome = c.storeMultipleSlowly(start, o)
      if outcome == .failed { return c.leaveBefore(o) }
    }
    if o.a & 2 != 0 { c[o.n] = o.a & 1 != 0 ? start : base &+ count &* 4 }
    return c.finish(outcome, o)
  }
}

extension Core {
  /// Loads one by one; nothing changes when one of them fails. Returns the last word loaded.
  @inline(never) fileprivate func loadMultipleSlowly(_ start: UInt32, _ o: Step) -> UInt32? {
    var values = SIMD16<UInt32>()
    for index in 0..<Int(o.m & 15) {
      guard let value = readWord(start &+ UInt32(index) * 4, o, isStrict: true) else { return nil }
      values[index] = value
    }
    var index = 0
    for register in 0..<15 where o.value >> UInt32(register) & 1 != 0 {
      self[UInt8(register)] = values[index]
      index += 1
    }
    return values[max(Int(o.m & 15) - 1, 0)]
  }

  @inline(never) fileprivate func storeMultipleSlowly(_ start: UInt32, _ o: Step) -> StoreOutcome {
    var outcome = StoreOutcome.done
    var address = start
    for register in 0..<15 where o.value >> UInt32(register) & 1 != 0 {
      switch writeWord(address, self[UInt8(register)], o, isStrict: true) {
      case .done: break
      case .leave: outcome = .leave
      case .failed: return .failed
      }
      address &+= 4
    }
    return outcome
  }
}
