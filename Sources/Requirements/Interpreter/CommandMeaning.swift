import Bytes

/// HCI commands: what of them matters, and which of them carry keys (Core Specification Vol 4, Part E, 7).
///
/// Only the fields that mean something are read; a command that is too short for them means nothing.
extension PacketInterpreter {
  /// Opcodes whose packets or answers are looked into.
  enum Opcode {
    static let reset: UInt16 = 0x0C03
    static let linkKeyRequestReply: UInt16 = 0x040B
    static let setAdvertisingParameters: UInt16 = 0x2006
    static let setAdvertisingEnable: UInt16 = 0x200A
    static let encrypt: UInt16 = 0x2017
    static let random: UInt16 = 0x2018
    static let enableEncryption: UInt16 = 0x2019
    static let longTermKeyRequestReply: UInt16 = 0x201A
    static let addToResolvingList: UInt16 = 0x2027
  }

  mutating func interpretCommand(_ bytes: [UInt8]) -> CoveredRange {
    guard bytes.count >= 3 else { return .none }
    switch UInt16(bytes[0]) | UInt16(bytes[1]) << 8 {
    case Opcode.setAdvertisingParameters where bytes.count >= 5:
      advertisingIntervalSlots = UInt16(bytes[3]) | UInt16(bytes[4]) << 8
    case Opcode.setAdvertisingEnable where bytes.count >= 4: isAdvertisingWanted = bytes[3] != 0
    // Behind handle, random number and diversifier.
    case Opcode.enableEncryption: return CoveredRange(15, bytes.count)
    case Opcode.longTermKeyRequestReply: return CoveredRange(5, bytes.count)
    case Opcode.encrypt: return CoveredRange(3, bytes.count)
    // Behind the type and the address: both resolving keys.
    case Opcode.addToResolvingList: return CoveredRange(10, bytes.count)
    case Opcode.linkKeyRequestReply: return CoveredRange(9, bytes.count)
    default: break
    }
    return .none
  }
}
