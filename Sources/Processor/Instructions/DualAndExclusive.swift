/// LDRD, STRD, exclusive accesses and table branches (Armv7-M Architecture Reference Manual, A5.3.6).
extension Encoding {
  func wideDualOrExclusive() -> Operation {
    let (isBefore, writesBack) = (bit(24), bit(21))
    if isBefore || writesBack { return dual(isBefore: isBefore, writesBack: writesBack) }
    if !bit(23) { return exclusiveWord() }
    switch (bit(20), bits(4, 4)) {
    case (true, 0), (true, 1): return tableBranch()
    case (false, 4), (false, 5):
      let status = bits(0, 4)
      if isBad(t, status) || n == 15 || status == n || status == t || d != 15 { return unpredictable }
      return Operation(d: status, n: n, m: t, a: bits(4, 4) - 4, Handlers.storeExclusive)
    case (true, 4), (true, 5):
      if isBad(t) || n == 15 || d != 15 || m != 15 { return unpredictable }
      return Operation(d: t, n: n, a: bits(4, 4) - 4, Handlers.loadExclusive)
    default: return undefined
    }
  }

  private func exclusiveWord() -> Operation {
    let offset = bits(0, 8) * 4
    if bit(20) {
      if isBad(t) || n == 15 || d != 15 { return unpredictable }
      return Operation(d: t, n: n, a: 2, value: offset, Handlers.loadExclusive)
    }
    if isBad(t, d) || n == 15 || d == n || d == t { return unpredictable }
    return Operation(d: d, n: n, m: t, a: 2, value: offset, Handlers.storeExclusive)
  }

  private func dual(isBefore: Bool, writesBack: Bool) -> Operation {
    let offset = bit(23) ? bits(0, 8) * 4 : 0 &- bits(0, 8) * 4
    if isBad(t, d) || bit(20) && t == d || writesBack && (n == t || n == d || n == 15) { return unpredictable }
    if n == 15 {
      if !bit(20) { return unpredictable }
      return Operation(d: t, m: d, value: alignedProgramCounter &+ offset, Handlers.loadDualAbsolute)
    }
    return Operation(
      d: t, n: n, m: d, a: (isBefore ? 1 : 0) | (writesBack ? 2 : 0), value: offset,
      bit(20) ? Handlers.loadDual : Handlers.storeDual)
  }
}

extension Handlers {
  static let loadDual: Handler = {
    let (c, o) = at($0, $1)
    let (base, indexed) = (c[o.n], c[o.n] &+ o.value)
    let address = o.a & 1 != 0 ? indexed : base
    guard let first = c.readWord(address, o, isStrict: true),
      let second = c.readWord(address &+ 4, o, isStrict: true)
    else { return c.leaveBefore(o) }
    c[o.d] = first
    c[o.m] = second
    if o.a & 2 != 0 { c[o.n] = o.n == 13 ? indexed & ~3 : indexed }
    return c.next(o)
  }
  static let loadDualAbsolute: Handler = {
    let (c, o) = at($0, $1)
    guard let first = c.readWord(o.value, o, isStrict: true),
      let second = c.readWord(o.value &+ 4, o, isStrict: true)
    else { return c.leaveBefore(o) }
    c[o.d] = first
    c[o.m] = second
    return c.next(o)
  }
  static let storeDual: Handler = {
    let (c, o) = at($0, $1)
    let (base, indexed) = (c[o.n], c[o.n] &+ o.value)
    let address = o.a & 1 != 0 ? indexed : base
    let first = c.writeWord(address, c[o.d], o, isStrict: true)
    if first == .failed { return c.leaveBefore(o) }
    let second = c.writeWord(address &+ 4, c[o.m], o, isStrict: true)
    if second == .failed { return c.leaveBefore(o) }
    if o.a & 2 != 0 { c[o.n] = o.n == 13 ? indexed & ~3 : indexed }
    return c.finish(first == .leave ? .leave : second, o)
  }

  // The monitor of a Cortex-M4 holds no address: any exclusive store after an exclusive load matches it (Cortex-M4
  // Technical Reference Manual, 2.4, "Exclusive monitor").
  static let loadExclusive: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    let width: UInt32 = 1 << UInt32(o.a)
    if address & (width &- 1) != 0 { return c.fail(.unaligned, o, address) }
    guard let value = c.load(o.a, address, o) else { return c.leaveBefore(o) }
    c[o.d] = value
    c.context.pointee.state.isExclusive = true
    return c.next(o)
  }
  static let storeExclusive: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    let width: UInt32 = 1 << UInt32(o.a)
    if address & (width &- 1) != 0 { return c.fail(.unaligned, o, address) }
    guard c.context.pointee.state.isExclusive else {
      c[o.d] = 1
      return c.next(o)
    }
    let outcome = c.store(o.a, address, c[o.m], o)
    if outcome == .failed { return c.leaveBefore(o) }
    c.context.pointee.state.isExclusive = false
    c[o.d] = 0
    return c.finish(outcome, o)
  }
  static let clearExclusive: Handler = {
    let (c, o) = at($0, $1)
    c.context.pointee.state.isExclusive = false
    return c.next(o)
  }
}
