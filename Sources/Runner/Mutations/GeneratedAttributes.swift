import Bytes
import DictofunProtocol
import HostStack
import Recorder

extension GeneratedFault {
  /// A type that no table has.
  private static let unknownType = BluetoothUUID(0xFFF7)
  private static let advertisements = "advertisements"
  private static let attributes = "attributes"
  /// The requirement about octets.
  private static let documented = "DEV-12"
  /// The requirement about strangers.
  private static let admitted = "DEV-10"

  /// Each octet of the advertising data and of the scan response inverted, and other intervals.
  static let ofAdvertising: [GeneratedFault] =
    DictofunAdvertisement.advertisingData.indices.map { index in
      GeneratedFault(
        "octet \(index) of the advertising data", advertisements, documented,
        .profile { $0.faults.advertising.invertedOctet = index })
    }
    + DictofunAdvertisement.scanResponseData.indices.map { index in
      GeneratedFault(
        "octet \(index) of the scan response", advertisements, documented,
        .profile { $0.faults.advertising.invertedResponseOctet = index })
    }
    + ([32, 100, 160, 199, 201, 240, 400, 800, 3200] as [UInt16]).map { slots in
      GeneratedFault(
        "an advertising interval of \(slots) slots", advertisements, "DEV-2",
        .profile { $0.faults.advertising.intervalSlots = slots })
    }

  /// Each service and characteristic missing or of another type, each property and permission changed, and each first
  /// value.
  static let ofAttributes: [GeneratedFault] =
    AttributeTable.application.services.flatMap { service in
      [
        fault("\(service.name) is missing", .missingService(service.uuid)),
        fault("\(service.name) has another type", .otherService(service.uuid, unknownType)),
      ] + service.characteristics.flatMap { ofCharacteristic($0.name, $0.definition) }
    }

  private static func ofCharacteristic(_ name: String, _ definition: CharacteristicDefinition) -> [GeneratedFault] {
    let uuid = definition.uuid
    let needs: [(AccessRequirement, String)] = [(.never, "never"), (.open, "always"), (.encrypted, "when encrypted")]
    let isGuarded = guarded.contains(uuid)
    let writing = isGuarded && definition.writing == .open ? AccessRequirement.encrypted : definition.writing
    let bits: [(CharacteristicProperties, String)] = [
      (.read, "read"), (.writeWithoutResponse, "command"), (.write, "write"), (.notify, "notify"),
      (.indicate, "indicate"),
    ]
    return [
      fault("\(name) is missing", .missing(uuid)), fault("\(name) has another type", .otherType(uuid, unknownType)),
    ]
      + bits.map { bit, word in
        fault("\(name): property \(word)", .properties(uuid, definition.properties.symmetricDifference(bit)))
      }
      + needs.filter { $0.0 != definition.reading }.map { need, word in
        fault("\(name) can be read \(word)", .reading(uuid, need), about: need == .open ? admitted : documented)
      }
      + needs.filter { $0.0 != writing }.map { need, word in
        fault("\(name) can be written \(word)", .writing(uuid, need), about: need == .open ? admitted : documented)
      }
      + [fault("\(name) begins with another value", .value(uuid, [0xA5]))]
  }

  /// Characteristics that only owners may write, whatever the table says.
  private static let guarded = [DictofunUUID.deviceName, DictofunUUID.buttonlessDFU]

  private static func fault(
    _ name: String, _ change: AttributeChange, about requirement: String = documented
  ) -> GeneratedFault {
    GeneratedFault(name, attributes, requirement, .profile { $0.faults.attributes.add(change) })
  }
}
