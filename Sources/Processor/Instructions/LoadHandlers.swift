extension Handlers {
  static let loadWord: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    guard let value = c.memoryWord(at: address) else { return c.loadSlowly(2, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadHalfword: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    guard let value = c.memoryHalfword(at: address) else { return c.loadSlowly(1, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadByte: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    guard let value = c.memoryByte(at: address) else { return c.loadSlowly(0, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadSignedHalfword: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.load(5, c[o.n] &+ o.value, o) else { return c.leaveBefore(o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadSignedByte: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.load(4, c[o.n] &+ o.value, o) else { return c.leaveBefore(o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadCounterOffset: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.readWord(c[o.n] &+ o.value, o) else { return c.leaveBefore(o) }
    return c.setLoaded(o, value)
  }
  static let loadStackOffset: Handler = loadCounterOffset

  static let loadWordRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    guard let value = c.memoryWord(at: address) else { return c.loadSlowly(2, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadByteRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    guard let value = c.memoryByte(at: address) else { return c.loadSlowly(0, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadHalfwordRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    guard let value = c.memoryHalfword(at: address) else { return c.loadSlowly(1, address, o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadSignedByteRegister: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.load(4, c[o.n] &+ c[o.m] << UInt32(o.a), o) else { return c.leaveBefore(o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadSignedHalfwordRegister: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.load(5, c[o.n] &+ c[o.m] << UInt32(o.a), o) else { return c.leaveBefore(o) }
    c[o.d] = value
    return c.next(o)
  }
  static let loadCounterRegister: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.readWord(c[o.n] &+ c[o.m] << UInt32(o.a), o) else { return c.leaveBefore(o) }
    return c.setLoaded(o, value)
  }
  static let loadStackRegister: Handler = loadCounterRegister

  /// The less common loads with a register as offset.
  static func loadRegister(_ kind: AccessKind) -> Handler {
    switch kind {
    case .signedByte: loadSignedByteRegister
    case .signedHalfword: loadSignedHalfwordRegister
    case .halfword: loadHalfwordRegister
    case .byte: loadByteRegister
    case .word: loadWordRegister
    }
  }

  static let loadAbsolute: Handler = {
    let (c, o) = at($0, $1)
    guard let value = c.load(o.a, o.value, o) else { return c.leaveBefore(o) }
    return c.setLoaded(o, value)
  }
  static let loadIndexed: Handler = {
    let (c, o) = at($0, $1)
    let (base, indexed) = (c[o.n], c[o.n] &+ o.value)
    guard let value = c.load(o.a, o.m != 0 ? indexed : base, o) else { return c.leaveBefore(o) }
    c[o.n] = o.n == 13 ? indexed & ~3 : indexed
    return c.setLoaded(o, value)
  }
  static let loadUnprivileged: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    if address >> 20 == 0xE00 { return c.fail(.unprivileged, o, address) }
    guard let value = c.load(o.a, address, o) else { return c.leaveBefore(o) }
    c[o.d] = value
    return c.next(o)
  }
}

extension Handlers {
  static let storeWord: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    return c.setMemoryWord(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(2, address, o)
  }
  static let storeHalfword: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    return c.setMemoryHalfword(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(1, address, o)
  }
  static let storeByte: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    return c.setMemoryByte(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(0, address, o)
  }
  static let storeWordRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    return c.setMemoryWord(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(2, address, o)
  }
  static let storeHalfwordRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    return c.setMemoryHalfword(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(1, address, o)
  }
  static let storeByteRegister: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ c[o.m] << UInt32(o.a)
    return c.setMemoryByte(at: address, c[o.d]) ? c.next(o) : c.storeSlowly(0, address, o)
  }
  static let storeIndexed: Handler = {
    let (c, o) = at($0, $1)
    let (base, indexed) = (c[o.n], c[o.n] &+ o.value)
    let outcome = c.store(o.a, o.m != 0 ? indexed : base, c[o.d], o)
    if outcome != .failed { c[o.n] = o.n == 13 ? indexed & ~3 : indexed }
    return c.finish(outcome, o)
  }
  static let storeUnprivileged: Handler = {
    let (c, o) = at($0, $1)
    let address = c[o.n] &+ o.value
    if address >> 20 == 0xE00 { return c.fail(.unprivileged, o, address) }
    return c.finish(c.store(o.a, address, c[o.d], o), o)
  }
}

extension Core {
  /// Does what a load's handler does, wherever the address lies. Called last, it costs the common case no register.
  @inline(never) fileprivate func loadSlowly(_ kind: UInt8, _ address: UInt32, _ o: Step) {
    guard let value = load(kind, address, o) else { return leaveBefore(o) }
    self[o.d] = value
    return next(o)
  }

  /// Does what a store's handler does, wherever the address lies.
  @inline(never) fileprivate func storeSlowly(_ kind: UInt8, _ address: UInt32, _ o: Step) {
    finish(store(kind, address, self[o.d], o), o)
  }
}
