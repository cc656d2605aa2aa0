import Bytes
import Crypto
import DictofunProtocol
import HostStack

extension RecorderProfile {
  /// The attributes that a recorder of this profile serves.
  public var attributes: GATTDatabase { RecorderDatabase.make(self) }
}

/// The recorder's attributes, in the order in which its firmware registers them; the handles of `DictofunHandle`
/// follow from it.
enum RecorderDatabase {
  /// The database of a profile.
  static func make(_ profile: RecorderProfile) -> GATTDatabase {
    GATTDatabase(services: [
      genericAccess(profile), genericAttribute,
      fileTransfer(profile.faults.security.acceptsUnencrypted ? .open : .encrypted), battery, secureDFU,
    ])
  }

  private static func genericAccess(_ profile: RecorderProfile) -> ServiceDefinition {
    ServiceDefinition(
      uuid: DictofunUUID.genericAccessService,
      characteristics: [
        CharacteristicDefinition(
          uuid: DictofunUUID.deviceName, properties: [.read, .write], reading: .open, writing: .open,
          initialValue: Array(profile.deviceName.utf8), maximumLength: 31),
        CharacteristicDefinition(
          uuid: DictofunUUID.appearance, properties: .read, reading: .open, initialValue: [0, 0], maximumLength: 2),
        CharacteristicDefinition(
          uuid: DictofunUUID.peripheralPreferredConnectionParameters, properties: .read, reading: .open,
          initialValue: DictofunLink.preferredConnectionParameters, maximumLength: 8),
        CharacteristicDefinition(
          uuid: DictofunUUID.centralAddressResolution, properties: .read, reading: .open, initialValue: [1],
          maximumLength: 1),
      ])
  }

  private static let genericAttribute = ServiceDefinition(
    uuid: DictofunUUID.genericAttributeService,
    characteristics: [
      CharacteristicDefinition(
        uuid: DictofunUUID.serviceChanged, properties: .indicate, initialValue: [1, 0, 0xFF, 0xFF], maximumLength: 4)
    ])

  private static func fileTransfer(_ requirement: AccessRequirement) -> ServiceDefinition {
    // The firmware gives everything that is written a notify property too, and never uses it.
    func written(_ uuid: BluetoothUUID, _ maximumLength: Int) -> CharacteristicDefinition {
      CharacteristicDefinition(
        uuid: uuid, properties: [.write, .notify], reading: requirement, writing: requirement, initialValue: [0],
        maximumLength: maximumLength)
    }
    func notified(_ uuid: BluetoothUUID, _ maximumLength: Int) -> CharacteristicDefinition {
      CharacteristicDefinition(
        uuid: uuid, properties: [.read, .notify], reading: requirement, initialValue: [0],
        maximumLength: maximumLength)
    }
    return ServiceDefinition(
      uuid: DictofunUUID.fileTransferService,
      characteristics: [
        written(DictofunUUID.controlPoint, ControlPointRequest.maximumLength),
        notified(DictofunUUID.filesList, 128),
        notified(DictofunUUID.filesListContinuation, 128),
        notified(DictofunUUID.fileInformation, FileInformation.maximumLength),
        notified(DictofunUUID.fileData, FileDataLayout.blockLength),
        notified(DictofunUUID.fileSystemStatus, FileSystemStatus.length),
        notified(DictofunUUID.generalStatus, 17),
        written(DictofunUUID.pairing, 1),
      ])
  }

  private static let battery = ServiceDefinition(
    uuid: DictofunUUID.batteryService,
    characteristics: [
      CharacteristicDefinition(
        uuid: DictofunUUID.batteryLevel, properties: [.read, .notify], reading: .open, initialValue: [0],
        maximumLength: 1)
    ])

  private static let secureDFU = ServiceDefinition(
    uuid: DictofunUUID.secureDFUService,
    characteristics: [
      CharacteristicDefinition(
        uuid: DictofunUUID.buttonlessDFU, properties: [.write, .indicate], writing: .open, maximumLength: 23,
        source: .application)
    ])
}

extension RecorderProfile {
  /// SHA-256 of what a phone can know of the table of attributes: services and characteristics in order, with their
  /// properties. Handles follow from it; first values and access do not count.
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
