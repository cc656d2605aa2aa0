import Bytes
import DictofunProtocol
import HostStack

/// Where the recorder's characteristics are, as discovery found them.
struct RecorderAttributes: Hashable, Sendable {
  /// A value and its client configuration.
  struct Place: Hashable, Sendable {
    var value: AttributeHandle
    var configuration: AttributeHandle?
  }

  var controlPoint: AttributeHandle
  var filesList: Place
  var filesListContinuation: Place
  var fileInformation: Place
  var fileData: Place
  var fileSystemStatus: Place
  var generalStatus: Place
  var pairing: AttributeHandle
  /// Filled in when the Battery Service was found; the two services are discovered one after the other.
  var batteryLevel: Place?

  /// The places of the File Transfer Service; `PhoneFailure.serviceMissing` names what is not there.
  init(fileTransfer services: [DiscoveredService]) throws(PhoneFailure) {
    let service = try Self.service(DictofunUUID.fileTransferService, services)
    controlPoint = try Self.place(DictofunUUID.controlPoint, service).value
    filesList = try Self.place(DictofunUUID.filesList, service)
    filesListContinuation = try Self.place(DictofunUUID.filesListContinuation, service)
    fileInformation = try Self.place(DictofunUUID.fileInformation, service)
    fileData = try Self.place(DictofunUUID.fileData, service)
    fileSystemStatus = try Self.place(DictofunUUID.fileSystemStatus, service)
    generalStatus = try Self.place(DictofunUUID.generalStatus, service)
    pairing = try Self.place(DictofunUUID.pairing, service).value
  }

  /// Adds the place of the battery level; `PhoneFailure.serviceMissing` names what is not there.
  mutating func addBattery(_ services: [DiscoveredService]) throws(PhoneFailure) {
    let service = try Self.service(DictofunUUID.batteryService, services)
    batteryLevel = try Self.place(DictofunUUID.batteryLevel, service)
  }

  /// The client configurations of the File Transfer Service in the order in which the phone writes them. All of them
  /// are written in every connection: the firmware keeps flags of its own, which a restored bond does not set.
  func configurations(includingContinuation: Bool) -> [AttributeHandle] {
    var places = [filesList, filesListContinuation, generalStatus, fileInformation, fileData, fileSystemStatus]
    if !includingContinuation { places.remove(at: 1) }
    return places.compactMap(\.configuration)
  }

  private static func service(
    _ uuid: BluetoothUUID, _ services: [DiscoveredService]
  ) throws(PhoneFailure) -> DiscoveredService {
    guard let service = services.first(where: { $0.uuid == uuid }) else { throw .serviceMissing(uuid) }
    return service
  }

  private static func place(_ uuid: BluetoothUUID, _ service: DiscoveredService) throws(PhoneFailure) -> Place {
    guard let found = service.characteristics.first(where: { $0.uuid == uuid }) else { throw .serviceMissing(uuid) }
    return Place(value: found.valueHandle, configuration: found.configurationHandle)
  }
}
