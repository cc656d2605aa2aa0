import Bytes
import DictofunProtocol
import HostStack

/// The handles of the application's characteristics, as discovery found them.
struct RecorderAttributes: Hashable, Sendable {
  var controlPoint: AttributeHandle
  var filesList: AttributePlace
  var filesListContinuation: AttributePlace
  var fileInformation: AttributePlace
  var fileData: AttributePlace
  var fileSystemStatus: AttributePlace
  var generalStatus: AttributePlace
  var pairing: AttributeHandle
  /// Filled in when the Battery Service was found; the two services are discovered one after the other.
  var batteryLevel: AttributePlace?

  /// Looks for the File Transfer Service. Throws `PhoneFailure.serviceMissing` with the type that was not found.
  init(fileTransfer services: [DiscoveredService]) throws(PhoneFailure) {
    let places = try DiscoveredPlaces(of: .fileTransfer, in: services)
    controlPoint = places[DictofunUUID.controlPoint].value
    filesList = places[DictofunUUID.filesList]
    filesListContinuation = places[DictofunUUID.filesListContinuation]
    fileInformation = places[DictofunUUID.fileInformation]
    fileData = places[DictofunUUID.fileData]
    fileSystemStatus = places[DictofunUUID.fileSystemStatus]
    generalStatus = places[DictofunUUID.generalStatus]
    pairing = places[DictofunUUID.pairing].value
  }

  /// Looks for the Battery Service. Throws `PhoneFailure.serviceMissing` with the type that was not found.
  mutating func addBattery(_ services: [DiscoveredService]) throws(PhoneFailure) {
    batteryLevel = try DiscoveredPlaces(of: .battery, in: services)[DictofunUUID.batteryLevel]
  }

  /// The client configurations of the File Transfer Service in the order in which the phone writes them. All of them
  /// are written in every connection: the firmware keeps flags of its own, which a restored bond does not set.
  func configurations(includingContinuation: Bool) -> [AttributeHandle] {
    var places = [filesList, filesListContinuation, generalStatus, fileInformation, fileData, fileSystemStatus]
    if !includingContinuation { places.remove(at: 1) }
    return places.compactMap(\.configuration)
  }
}
