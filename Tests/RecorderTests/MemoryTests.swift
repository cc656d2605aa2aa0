import Bytes
import DictofunProtocol
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder

/// A recorder that keeps something of everything; `change` spoils its bootloader's settings.
private func fullMemory(_ change: (inout BootloaderSettings) -> Void = { _ in }) -> RecorderMemory {
  var configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
  configuration.clockErrorPartsPerBillion = 20_000
  let key = LongTermKey(
    key: Array(1...16), encryptedDiversifier: 0x1234, randomNumber: 0x0102_0304_0506_0708, keySize: 16)
  var bond = Bond(
    identity: BluetoothAddress(0xC0FF_EE00_0001, .random), localKey: key, peerKey: nil,
    peerIdentityResolvingKey: Array(17...32), secureConnections: true)
  bond.subscriptions = [StoredSubscription(handle: AttributeHandle(0x0019), subscription: .notifications)]
  configuration.bonds = [bond]
  configuration.records = [3, 700, 700].enumerated().map { index, size in
    PlacedRecord(
      identifier: RecordIdentifier(CivilTime(secondsSince2000: Int64(index))),
      content: [UInt8](repeating: 7, count: size))
  }
  var body = RecorderBody(configuration)
  body.storage.markDelivered(0)
  _ = body.storage.confirmDelivered()
  body.storage.markDelivered(1)
  _ = body.storage.create(RecordIdentifier(repeating: 0x39))
  body.storage.append([UInt8](repeating: 5, count: 256))
  body.hasTakenTime = true
  body.bootloaderName = Array("name".utf8)
  var chip = BootloaderFlash(build: .s132Debug, application: RecorderFirmware.syntheticImage, version: 5)
  chip.perform(.write(0x40000, [1, 2, 3, 4]))
  chip.backup = nil
  chip.settings?.progress.command = [9, 8, 7]
  chip.settings?.bank1.content = .application
  chip.settings?.bank1.start = BootloaderBuild.s132Debug.bankStart
  if var settings = chip.settings {
    change(&settings)
    chip.settings = settings
  }
  return RecorderMemory(
    address: configuration.address, profile: "reference", board: "s132-debug", body: body, chip: chip)
}

private func read(_ encoded: EncodedMemory, wall: Int64) throws -> RecorderMemory {
  try RecorderMemory(decoding: encoded.table, wall: wall) { digest in
    encoded.contents.first { $0.digest == digest }?.octets
  }
}

@Suite struct MemoryCoding {
  /// Anybody can write a file whose digest is right; a bootloader that believed these numbers would reach beyond its flash.
  @Test func settingsThatNoBootloaderWritesAreDamage() throws {
    let changes: [(inout BootloaderSettings) -> Void] = [
      { $0.bank1.size = .max }, { $0.bank1.start = 0 }, { $0.bank0.start = .max }, { $0.progress.executedOffset = 1 },
      { $0.copied = 1 },
    ]
    for change in changes {
      var encoder = MemoryEncoder()
      let encoded = encoder.encode(fullMemory(change), at: .zero, wall: 0)
      #expect(throws: (any Error).self) { try read(encoded, wall: 0) }
    }
  }

  @Test func everythingIsReadAgain() throws {
    let memory = fullMemory()
    var encoder = MemoryEncoder()
    let encoded = encoder.encode(memory, at: .zero, wall: 0)
    let again = try read(encoded, wall: 0)
    #expect(again.chip == memory.chip)
    #expect(again.bonds == memory.bonds)
    #expect(again.clock == memory.clock)
    #expect(again.address == memory.address)
    #expect(again.bootloaderName == memory.bootloaderName)
    #expect(again.hasTakenTime)
    #expect(!again.hasBeenConnected)
    #expect(again.firmwareVersion == 5)
    #expect(again.records == memory.records)
    #expect(again.storage.entries == memory.storage.entries)
    #expect(again.storage.isInterrupted)
    #expect(again.storage.openEntry == nil)
    // Two records are the same octets, and kept once.
    #expect(encoded.contents.count == 5)
    #expect(encoder.encode(again, at: .zero, wall: 0).table == encoded.table)
    var mounted = again.storage
    mounted.mount(losesRecords: false)
    var original = memory.storage
    original.powerLost()
    original.mount(losesRecords: false)
    #expect(mounted.status == original.status)
    #expect(mounted.roomForRecord == original.roomForRecord)
  }

  @Test func theClockRunsOnWithItsError() throws {
    let memory = fullMemory()
    var encoder = MemoryEncoder()
    let encoded = encoder.encode(memory, at: Instant.zero.advanced(by: .seconds(10)), wall: 1_000_000_000_000)
    let shown = RecorderConfiguration.defaultClock
    // A second and a bit more in ten hours at 20 ppm.
    let later = try read(encoded, wall: 1_000_000_000_000 + 50_000 * 1_000_000_000)
    #expect(later.clock(at: .zero) == shown.adding(seconds: 50_011))
    #expect(try read(encoded, wall: 0).clock(at: .zero) == shown.adding(seconds: 10))
  }

  @Test func whatIsDamagedOrNewerIsRefused() throws {
    var encoder = MemoryEncoder()
    let encoded = encoder.encode(fullMemory(), at: .zero, wall: 0)
    for index in stride(from: 0, to: encoded.table.count, by: 7) where !(8..<10).contains(index) {
      var table = encoded.table
      table[index] ^= 0x10
      #expect(throws: MemoryRefusal.damaged) { try RecorderMemory(decoding: table, wall: 0) { _ in [] } }
    }
    for count in [0, 8, 41, encoded.table.count - 1] {
      let table = Array(encoded.table.prefix(count))
      #expect(throws: MemoryRefusal.damaged) { try RecorderMemory(decoding: table, wall: 0) { _ in [] } }
    }
    #expect(throws: MemoryRefusal.damaged) { try RecorderMemory(decoding: encoded.table, wall: 0) { _ in nil } }
    #expect(throws: MemoryRefusal.damaged) { try RecorderMemory(decoding: encoded.table, wall: 0) { _ in [1] } }
    var newer = encoded.table
    newer[8] = 2
    #expect(throws: MemoryRefusal.newer(version: 2)) {
      try RecorderMemory(decoding: newer, wall: 0) { _ in nil }
    }
  }
}
