import Bytes

/// The attributes that a server registers.
///
/// Handles follow from the order: they are given from 0x0001 upwards without gaps, one for the declaration of each
/// service; then for each of its characteristics one for the declaration, one for the value and, where it notifies or
/// indicates, one for the client configuration.
public struct GATTDatabase: Hashable, Sendable {
  /// The services, in the order of their handles.
  public var services: [ServiceDefinition]

  /// A database of these services.
  public init(services: [ServiceDefinition]) { self.services = services }

  /// The services, characteristics and handles that a client finds when it discovers everything.
  public var discovered: [DiscoveredService] {
    var next = AttributeHandle.first.rawValue
    return services.map { definition in
      var service = DiscoveredService(
        uuid: definition.uuid, handle: AttributeHandle(next), endHandle: AttributeHandle(next))
      next += 1
      for characteristic in definition.characteristics {
        let isConfigured = characteristic.properties.needsConfiguration
        service.characteristics.append(
          DiscoveredCharacteristic(
            uuid: characteristic.uuid, handle: AttributeHandle(next), valueHandle: AttributeHandle(next + 1),
            properties: characteristic.properties,
            configurationHandle: isConfigured ? AttributeHandle(next + 2) : nil))
        next += isConfigured ? 3 : 2
      }
      service.endHandle = AttributeHandle(next - 1)
      return service
    }
  }

  /// Handle of the first value of characteristic `uuid`; `nil` where it is not registered.
  public func valueHandle(of uuid: BluetoothUUID) -> AttributeHandle? {
    discovered.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }?.valueHandle
  }
}
