/// The registers of NVIC (Armv7-M Architecture Reference Manual, B3.4).
extension Core {
  func interruptWord(_ address: UInt32) -> UInt32 {
    let interrupts = context.pointee.state.interrupts
    let offset = address & 0x7F
    switch address & 0xFFF {
    case 0x100..<0x200: return Self.word(interrupts.enabled, offset)
    case 0x200..<0x300: return Self.word(interrupts.pending, offset)
    case 0x300..<0x380: return Self.word(interrupts.active, offset)
    case 0x400..<0x500:
      let first = Int(address & 0xFF)
      guard first + 4 <= InterruptState.count else { return 0 }
      return (0..<4).reduce(0) { $0 | UInt32(interrupts.priorities[first + $1]) << (8 * $1) }
    default: return 0
    }
  }

  func setInterruptWord(_ address: UInt32, _ value: UInt32) {
    let bits = Self.bits(value, address & 0x7F)
    switch address & 0xFFF {
    case 0x100..<0x180: context.pointee.state.interrupts.enabled |= bits
    case 0x180..<0x200: context.pointee.state.interrupts.enabled &= ~bits
    case 0x200..<0x280:
      context.pointee.state.interrupts.pending |= bits
      signalPending()
    case 0x280..<0x300:
      // What is pending because its line is high stays so.
      context.pointee.state.interrupts.pending &= ~bits | context.pointee.door.interruptLines()
    case 0x400..<0x500:
      let first = Int(address & 0xFF)
      guard first + 4 <= InterruptState.count else { return }
      for index in 0..<4 {
        context.pointee.state.interrupts.priorities[first + index] =
          UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) & 0xE0
      }
    default: break
    }
  }

  /// The word of a bit array at an offset in octets.
  private static func word(_ bits: UInt64, _ offset: UInt32) -> UInt32 {
    offset < 8 ? UInt32(truncatingIfNeeded: bits >> UInt64(offset * 8)) : 0
  }

  private static func bits(_ word: UInt32, _ offset: UInt32) -> UInt64 {
    offset < 8 ? UInt64(word) << UInt64(offset * 8) : 0
  }
}
