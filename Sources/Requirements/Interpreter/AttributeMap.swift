import Bytes
import DictofunProtocol
import Packets

/// A characteristic whose traffic means something to the interpreter: one whose values have a layout of ours.
struct ProductCharacteristic: Hashable {
  static let controlPoint = known(DictofunUUID.controlPoint)
  static let filesList = known(DictofunUUID.filesList)
  static let filesListContinuation = known(DictofunUUID.filesListContinuation)
  static let fileInformation = known(DictofunUUID.fileInformation)
  static let fileData = known(DictofunUUID.fileData)
  static let fileSystemStatus = known(DictofunUUID.fileSystemStatus)
  static let generalStatus = known(DictofunUUID.generalStatus)
  static let pairing = known(DictofunUUID.pairing)
  static let batteryLevel = known(DictofunUUID.batteryLevel)
  static let buttonlessDFU = known(DictofunUUID.buttonlessDFU)
  static let currentTime = known(DictofunUUID.currentTime)
  static let dfuControlPoint = known(DictofunUUID.dfuControlPoint)
  static let dfuPacket = known(DictofunUUID.dfuPacket)

  /// What the tables say about one of them.
  private struct Facts {
    let uuid: BluetoothUUID
    let service: RecorderService?
    let isOfBootloader: Bool
  }

  private static let facts = AttributeTable.explained.map { characteristic in
    let uuid = characteristic.uuid
    let (application, bootloader) = (AttributeTable.application, AttributeTable.bootloader)
    let service = application.service(of: uuid) ?? bootloader.service(of: uuid)
    return Facts(
      uuid: uuid, service: service.flatMap { RecorderService($0.uuid) },
      isOfBootloader: bootloader.service(of: uuid) != nil)
  }

  static var all: [ProductCharacteristic] { facts.indices.map(ProductCharacteristic.init(index:)) }

  /// Its place in `AttributeTable.explained`.
  let index: Int

  fileprivate init(index: Int) { self.index = index }

  /// The characteristic of a UUID, where it is one of these.
  init?(_ uuid: BluetoothUUID) {
    guard let index = Self.facts.firstIndex(where: { $0.uuid == uuid }) else { return nil }
    self.init(index: index)
  }

  private static func known(_ uuid: BluetoothUUID) -> ProductCharacteristic {
    guard let found = ProductCharacteristic(uuid) else { preconditionFailure("no table explains \(uuid)") }
    return found
  }

  /// The service that a phone uses by touching it.
  var service: RecorderService? { Self.facts[index].service }

  /// Whether only a bootloader has it.
  var isOfBootloader: Bool { Self.facts[index].isOfBootloader }
}

extension RecorderService {
  /// The service of a UUID, where it is one of these.
  fileprivate init?(_ uuid: BluetoothUUID) {
    switch uuid {
    case DictofunUUID.fileTransferService: self = .fileTransfer
    case DictofunUUID.batteryService: self = .battery
    case DictofunUUID.secureDFUService: self = .firmwareUpdate
    default: return nil
    }
  }
}

/// Which handle is which characteristic on one server, as far as its discovery told.
struct AttributeMap {
  /// Value handles by characteristic; 0 where unknown.
  private var values = [UInt16](repeating: 0, count: AttributeTable.explained.count)
  /// Ranges of the services by `RecorderService`; 0 where unknown.
  private var starts = InlineArray<3, UInt16>(repeating: 0)
  private var ends = InlineArray<3, UInt16>(repeating: 0)

  /// Value handle of the octets of records, 0 where unknown: apart, because every packet of a transfer asks for it.
  private(set) var fileData: UInt16 = 0

  /// Whether anything is known.
  private(set) var isEmpty = true

  /// Whether something was found that a recorder has: its file transfer, or the update of its firmware.
  private(set) var isOfRecorder = false

  /// Whether this is the table of a bootloader.
  var isOfBootloader: Bool { self[.dfuControlPoint] != 0 }

  /// Value handle of the characteristic, 0 where unknown.
  subscript(characteristic: ProductCharacteristic) -> UInt16 { values[characteristic.index] }

  /// What the value at a handle is.
  func characteristic(_ handle: AttributeHandle) -> ProductCharacteristic? {
    guard handle.rawValue != 0 else { return nil }
    return values.firstIndex(of: handle.rawValue).map(ProductCharacteristic.init(index:))
  }

  /// Whether the value at a handle may be what was recorded; where file data was not discovered, any unknown value may.
  func mayHoldRecording(_ handle: UInt16) -> Bool {
    handle == fileData || fileData == 0 && characteristic(AttributeHandle(handle)) == nil
  }

  /// Whether a handle is that of the GAP device name, in a recorder whose application has its usual table.
  func isDeviceName(_ handle: AttributeHandle) -> Bool {
    self[.controlPoint] == DictofunHandle.controlPoint && handle.rawValue == DictofunHandle.deviceName
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
      for other in ProductCharacteristic.all where other.isOfBootloader != characteristic.isOfBootloader {
        values[other.index] = 0
      }
    }
    if characteristic.isOfBootloader {
      for service in RecorderService.allCases where service != .firmwareUpdate {
        starts[Int(service.rawValue)] = 0
        ends[Int(service.rawValue)] = 0
      }
    }
    values[characteristic.index] = valueHandle
    fileData = self[.fileData]
    isEmpty = false
    note(characteristic.service)
  }

  /// Takes a service.
  mutating func learn(service uuid: BluetoothUUID, _ range: HandleRange) {
    guard range.isValid, let service = RecorderService(uuid) else { return }
    starts[Int(service.rawValue)] = range.start.rawValue
    ends[Int(service.rawValue)] = range.end.rawValue
    note(service)
  }

  private mutating func note(_ service: RecorderService?) {
    if service == .fileTransfer || service == .firmwareUpdate { isOfRecorder = true }
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
    for characteristic in AttributeTable.application.database.discovered.flatMap(\.characteristics) {
      map.learn(characteristic.uuid, valueHandle: characteristic.valueHandle.rawValue)
    }
    return map
  }()
}
