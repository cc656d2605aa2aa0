import Bytes
import DictofunProtocol
import HostStack

/// A value and its client configuration on a recorder.
struct AttributePlace: Hashable, Sendable {
  var value: AttributeHandle
  var configuration: AttributeHandle?
}

/// The places of all characteristics that a service must have, as discovery found them.
struct DiscoveredPlaces: Hashable, Sendable {
  private var found: [DiscoveredCharacteristic]

  /// Looks for the characteristics of a service. Throws `PhoneFailure.serviceMissing` with the type of the service, or
  /// of the first characteristic in the service's order, that was not found.
  init(of service: DictofunService, in services: [DiscoveredService]) throws(PhoneFailure) {
    guard let discovered = services.first(where: { $0.uuid == service.uuid }) else {
      throw .serviceMissing(service.uuid)
    }
    found = []
    for characteristic in service.characteristics {
      let match = discovered.characteristics.first { $0.uuid == characteristic.uuid }
      guard let match else { throw .serviceMissing(characteristic.uuid) }
      found.append(match)
    }
  }

  /// The place of a characteristic. Traps where the service does not have it.
  subscript(uuid: BluetoothUUID) -> AttributePlace {
    guard let match = found.first(where: { $0.uuid == uuid }) else {
      preconditionFailure("the service has no characteristic \(uuid)")
    }
    return AttributePlace(value: match.valueHandle, configuration: match.configurationHandle)
  }
}
