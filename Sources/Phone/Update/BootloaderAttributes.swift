import Bytes
import DictofunProtocol
import HostStack

/// Where the bootloader's characteristics are, as discovery found them.
struct BootloaderAttributes: Hashable, Sendable {
  var controlPoint: AttributeHandle
  var configuration: AttributeHandle
  var packet: AttributeHandle

  /// The places of the update service; `PhoneFailure.serviceMissing` names what is not there.
  init(_ services: [DiscoveredService]) throws(PhoneFailure) {
    guard let service = services.first(where: { $0.uuid == DictofunUUID.secureDFUService }) else {
      throw .serviceMissing(DictofunUUID.secureDFUService)
    }
    let control = service.characteristics.first { $0.uuid == DictofunUUID.dfuControlPoint }
    guard let control, let configuration = control.configurationHandle else {
      throw .serviceMissing(DictofunUUID.dfuControlPoint)
    }
    guard let packet = service.characteristics.first(where: { $0.uuid == DictofunUUID.dfuPacket }) else {
      throw .serviceMissing(DictofunUUID.dfuPacket)
    }
    controlPoint = control.valueHandle
    self.configuration = configuration
    self.packet = packet.valueHandle
  }
}

/// How far a link to a bootloader is prepared.
struct BootloaderPreparation {
  /// The steps in their order.
  enum Step {
    case exchangingMTU
    case discovering
    case subscribing
  }

  var step: Step
  var procedure: ClientToken
}
