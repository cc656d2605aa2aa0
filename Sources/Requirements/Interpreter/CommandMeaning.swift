import Bytes
import HCI

/// HCI commands: what of them matters, and which of them carry keys (Core Specification Vol 4, Part E, 7).
///
/// Only the fields that mean something are read; a command that is too short for them means nothing.
extension PacketInterpreter {
  /// Link_Key_Request_Reply and LE_Add_Device_To_Resolving_List, which this house never sends but others do (7.1.10,
  /// 7.8.38).
  private static let linkKeyRequestReply = Opcode(rawValue: 0x040B)
  private static let addDeviceToResolvingList = Opcode(rawValue: 0x2027)

  mutating func interpretCommand(_ bytes: [UInt8]) -> CoveredRange {
    guard bytes.count >= 3 else { return .none }
    switch Opcode(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8) {
    case .leSetAdvertisingParameters where bytes.count >= 5:
      advertisingIntervalSlots = UInt16(bytes[3]) | UInt16(bytes[4]) << 8
    case .leSetAdvertisingData where isServingRecorder && bytes.count >= 35:
      // The application offers its services; a bootloader offers its own, whose table a phone has to discover.
      localMap = Self.offersFileTransfer(Array(bytes[4..<min(35, 4 + Int(bytes[3]))])) ? .ofRecorder : AttributeMap()
    case .leSetAdvertisingEnable where bytes.count >= 4: isAdvertisingWanted = bytes[3] != 0
    // Behind handle, random number and diversifier.
    case .leEnableEncryption: return CoveredRange(15, bytes.count)
    case .leLongTermKeyRequestReply: return CoveredRange(5, bytes.count)
    case .leEncrypt: return CoveredRange(3, bytes.count)
    // Behind the type and the address: both resolving keys.
    case Self.addDeviceToResolvingList: return CoveredRange(10, bytes.count)
    case Self.linkKeyRequestReply: return CoveredRange(9, bytes.count)
    default: break
    }
    return .none
  }
}
