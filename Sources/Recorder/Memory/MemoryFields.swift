import Bytes
import Crypto
import DictofunProtocol
import HostStack
import SecureDFU
import Timeline

// The fields of a memory's table; each is written and read side by side.

/// Octets of a long-term key and of an identity resolving key.
private let memoryKeyLength = 16

extension ByteWriter {
  mutating func write(_ value: Int64) { write(UInt64(bitPattern: value)) }

  /// At most 65,535 octets, with their number.
  mutating func writeField(_ octets: [UInt8]) {
    write(UInt16(clamping: octets.count))
    write(Array(octets.prefix(Int(UInt16.max))))
  }

  mutating func writeText(_ text: String) { writeField(Array(text.utf8)) }

  mutating func writeOptional<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    write(UInt8(value == nil ? 0 : 1))
    if let value { body(&self, value) }
  }

  mutating func writeList<Value>(_ values: [Value], _ body: (inout ByteWriter, Value) -> Void) {
    write(UInt16(clamping: values.count))
    for value in values.prefix(Int(UInt16.max)) { body(&self, value) }
  }

  mutating func write(_ address: BluetoothAddress) {
    write(address.littleEndian)
    write(address.kind.rawValue)
  }

  mutating func write(_ clock: RealTimeClock, at instant: Instant, wall: Int64) {
    write(clock.nanoseconds(at: instant))
    write(clock.partsPerBillion)
    write(UInt8(clock.isStopped ? 1 : 0))
    write(wall)
  }

  mutating func write(_ storage: RecordStorage, _ digests: inout [[UInt8]]) {
    write(UInt8(storage.isInterrupted ? 1 : 0) | UInt8(storage.isErasing ? 2 : 0))
    writeList(storage.entries) { writer, entry in
      writer.write(entry.identifier.octets)
      writer.write(
        UInt8(entry.isFinished ? 1 : 0) | UInt8(entry.isDelivered ? 2 : 0) | UInt8(entry.isConfirmed ? 4 : 0))
      writer.write(digests.removeFirst())
    }
  }

  mutating func write(_ bond: Bond) {
    write(bond.identity)
    writeOptional(bond.localKey) { $0.write($1) }
    writeOptional(bond.peerKey) { $0.write($1) }
    writeOptional(bond.peerIdentityResolvingKey) { $0.writeField($1) }
    write(UInt8(bond.secureConnections ? 1 : 0))
    writeList(bond.subscriptions) { writer, subscription in
      writer.write(subscription.handle.rawValue)
      writer.write(subscription.subscription.rawValue)
    }
  }

  mutating func write(_ key: LongTermKey) {
    writeField(key.key)
    write(key.encryptedDiversifier)
    write(key.randomNumber)
    write(key.keySize)
  }

  mutating func write(_ bank: FirmwareBank) {
    write(bank.content.rawValue)
    write(bank.size)
    write(bank.checksum)
    write(bank.start)
  }

  mutating func write(_ settings: BootloaderSettings) {
    write(settings.applicationVersion)
    write(settings.bootloaderVersion)
    write(settings.bank0)
    write(settings.bank1)
    write(UInt32(clamping: settings.progress.commandSize))
    writeField(settings.progress.command)
    write(UInt32(clamping: settings.progress.dataObjectSize))
    write(settings.progress.offset)
    write(settings.progress.checksum)
    write(settings.progress.executedOffset)
    write(settings.progress.executedChecksum)
    write(settings.copied)
  }
}

extension ByteReader {
  private mutating func readInt64(_ field: StaticString) throws(DecodingFailure) -> Int64 {
    Int64(bitPattern: try readUInt64(field))
  }

  private mutating func readField(_ field: StaticString) throws(DecodingFailure) -> [UInt8] {
    try readBytes(Int(try readUInt16(field)), field)
  }

  private mutating func readText(_ field: StaticString) throws(DecodingFailure) -> String {
    String(decoding: try readField(field), as: UTF8.self)
  }

  private mutating func readIsThere(_ field: StaticString) throws(DecodingFailure) -> Bool {
    switch try readUInt8(field) {
    case 0: false
    case 1: true
    case let other: throw DecodingFailure(.invalid(value: UInt64(other)), field: "\(field)", offset: offset)
    }
  }

  private func require<Value>(_ value: Value?, _ field: StaticString) throws(DecodingFailure) -> Value {
    if let value { return value }
    throw DecodingFailure(.invalid(value: 0), field: "\(field)", offset: offset)
  }

  mutating func readMemory(
    wall: Int64, content: ([UInt8]) -> [UInt8]?
  ) throws(DecodingFailure) -> RecorderMemory {
    let address = try readAddress()
    let profile = try readText("profile")
    let name = try readText("board")
    let build = try require(BootloaderBuild.all.first { $0.name == name }, "board")
    let clock = try readClock(wall: wall)
    let flags = try readUInt8("flags")
    let bootloaderName = try readIsThere("name") ? try readField("name") : nil
    let storage = try readStorage(content)
    var bonds: [Bond] = []
    for _ in 0..<(try readUInt16("bonds")) { bonds.append(try readBond()) }
    let settings = try readIsThere("settings") ? try readSettings(of: build) : nil
    let backup = try readIsThere("backup") ? try readSettings(of: build) : nil
    var pages: [[UInt8]] = []
    for _ in 0..<(try readUInt16("pages")) {
      pages.append(
        try readIsThere("page") ? try require(content(try readBytes(SHA256.digestLength, "page")), "page") : [])
    }
    return RecorderMemory(
      address: address, profile: profile, board: name, storage: storage, bonds: bonds, clock: clock,
      hasTakenTime: flags & 1 != 0, hasBeenConnected: flags & 2 != 0, bootloaderName: bootloaderName,
      chip: BootloaderFlash(build: build, pages: pages, settings: settings, backup: backup))
  }

