/// One instruction as it stands in memory, with what decoding it depends on. The groups of instructions add one decoding
/// function each, beside the handlers it chooses from.
struct Encoding {
  let address: UInt32
  /// The half-word of a 16-bit instruction, or both with the first one in the upper half.
  let word: UInt32
  let isWide: Bool
  /// ITSTATE in front of the instruction.
  let it: UInt8
  /// Gives words of the read-only region, which may be decoded into constants.
  let constants: ConstantSource

  var isInIT: Bool { it & 0xF != 0 }
  var isLastInIT: Bool { it & 0xF == 8 }
  /// Whether 16-bit arithmetic sets flags: outside of IT blocks.
  var setsFlags: Bool { !isInIT }

  /// The address that the instruction reads as PC.
  var programCounter: UInt32 { address &+ 4 }
  var alignedProgramCounter: UInt32 { (address &+ 4) & ~3 }

  /// `width` bits from bit `low` on.
  func bits(_ low: UInt32, _ width: UInt32) -> UInt32 { word >> low & (1 << width &- 1) }

  func bit(_ position: UInt32) -> Bool { word >> position & 1 != 0 }

  /// `width` bits from bit `low` on, as a signed number.
  func signed(_ low: UInt32, _ width: UInt32) -> UInt32 {
    UInt32(bitPattern: Int32(bitPattern: bits(low, width) << (32 - width)) >> Int32(32 - width))
  }

  // The places that registers have in 32-bit instructions.
  var n: UInt32 { bits(16, 4) }
  var t: UInt32 { bits(12, 4) }
  var d: UInt32 { bits(8, 4) }
  var m: UInt32 { bits(0, 4) }

  /// An operation that stops: the architecture does not define this encoding.
  var undefined: Operation { Operation(value: word, Handlers.undefined) }
  /// An operation that stops: the architecture does not say what this encoding does.
  var unpredictable: Operation { Operation(value: word, Handlers.unpredictable) }

  /// Whether a register is SP or PC, which most 32-bit instructions may not name.
  func isBad(_ registers: UInt32...) -> Bool { registers.contains { $0 == 13 || $0 == 15 } }

  /// The length in octets.
  var length: UInt32 { isWide ? 4 : 2 }
}

/// Words of pages that the guest cannot change.
struct ConstantSource {
  let storage: MemoryStorage
  let cache: CodeCache

  /// The aligned word at an address; nil in RAM and where nothing is mapped.
  func word(_ address: UInt32) -> UInt32? {
    guard address & 3 == 0, let slot = storage.slot(of: address), storage.kind(ofSlot: slot) == .readOnly,
      let page = storage.content(ofSlot: slot)
    else { return nil }
    cache.use(slot: slot, of: storage)
    return page.load(fromByteOffset: Int(address & 0xFFF), as: UInt32.self)
  }
}
