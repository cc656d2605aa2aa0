import Bytes
import DictofunProtocol
import HostStack

/// One thing in which a recorder's attributes differ from the documented ones.
package enum AttributeChange: Hashable, Sendable {
  /// A service is missing.
  case missingService(BluetoothUUID)
  /// A characteristic is missing.
  case missing(BluetoothUUID)
  /// A service has another type.
  case otherService(BluetoothUUID, BluetoothUUID)
  /// A characteristic has another type.
  case otherType(BluetoothUUID, BluetoothUUID)
  /// A characteristic has other properties.
  case properties(BluetoothUUID, CharacteristicProperties)
  /// Reading a value needs something else.
  case reading(BluetoothUUID, AccessRequirement)
  /// Writing a value needs something else.
  case writing(BluetoothUUID, AccessRequirement)
  /// A value begins with other octets.
  case value(BluetoothUUID, [UInt8])
}

/// What can be wrong with the attributes.
package struct AttributeFaults: Hashable, Sendable {
  /// The differences, in an order that does not depend on who planted them.
  private var changes: [AttributeChange] = []

  /// No fault.
  package init() {}

  /// Adds a difference.
  package mutating func add(_ change: AttributeChange) {
    let place = changes.firstIndex { "\($0)" > "\(change)" } ?? changes.endIndex
    changes.insert(change, at: place)
  }

  /// Makes the differences in a database.
  func apply(to database: inout GATTDatabase) {
    for change in changes { apply(change, to: &database) }
  }

  private func apply(_ change: AttributeChange, to database: inout GATTDatabase) {
    switch change {
    case .missingService(let uuid): database.services.removeAll { $0.uuid == uuid }
    case .missing(let uuid):
      for index in database.services.indices {
        database.services[index].characteristics.removeAll { $0.uuid == uuid }
      }
    case .otherService(let uuid, let other):
      for index in database.services.indices where database.services[index].uuid == uuid {
        database.services[index].uuid = other
      }
    case .otherType(let uuid, let other): database.change { if $0.uuid == uuid { $0.uuid = other } }
    case .properties(let uuid, let properties):
      database.change { if $0.uuid == uuid { $0.properties = properties } }
    case .reading(let uuid, let need): database.change { if $0.uuid == uuid { $0.reading = need } }
    case .writing(let uuid, let need): database.change { if $0.uuid == uuid { $0.writing = need } }
    case .value(let uuid, let value): database.setInitialValue(of: uuid, value)
    }
  }
}

extension RecorderFault {
  static let ofAttributes = [
    RecorderFault("records-readable-in-clear", "Its last answers can be read without encryption.") {
      $0.attributes.add(.reading(DictofunUUID.filesList, .open))
      $0.attributes.add(.reading(DictofunUUID.fileData, .open))
    },
    RecorderFault("pairing-writable-in-clear", "Anybody can write to its pairing characteristic.") {
      $0.attributes.add(.writing(DictofunUUID.pairing, .open))
    },
    RecorderFault("battery-level-writable", "Its battery level can be written.") {
      $0.attributes.add(.writing(DictofunUUID.batteryLevel, .open))
    },
    RecorderFault("bootloader-entry-readable", "Its way into the bootloader can be read.") {
      $0.attributes.add(.reading(DictofunUUID.buttonlessDFU, .open))
    },
    RecorderFault("file-data-without-read", "Its file data lack the property that they can be read.") {
      $0.attributes.add(.properties(DictofunUUID.fileData, .notify))
    },
    RecorderFault("hides-its-appearance", "Its appearance is missing, which moves all handles after it.") {
      $0.attributes.add(.missing(DictofunUUID.appearance))
    },
    RecorderFault("prefers-slow-links", "Its preferred connection interval is 1 s.") {
      $0.attributes.add(
        .value(DictofunUUID.peripheralPreferredConnectionParameters, [0x20, 0x03, 0x20, 0x03, 0, 0, 0x58, 0x02]))
    },
  ]
}
