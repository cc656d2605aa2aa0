import Bytes
import DictofunProtocol
import HostStack
import Packets
import Testing

@testable import Recorder

/// What default addresses hang on.
@Suite struct AttributeTableDigests {
  private let services = RecorderDatabase.make(.reference).services

  @Test func changeWithWhateverAPhoneDiscovers() {
    let known = RecorderProfile.digest(of: services)
    #expect(known == RecorderProfile.reference.attributeTableDigest)
    var changed: [[ServiceDefinition]] = [Array(services.dropLast()), services.reversed(), services + [services[0]]]
    for (place, service) in services.enumerated() {
      for index in service.characteristics.indices {
        var other = services
        other[place].characteristics.remove(at: index)
        changed.append(other)
        other = services
        other[place].characteristics[index].properties.formSymmetricDifference(.writeWithoutResponse)
        changed.append(other)
        other = services
        other[place].characteristics[index].uuid = DictofunUUID.firmwareRevision
        changed.append(other)
      }
    }
    let digests = changed.map(RecorderProfile.digest)
    #expect(!digests.contains(known))
    #expect(Set(digests).count == digests.count)
  }

  @Test func stayWithFirstValues() {
    var renamed = RecorderProfile.reference
    renamed.deviceName = "another"
    #expect(renamed.attributeTableDigest == RecorderProfile.reference.attributeTableDigest)
    var other = services
    other[0].characteristics[0].initialValue = [0x41]
    #expect(RecorderProfile.digest(of: other) == RecorderProfile.reference.attributeTableDigest)
  }
}

/// Registering the attributes.
@Suite struct RecorderDatabases {
  /// The handles that the SoftDevice gives in the order in which the firmware registers its services.
  @Test func haveTheHandlesOfTheFirmware() {
    let handles: [(BluetoothUUID, UInt16)] = [
      (DictofunUUID.deviceName, 0x0003), (DictofunUUID.appearance, 0x0005),
      (DictofunUUID.peripheralPreferredConnectionParameters, 0x0007), (DictofunUUID.centralAddressResolution, 0x0009),
      (DictofunUUID.serviceChanged, 0x000C), (DictofunUUID.controlPoint, 0x0010), (DictofunUUID.filesList, 0x0013),
      (DictofunUUID.filesListContinuation, 0x0016), (DictofunUUID.fileInformation, 0x0019),
      (DictofunUUID.fileData, 0x001C), (DictofunUUID.fileSystemStatus, 0x001F), (DictofunUUID.generalStatus, 0x0022),
      (DictofunUUID.pairing, 0x0025), (DictofunUUID.batteryLevel, 0x0029), (DictofunUUID.buttonlessDFU, 0x002D),
    ]
    let found = RecorderDatabase.make(.reference).discovered.flatMap(\.characteristics)
    #expect(found.map(\.uuid) == handles.map(\.0))
    #expect(found.map(\.valueHandle.rawValue) == handles.map(\.1))
    let configured = found.filter { $0.configurationHandle != nil }
    #expect(configured.allSatisfy { $0.configurationHandle?.rawValue == $0.valueHandle.rawValue + 1 })
    #expect(configured.count == 11)
  }

  /// The handles that the SoftDevice gives in the order of `nrf_dfu_ble.c`.
  @Test func haveTheHandlesOfTheBootloader() {
    #expect(BootloaderDatabase.packet.rawValue == 0x000E)
    #expect(BootloaderDatabase.controlPoint.rawValue == 0x0010)
  }

  /// One more service in the table is all it takes to have it served.
  @Test func serveAServiceThatIsAddedToTheTable() throws {
    var table = AttributeTable.application
    table.services.append(.deviceInformation)
    let services = RecorderDatabase.make(.reference, from: table).discovered
    let added = try #require(services.last)
    let before = try #require(services.dropLast().last?.characteristics.last)
    let end = (before.configurationHandle ?? before.valueHandle).rawValue
    #expect(added.uuid == DictofunUUID.deviceInformationService)
    #expect(added.handle.rawValue == end + 1)
    #expect(added.characteristics.map(\.valueHandle.rawValue) == [end + 3, end + 5])
  }

  @Test func openWhatIsEncryptedForAFirmwareWithoutSecurity() {
    var profile = RecorderProfile.reference
    profile.faults.security.acceptsUnencrypted = true
    let access = { (profile: RecorderProfile) in
      RecorderDatabase.make(profile).services.flatMap(\.characteristics).map { [$0.reading, $0.writing] }
    }
    let places = RecorderDatabase.make(.reference).services.flatMap(\.characteristics).map(\.uuid)
    let ownersOnly = [DictofunUUID.deviceName, DictofunUUID.buttonlessDFU]
    let expected = zip(places, access(.reference)).map { uuid, access in
      ownersOnly.contains(uuid) ? access : access.map { $0 == .encrypted ? AccessRequirement.open : $0 }
    }
    #expect(access(.reference) != expected)
    #expect(access(profile) == expected)
  }

  /// Only an owner renames a recorder and starts its bootloader; the published firmware lets everybody.
  @Test(arguments: [
    (DictofunUUID.deviceName, PublishedBehaviour.renaming), (DictofunUUID.buttonlessDFU, .bootloaderEntry),
  ])
  func demandEncryptionOfWhatOnlyAnOwnerMayDo(uuid: BluetoothUUID, published: PublishedBehaviour) {
    let writing = { (profile: RecorderProfile) in
      RecorderDatabase.make(profile).services.flatMap(\.characteristics).first { $0.uuid == uuid }?.writing
    }
    #expect(writing(.reference) == .encrypted)
    #expect(writing(.published) == .open)
    #expect(writing(.reference.with(published)) == .open)
  }
}
