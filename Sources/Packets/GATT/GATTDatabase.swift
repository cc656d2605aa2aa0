import Bytes

/// The attributes that a server registers.
///
/// Handles follow from the order: they are given from 0x0001 upwards without gaps, one for the declaration of each
/// service; then for each of its characteristics one for the declaration, one for the value, where it notifies or
/// indicates one for the client configuration, and one for each other descriptor.
public struct GATTDatabase: Hashable, Sendable {
  /// The services, in the order of their handles.
  public var services: [ServiceDefinition]

  /// A database of these services.
  public init(services: [ServiceDefinition]) { self.services = services }

  /// The services, characteristics and handles that a client finds when it discovers everything.
  public var discovered: [DiscoveredService] {
    var next = AttributeHandle.first.rawValue
    return services.compactMap { definition in
      var service = DiscoveredService(
        uuid: definition.uuid, handle: AttributeHandle(next), endHandle: AttributeHandle(next))
      next += 1
      for characteristic in definition.characteristics {
        let configuration = next + 2 + UInt16(characteristic.leadingDescriptors.count)
        service.characteristics.append(
          DiscoveredCharacteristic(
            uuid: characteristic.uuid, handle: AttributeHandle(next), valueHandle: AttributeHandle(next + 1),
            properties: characteristic.properties,
            configurationHandle: characteristic.isConfigured ? AttributeHandle(configuration) : nil))
        next += characteristic.handleCount
      }
      service.endHandle = AttributeHandle(next - 1)
      return definition.isPrimary ? service : nil
    }
  }

  /// Handle of the first value of characteristic `uuid`, in the service `service` where one is named; `nil` where it is
  /// not registered.
  public func valueHandle(of uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> AttributeHandle? {
    var next = AttributeHandle.first.rawValue
    for definition in services {
      next += 1
      for characteristic in definition.characteristics {
        if characteristic.uuid == uuid, service == nil || service == definition.uuid {
          return AttributeHandle(next + 1)
        }
        next += characteristic.handleCount
      }
    }
    return nil
  }
}
