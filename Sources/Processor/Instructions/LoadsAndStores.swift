/// What a load or store moves.
enum AccessKind: UInt32 {
  case byte = 0
  case halfword = 1
  case word = 2
  case signedByte = 4
  case signedHalfword = 5
}

/// Loads and stores of one register (Armv7-M Architecture Reference Manual, A5.2.4, A5.3.7 to A5.3.10).
extension Encoding {
  func narrowRegisterOffset() -> Operation {
    let (t, n, m) = (bits(0, 3), bits(3, 3), bits(6, 3))
    let kinds: [(AccessKind, isLoad: Bool)] = [
      (.word, false), (.halfword, false), (.byte, false), (.signedByte, true),
      (.word, true), (.halfword, true), (.byte, true), (.signedHalfword, true),
    ]
    let (kind, isLoad) = kinds[Int(bits(9, 3))]
    return Operation(d: t, n: n, m: m, Self.registerHandler(kind, isLoad: isLoad))
  }

  func narrowImmediateOffset() -> Operation {
    let (t, n, offset) = (bits(0, 3), bits(3, 3), bits(6, 5))
    return switch bits(12, 4) {
    case 6: offsetAccess(.word, isLoad: bit(11), t: t, n: n, offset * 4)
    case 7: offsetAccess(.byte, isLoad: bit(11), t: t, n: n, offset)
    default: offsetAccess(.halfword, isLoad: bit(11), t: t, n: n, offset * 2)
    }
  }

  func narrowStackOffset() -> Operation {
    offsetAccess(.word, isLoad: bit(11), t: bits(8, 3), n: 13, bits(0, 8) * 4)
  }

  /// A load from a place relative to PC: a constant, where memory is read-only.
  func literalLoad(t: UInt32, offset: UInt32, kind: AccessKind) -> Operation {
    let address = alignedProgramCounter &+ offset
    if kind == .word, t != 15, t != 13, let value = constants.word(address) {
      return Operation(d: t, value: value, Handlers.moveImmediate)
    }
    // R15 is nobody's inside a block: it serves as a base of 0.
    return Operation(d: t, a: kind.rawValue, value: address, Handlers.loadAbsolute)
  }

  private func offsetAccess(
    _ kind: AccessKind, isLoad: Bool, t: UInt32, n: UInt32, _ offset: UInt32
  ) -> Operation {
    if t == 15 || t == 13 && isLoad {
      return Operation(d: t, n: n, value: offset, t == 15 ? Handlers.loadCounterOffset : Handlers.loadStackOffset)
    }
    let handler: Handler =
      switch (kind, isLoad) {
      case (.byte, true): Handlers.loadByte
      case (.halfword, true): Handlers.loadHalfword
      case (.word, true): Handlers.loadWord
      case (.signedByte, true): Handlers.loadSignedByte
      case (.signedHalfword, true): Handlers.loadSignedHalfword
      case (.byte, false), (.signedByte, false): Handlers.storeByte
      case (.halfword, false), (.signedHalfword, false): Handlers.storeHalfword
      case (.word, false): Handlers.storeWord
      }
    return Operation(d: t, n: n, value: offset, handler)
  }

  private static func registerHandler(_ kind: AccessKind, isLoad: Bool) -> Handler {
    switch (kind, isLoad) {
    case (.word, true): Handlers.loadWordRegister
    case (.byte, true): Handlers.loadByteRegister
    case (_, true): Handlers.loadRegister(kind)
    case (.word, false): Handlers.storeWordRegister
    case (.byte, false), (.signedByte, false): Handlers.storeByteRegister
    case (.halfword, false), (.signedHalfword, false): Handlers.storeHalfwordRegister
    }
  }

  /// All wide loads and stores of one register, and the hints that look like loads to PC.
  func wideLoadStore() -> Operation {
    let isLoad = bit(20)
    guard let kind = AccessKind(rawValue: bits(21, 2) | bits(24, 1) << 2), isLoad || !bit(24) else { return undefined }
    if isLoad, t == 15, kind != .word { return hintOrUnpredictable() }
    if n == 15 {
      if !isLoad { return undefined }
      if kind != .word && t == 13 || t == 15 && isInIT && !isLastInIT { return unpredictable }
      return literalLoad(t: t, offset: bit(23) ? bits(0, 12) : 0 &- bits(0, 12), kind: kind)
    }
    if !isLoad && t == 15 || t == 13 && kind != .word || t == 15 && isInIT && !isLastInIT { return unpredictable }
    if bit(23) { return offsetAccess(kind, isLoad: isLoad, t: t, n: n, bits(0, 12)) }
    return bit(11) ? indexed(kind, isLoad) : registerOffset(kind, isLoad)
  }

  private func registerOffset(_ kind: AccessKind, _ isLoad: Bool) -> Operation {
    if bits(6, 6) != 0 { return undefined }
    if isBad(m) { return unpredictable }
    if isLoad, t == 15 || t == 13 {
      return Operation(
        d: t, n: n, m: m, a: bits(4, 2), t == 15 ? Handlers.loadCounterRegister : Handlers.loadStackRegister)
    }
    return Operation(d: t, n: n, m: m, a: bits(4, 2), Self.registerHandler(kind, isLoad: isLoad))
  }

  /// Offsets of eight bits: negative, before or behind the access, or unprivileged.
  private func indexed(_ kind: AccessKind, _ isLoad: Bool) -> Operation {
    let (isBefore, isAdded, writesBack) = (bit(10), bit(9), bit(8))
    if !isBefore, !writesBack { return undefined }
    let offset = isAdded ? bits(0, 8) : 0 &- bits(0, 8)
    if isBefore, isAdded, !writesBack {
      return isBad(t)
        ? unpredictable
        : Operation(
          d: t, n: n, a: kind.rawValue, value: offset,
          isLoad ? Handlers.loadUnprivileged : Handlers.storeUnprivileged)
    }
    if !writesBack { return offsetAccess(kind, isLoad: isLoad, t: t, n: n, offset) }
    if n == t { return unpredictable }
    return Operation(
      d: t, n: n, m: isBefore ? 1 : 0, a: kind.rawValue, value: offset,
      isLoad ? Handlers.loadIndexed : Handlers.storeIndexed)
  }

  /// PLD and PLI, and other loads to PC that nothing defines.
  private func hintOrUnpredictable() -> Operation {
    if bits(21, 2) != 0 { return unpredictable }
    return Operation(Handlers.nothing)
  }
}

extension Core {
  /// A load of any kind, extended.
  @inline(__always) func load(_ kind: UInt8, _ address: UInt32, _ o: Step) -> UInt32? {
    switch kind {
    case 0: readByte(address, o)
    case 1: readHalfword(address, o)
    case 2: readWord(address, o)
    case 4: readByte(address, o).map { UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: $0))) }
    default: readHalfword(address, o).map { UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: $0))) }
    }
  }

  /// A store of any kind.
  @inline(__always) func store(_ kind: UInt8, _ address: UInt32, _ value: UInt32, _ o: Step) -> StoreOutcome {
    switch kind {
    case 0: writeByte(address, value, o)
    case 1: writeHalfword(address, value, o)
    default: writeWord(address, value, o)
    }
  }

  /// Puts a loaded word into a register, PC and SP as well.
  @inline(__always) func setLoaded(_ o: Step, _ value: UInt32) {
    if o.d == 15 { return branchExchange(o, to: value) }
    self[o.d] = o.d == 13 ? value & ~3 : value
    return next(o)
  }
}