  private mutating func readAddress() throws(DecodingFailure) -> BluetoothAddress {
    let octets = try readBytes(6, "address")
    return BluetoothAddress(littleEndian: octets, try require(.init(rawValue: try readUInt8("address")), "address"))
  }

  /// A clock that ran on since, unless it was stopped. A machine's clock that was set back since then counts as none.
  private mutating func readClock(wall: Int64) throws(DecodingFailure) -> RealTimeClock {
    let shown = try readInt64("clock")
    let error = Oscillator.held(try readInt64("clock"))
    let isStopped = try readIsThere("clock")
    let written = try readInt64("clock")
    let passed = isStopped ? 0 : max(0, Int128(wall) - Int128(written))
    let now = Int128(shown) + passed * Int128(1_000_000_000 + error) / 1_000_000_000
    return RealTimeClock(
      nanoseconds: Int64(clamping: now), partsPerBillion: error, isStopped: isStopped, at: .zero)
  }

  private mutating func readStorage(_ content: ([UInt8]) -> [UInt8]?) throws(DecodingFailure) -> RecordStorage {
    let flags = try readUInt8("storage")
    var entries: [StoredRecord] = []
    for _ in 0..<(try readUInt16("records")) {
      let identifier = try require(RecordIdentifier(try readBytes(RecordIdentifier.octetCount, "record")), "record")
      let state = try readUInt8("record")
      let octets = try require(content(try readBytes(SHA256.digestLength, "record")), "record")
      entries.append(
        StoredRecord(
          identifier: identifier, content: octets, isFinished: state & 1 != 0, isDelivered: state & 2 != 0,
          isConfirmed: state & 4 != 0))
    }
    return RecordStorage(entries: entries, wasCut: flags & 1 != 0, isErasing: flags & 2 != 0)
  }

  private mutating func readBond() throws(DecodingFailure) -> Bond {
    let identity = try readAddress()
    let localKey = try readIsThere("key") ? try readKey() : nil
    let peerKey = try readIsThere("key") ? try readKey() : nil
    let resolvingKey = try readIsThere("key") ? try readBytes(memoryKeyLength, from: try readUInt16("key")) : nil
    var bond = Bond(
      identity: identity, localKey: localKey, peerKey: peerKey, peerIdentityResolvingKey: resolvingKey,
      secureConnections: try readIsThere("bond"))
    for _ in 0..<(try readUInt16("subscriptions")) {
      let handle = AttributeHandle(try readUInt16("subscription"))
      bond.subscriptions.append(
        StoredSubscription(handle: handle, subscription: Subscription(rawValue: try readUInt16("subscription"))))
    }
    return bond
  }

  private mutating func readKey() throws(DecodingFailure) -> LongTermKey {
    let key = try readBytes(memoryKeyLength, from: try readUInt16("key"))
    return LongTermKey(
      key: key, encryptedDiversifier: try readUInt16("key"), randomNumber: try readUInt64("key"),
      keySize: try readUInt8("key"))
  }

  /// Reads a field of exactly `count` octets; `stated` is the length that precedes it.
  private mutating func readBytes(_ count: Int, from stated: UInt16) throws(DecodingFailure) -> [UInt8] {
    _ = try require(stated == count ? stated : nil, "key")
    return try readBytes(count, "key")
  }

  private mutating func readBank() throws(DecodingFailure) -> FirmwareBank {
    var bank = FirmwareBank()
    bank.content = try require(.init(rawValue: try readUInt8("bank")), "bank")
    bank.size = try readUInt32("bank")
    bank.checksum = try readUInt32("bank")
    bank.start = try readUInt32("bank")
    return bank
  }

  private mutating func readSettings(of build: BootloaderBuild) throws(DecodingFailure) -> BootloaderSettings {
    var settings = BootloaderSettings()
    settings.applicationVersion = try readUInt32("settings")
    settings.bootloaderVersion = try readUInt32("settings")
    settings.bank0 = try readBank()
    settings.bank1 = try readBank()
    settings.progress.commandSize = Int(try readUInt32("settings"))
    settings.progress.command = try readField("settings")
    settings.progress.dataObjectSize = Int(try readUInt32("settings"))
    settings.progress.offset = try readUInt32("settings")
    settings.progress.checksum = try readUInt32("settings")
    settings.progress.executedOffset = try readUInt32("settings")
    settings.progress.executedChecksum = try readUInt32("settings")
    settings.copied = try readUInt32("settings")
    return try require(settings.isConsistent(with: build) ? settings : nil, "settings")
  }
}
