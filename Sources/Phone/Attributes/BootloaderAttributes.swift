import Bytes
import DictofunProtocol
import HostStack

/// The handles of the bootloader's characteristics, as discovery found them.
struct BootloaderAttributes: Hashable, Sendable {
  var controlPoint: AttributeHandle
  var configuration: AttributeHandle
  var packet: AttributeHandle

  /// Looks for the update service. Throws `PhoneFailure.serviceMissing` with the type that was not found.
  init(_ services: [DiscoveredService]) throws(PhoneFailure) {
    let places = try DiscoveredPlaces(of: .bootloaderUpdate, in: services)
    let control = places[DictofunUUID.dfuControlPoint]
    guard let configuration = control.configuration else { throw .serviceMissing(DictofunUUID.dfuControlPoint) }
    controlPoint = control.value
    self.configuration = configuration
    packet = places[DictofunUUID.dfuPacket].value
  }
}
