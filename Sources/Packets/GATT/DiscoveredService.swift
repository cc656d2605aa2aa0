import Bytes

/// A service found on a server.
public struct DiscoveredService: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// Its declaration's handle.
  public var handle: AttributeHandle
  /// Last handle of its group.
  public var endHandle: AttributeHandle
  /// Its characteristics, by handle.
  public var characteristics: [DiscoveredCharacteristic]

  /// Describes a service that was found.
  public init(
    uuid: BluetoothUUID, handle: AttributeHandle, endHandle: AttributeHandle,
    characteristics: [DiscoveredCharacteristic] = []
  ) {
    self.uuid = uuid
    self.handle = handle
    self.endHandle = endHandle
    self.characteristics = characteristics
  }
}

/// A characteristic found on a server.
public struct DiscoveredCharacteristic: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// Its declaration's handle.
  public var handle: AttributeHandle
  /// Its value's handle.
  public var valueHandle: AttributeHandle
  /// The procedures that it allows.
  public var properties: CharacteristicProperties
  /// Its client configuration's handle, where there is one.
  public var configurationHandle: AttributeHandle?

  /// Describes a characteristic that was found.
  public init(
    uuid: BluetoothUUID, handle: AttributeHandle, valueHandle: AttributeHandle, properties: CharacteristicProperties,
    configurationHandle: AttributeHandle? = nil
  ) {
    self.uuid = uuid
    self.handle = handle
    self.valueHandle = valueHandle
    self.properties = properties
    self.configurationHandle = configurationHandle
  }
}
