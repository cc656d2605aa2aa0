import Bytes
import Crypto
import DictofunProtocol
import HostStack

extension RecorderProfile {
  fileprivate func demandsOwner(_ policy: OwnerPolicy, _ isFaulty: Bool) -> Bool { policy == .owners && !isFaulty }

  /// The attributes that a recorder of this profile serves.
  public var attributes: GATTDatabase { RecorderDatabase.make(self) }
}

/// The attributes of the application: ``AttributeTable/application`` with what a profile changes in it.
enum RecorderDatabase {
  /// The database of a profile.
  static func make(_ profile: RecorderProfile, from table: AttributeTable = .application) -> GATTDatabase {
    var database = profile.services.map(GATTDatabase.init) ?? table.database
    database.setInitialValue(of: DictofunUUID.deviceName, Array(profile.deviceName.utf8))
    if profile.faults.security.acceptsUnencrypted { database.removeEncryption() }
    // A link is encrypted only with the key of a bond, because nobody pairs without keeping it.
    if profile.demandsOwner(profile.policies.renaming, profile.faults.security.letsStrangersRename) {
      database.demandEncryption(of: DictofunUUID.deviceName)
    }
    if profile.demandsOwner(profile.policies.bootloaderEntry, profile.faults.security.letsStrangersUpdate) {
      database.demandEncryption(of: DictofunUUID.buttonlessDFU)
    }
    profile.faults.attributes.apply(to: &database)
    return database
  }
}

extension GATTDatabase {
  /// Gives every characteristic of a type another first value.
  mutating func setInitialValue(of uuid: BluetoothUUID, _ value: [UInt8]) {
    change { if $0.uuid == uuid { $0.initialValue = value } }
  }

  /// Takes writes of every characteristic of a type on encrypted links only.
  fileprivate mutating func demandEncryption(of uuid: BluetoothUUID) {
    change { if $0.uuid == uuid, $0.writing == .open { $0.writing = .encrypted } }
  }

  /// Opens whatever needs an encrypted link.
  fileprivate mutating func removeEncryption() {
    change {
      if $0.reading == .encrypted { $0.reading = .open }
      if $0.writing == .encrypted { $0.writing = .open }
    }
  }

  /// Changes every characteristic.
  mutating func change(_ body: (inout CharacteristicDefinition) -> Void) {
    for service in services.indices {
      for characteristic in services[service].characteristics.indices {
        body(&services[service].characteristics[characteristic])
      }
    }
  }
}

extension RecorderProfile {
  /// SHA-256 of what a phone can discover: services and characteristics in order, with their properties. Handles follow
  /// from the order; first values and permissions do not count.
  public var attributeTableDigest: [UInt8] { Self.digest(of: RecorderDatabase.make(self).services) }

  static func digest(of services: [ServiceDefinition]) -> [UInt8] {
    var octets: [UInt8] = []
    for service in services {
      octets += "\(service.uuid)/".utf8
      for characteristic in service.characteristics {
        octets += "\(characteristic.uuid)=\(characteristic.properties.rawValue),".utf8
      }
    }
    return SHA256.digest(octets)
  }
}
