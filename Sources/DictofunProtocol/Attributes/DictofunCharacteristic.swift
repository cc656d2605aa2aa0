import Bytes
import Packets

/// A characteristic of a recorder or a phone: its registration on the server and the layout of its values.
public struct DictofunCharacteristic: Sendable {
  /// Its name in the Assigned Numbers, or in the firmware.
  public let name: String
  /// UUID, properties, permissions, first value and maximum length.
  public let definition: CharacteristicDefinition
  /// The layout of its values; `nil` where no party of ours reads or writes them.
  public let layout: WireLayout?

  /// Describes a characteristic.
  public init(_ name: String, _ definition: CharacteristicDefinition, layout: WireLayout? = nil) {
    self.name = name
    self.definition = definition
    self.layout = layout
  }

  /// Its type.
  public var uuid: BluetoothUUID { definition.uuid }
}

/// A service of a recorder or a phone.
public struct DictofunService: Sendable {
  /// Its type.
  public let uuid: BluetoothUUID
  /// Its name in the Assigned Numbers, or in the firmware.
  public let name: String
  /// Its characteristics, in the order in which the server registers them.
  public let characteristics: [DictofunCharacteristic]

  /// Describes a service.
  public init(_ uuid: BluetoothUUID, _ name: String, _ characteristics: [DictofunCharacteristic]) {
    self.uuid = uuid
    self.name = name
    self.characteristics = characteristics
  }

  /// The definition that a server registers.
  public var definition: ServiceDefinition {
    ServiceDefinition(uuid: uuid, characteristics: characteristics.map(\.definition))
  }
}
