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

  /// How the client configurations of the File Transfer Service are to be when a request is written, in the order in which
  /// the phone writes them. They are written in every connection: the firmware keeps flags of its own, which a restored
  /// bond does not set.
  func changes(
    for request: ControlPointRequest, _ policy: EnablingPolicy, includingContinuation: Bool
  ) -> [ConfigurationChange] {
    let on: [AttributePlace]
    var off: [AttributePlace] = []
    switch (policy, request) {
    case (.onceForAll, _):
      on = [filesList, filesListContinuation, generalStatus, fileInformation, fileData, fileSystemStatus]
    case (.asNeeded, .listFiles): on = [filesList, filesListContinuation, generalStatus]
    case (.asNeeded, .fileInformation): on = [fileInformation]
    case (.asNeeded, .fileData): on = [fileData]
    case (.asNeeded, .fileSystemStatus):
      off = [fileData, filesList, filesListContinuation, fileInformation]
      on = [fileSystemStatus]
    case (.asNeeded, .receiveComplete), (.asNeeded, .unaccepted): on = []
    }
    let enabled = includingContinuation ? on : on.filter { $0 != filesListContinuation }
    return off.compactMap { $0.configuration.map { ConfigurationChange(handle: $0, enables: false) } }
      + enabled.compactMap { $0.configuration.map { ConfigurationChange(handle: $0, enables: true) } }
  }
}
