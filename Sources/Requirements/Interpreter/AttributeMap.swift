import Bytes
import DictofunProtocol
import Packets

/// The characteristics whose traffic means something.
enum ProductCharacteristic: Int, CaseIterable {
  case controlPoint, filesList, filesListContinuation, fileInformation, fileData, fileSystemStatus, generalStatus
  case pairing, batteryLevel, buttonlessDFU, currentTime, dfuControlPoint, dfuPacket

  /// The characteristic of a UUID, where it is one of these.
  init?(_ uuid: BluetoothUUID) {
    guard let match = Self.allCases.first(where: { $0.uuid == uuid }) else { return nil }
    self = match
  }

  var uuid: BluetoothUUID {
    switch self {
    case .controlPoint: DictofunUUID.controlPoint
    case .filesList: DictofunUUID.filesList
    case .filesListContinuation: DictofunUUID.filesListContinuation
    case .fileInformation: DictofunUUID.fileInformation
    case .fileData: DictofunUUID.fileData
    case .fileSystemStatus: DictofunUUID.fileSystemStatus
    case .generalStatus: DictofunUUID.generalStatus
    case .pairing: DictofunUUID.pairing
    case .batteryLevel: DictofunUUID.batteryLevel
    case .buttonlessDFU: DictofunUUID.buttonlessDFU
    case .currentTime: DictofunUUID.currentTime
    case .dfuControlPoint: DictofunUUID.dfuControlPoint
    case .dfuPacket: DictofunUUID.dfuPacket
    }
  }

  /// The service that a phone uses by touching it.
  var service: RecorderService? {
    switch self {
    case .batteryLevel: .battery
    case .buttonlessDFU, .dfuControlPoint, .dfuPacket: .firmwareUpdate
    case .currentTime: nil
    default: .fileTransfer
    }
  }

  /// Whether only a bootloader has it.
  var isOfBootloader: Bool { self == .dfuControlPoint || self == .dfuPacket }
}

/// Which handle is which characteristic on one server, as far as its discovery told.
struct AttributeMap {
  /// Value handles by characteristic; 0 where unknown.
  private var values = InlineArray<13, UInt16>(repeating: 0)
  /// Ranges of the services by `RecorderService`; 0 where unknown.
  private var starts = InlineArray<3, UInt16>(repeating: 0)
  private var ends = InlineArray<3, UInt16>(repeating: 0)

  /// Whether anything is known.
  private(set) var isEmpty = true

  /// Whether this is the table of a bootloader.
  var isOfBootloader: Bool { self[.dfuControlPoint] != 0 }

  /// Value handle of the characteristic, 0 where unknown.
  subscript(characteristic: ProductCharacteristic) -> UInt16 { values[characteristic.rawValue] }

  /// What the value at a handle is.
  func characteristic(_ handle: AttributeHandle) -> ProductCharacteristic? {
    guard handle.rawValue != 0 else { return nil }
    for index in values.indices where values[index] == handle.rawValue { return ProductCharacteristic(rawValue: index) }
    return nil
  }

  /// Whether the value at a handle may be what was recorded; where file data was not discovered, any unknown value may.
  func mayHoldRecording(_ handle: UInt16) -> Bool {
    let fileData = self[.fileData]
    return handle == fileData || fileData == 0 && characteristic(AttributeHandle(handle)) == nil
  }

  /// The service that an attribute belongs to. Where no service was discovered, a value and the configuration right
  /// behind it are taken to belong together.
  func service(_ handle: AttributeHandle) -> RecorderService? {
    for service in RecorderService.allCases {
      let index = Int(service.rawValue)
      if starts[index] != 0, (starts[index]...ends[index]).contains(handle.rawValue) { return service }
    }
    if let found = characteristic(handle) { return found.service }
    return characteristic(AttributeHandle(handle.rawValue &- 1))?.service
  }

  /// Takes an attribute whose type is its characteristic's UUID, or a characteristic's declaration.
  ///
  /// Application and bootloader are never on one server: the one that is found takes the place of the other, which may
  /// have had the same address.
  mutating func learn(_ uuid: BluetoothUUID, valueHandle: UInt16) {
    guard let characteristic = ProductCharacteristic(uuid), valueHandle != 0 else { return }
    if characteristic.isOfBootloader != isOfBootloader {
      for other in ProductCharacteristic.allCases where other.isOfBootloader != characteristic.isOfBootloader {
        values[other.rawValue] = 0
      }
    }
    if characteristic.isOfBootloader {
      for service in RecorderService.allCases where service != .firmwareUpdate {
        starts[Int(service.rawValue)] = 0
        ends[Int(service.rawValue)] = 0
      }
    }
    values[characteristic.rawValue] = valueHandle
    isEmpty = false
  }

  /// Takes a service.
  mutating func learn(service uuid: BluetoothUUID, _ range: HandleRange) {
    guard range.isValid else { return }
    let service: RecorderService
    switch uuid {
    case DictofunUUID.fileTransferService: service = .fileTransfer
    case DictofunUUID.batteryService: service = .battery
    case DictofunUUID.secureDFUService: service = .firmwareUpdate
    default: return
    }
    starts[Int(service.rawValue)] = range.start.rawValue
    ends[Int(service.rawValue)] = range.end.rawValue
  }

  /// Takes the value of a characteristic declaration: properties, value handle, UUID (Vol 3, Part G, 3.3.1).
  mutating func learn(declaration value: [UInt8]) {
    guard value.count == 5 || value.count == 19, let uuid = BluetoothUUID(littleEndian: Array(value[3...])) else {
      return
    }
    learn(uuid, valueHandle: UInt16(value[1]) | UInt16(value[2]) << 8)
  }

  /// The table that every Dictofun firmware has.
  static let ofRecorder: AttributeMap = {
    var map = AttributeMap()
    map.learn(DictofunUUID.controlPoint, valueHandle: DictofunHandle.controlPoint)
    map.learn(DictofunUUID.filesList, valueHandle: DictofunHandle.filesList)
    map.learn(DictofunUUID.filesListContinuation, valueHandle: DictofunHandle.filesListContinuation)
    map.learn(DictofunUUID.fileInformation, valueHandle: DictofunHandle.fileInformation)
    map.learn(DictofunUUID.fileData, valueHandle: DictofunHandle.fileData)
    map.learn(DictofunUUID.fileSystemStatus, valueHandle: DictofunHandle.fileSystemStatus)
    map.learn(DictofunUUID.generalStatus, valueHandle: DictofunHandle.generalStatus)
    map.learn(DictofunUUID.pairing, valueHandle: DictofunHandle.pairing)
    map.learn(DictofunUUID.batteryLevel, valueHandle: DictofunHandle.batteryLevel)
    map.learn(DictofunUUID.buttonlessDFU, valueHandle: DictofunHandle.buttonlessDFU)
    return map
  }()
}
