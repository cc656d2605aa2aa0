import Bytes
import DictofunProtocol

/// The parts of advertising data that the phone uses: whether a recorder sent it, and its name
/// (Core Specification Supplement, Part A, 1.1 and 1.2).
struct RecorderAdvertisement: Hashable, Sendable {
  /// Whether the File Transfer Service is advertised.
  private(set) var offersFileTransfer = false
  /// Whether Nordic's update service is advertised, as bootloaders do.
  private(set) var offersUpdate = false
  /// The complete local name, else the shortened one, else empty.
  private(set) var name = ""

  private enum StructureType {
    static let incompleteUUID16List: UInt8 = 0x02
    static let completeUUID16List: UInt8 = 0x03
    static let incompleteUUID128List: UInt8 = 0x06
    static let completeUUID128List: UInt8 = 0x07
    static let shortenedLocalName: UInt8 = 0x08
    static let completeLocalName: UInt8 = 0x09
  }

  private static let service = DictofunUUID.fileTransferService.littleEndian128
  private static let updateService = DictofunUUID.secureDFUService.littleEndian

  /// Reads structures up to the first that is empty or does not fit; the rest is early termination or garbage.
  init(decoding data: [UInt8]) {
    var position = 0
    var hasCompleteName = false
    while position < data.count, data[position] > 0, position + Int(data[position]) < data.count {
      let content = data[(position + 2)..<(position + 1 + Int(data[position]))]
      switch data[position + 1] {
      case StructureType.incompleteUUID128List, StructureType.completeUUID128List:
        for start in stride(from: content.startIndex, to: content.endIndex - 15, by: 16)
        where content[start..<(start + 16)].elementsEqual(Self.service) {
          offersFileTransfer = true
        }
      case StructureType.incompleteUUID16List, StructureType.completeUUID16List:
        for start in stride(from: content.startIndex, to: content.endIndex - 1, by: 2)
        where content[start..<(start + 2)].elementsEqual(Self.updateService) {
          offersUpdate = true
        }
      case StructureType.completeLocalName:
        name = String(decoding: content, as: UTF8.self)
        hasCompleteName = true
      case StructureType.shortenedLocalName where !hasCompleteName:
        name = String(decoding: content, as: UTF8.self)
      default: break
      }
      position += 1 + Int(data[position])
    }
  }
}
