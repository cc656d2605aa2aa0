import Bytes
import DictofunProtocol
import Recorder
import Timeline
import World

/// Which recorders to simulate for somebody else.
package struct RecorderPlan: Sendable {
  /// How the virtual controllers of hosts that attach use the time of a connection event.
  package var timing = CentralTiming.phone
  /// A record that they begin with.
  package enum Record: Sendable {
    /// Heard by the microphone before time zero.
    case sound(WaveFile)
    /// Placed in storage as it is.
    case octets(RecordIdentifier, [UInt8])

    /// Reads a file: `.wav` is sound, a name of sixteen digits with `.record` is a record as it is.
    ///
    /// - Throws: ``DecodingFailure`` for a file that is not a sound, or a name that is not an identifier.
    package init(name: String, octets: [UInt8]) throws(DecodingFailure) {
      if name.hasSuffix(".wav") {
        self = .sound(try WaveFile(decoding: octets))
      } else if let identifier = RecordIdentifier(String(name.dropLast(".record".utf8.count))) {
        self = .octets(identifier, octets)
      } else {
        throw DecodingFailure(.invalid(value: 0), field: "record name, which is sixteen digits and .record", offset: 0)
      }
    }
  }

  /// The record as it lies in a recorder's storage when it was begun at `time` of its clock.
  static func placed(_ record: Record, begunAt time: CivilTime, profile: RecorderProfile) -> PlacedRecord {
    switch record {
    case .sound(let file): PlacedRecord(file, begunAt: time, profile: profile)
    case .octets(let identifier, let octets): PlacedRecord(identifier: identifier, content: octets)
    }
  }

  /// Which recorder.
  package var profile = RecorderProfile.reference
  /// What runs on their chips.
  package var program = RecorderProgram.modelled
  /// How many of them.
  package var count = 1
  /// Their addresses, for those that are not derived from the seed.
  package var addresses: [BluetoothAddress] = []
  /// Whether they never switch themselves off.
  package var staysAwake = true
  /// What is on the chip of every one of them.
  package var firmware = RecorderFirmware()
  /// What those of them keep that were simulated before; their addresses and records are these.
  package var memories: [RecorderMemory?] = []
  /// Whether file transfer and bootloader wait for nothing but the link.
  package var hasInstantFlash = false
  /// Faults that are planted into all of them for this run.
  package var faults: [RecorderFault] = []
  /// What every one of them holds.
  package var records: [Record] = []

  package init() {}

  /// What recorder `number` is made with.
  func configuration(number: Int, _ choices: ChoiceSource) -> RecorderConfiguration {
    let memory = memories.indices.contains(number) ? memories[number] : nil
    let stated = addresses.indices.contains(number) ? addresses[number] : nil
    let lasting = memory.flatMap { RecorderProfile.named($0.profile) } ?? profile
    var configuration = RecorderConfiguration(
      address: memory?.address ?? stated ?? address(number: number, choices),
      profile: lasting.with(faults))
    configuration.lastingProfile = lasting.name
    configuration.staysAwake = staysAwake
    configuration.firmware = firmware
    if hasInstantFlash {
      configuration.profile = configuration.profile.withInstantFlash
      configuration.firmware.timing = FlashTiming(erase: 0, word: 0)
      configuration.firmware.known = firmware.known.map {
        KnownFirmware(digest: $0.digest, name: $0.name, profile: $0.profile.withInstantFlash)
      }
    }
    configuration.memory = memory
    if memory == nil { configuration.records = placed(before: configuration.clock) }
    return configuration
  }

  /// The address of a recorder that is given none: a static random one, drawn by seed, number and table of attributes.
  /// Phones remember the table of an address they know, so another table needs another address.
  func address(number: Int, _ choices: ChoiceSource) -> BluetoothAddress {
    Self.address(number: number, table: profile.attributeTableDigest, choices)
  }

  /// The same for any digest of a table.
  static func address(number: Int, table: [UInt8], _ choices: ChoiceSource) -> BluetoothAddress {
    let octets = choices.stream("address.recorder-\(number).\(Hexadecimal.string(table))").bytes(6)
    return BluetoothAddress(BluetoothAddress(littleEndian: octets, .random).value | 0xC000_0000_0000, .random)
  }

  /// The records as they lie in storage at time zero: sound is recorded before it, two seconds from the end of one to
  /// the beginning of the next.
  func placed(before clock: CivilTime) -> [PlacedRecord] {
    let lengths = records.map { record -> Int64 in
      guard case .sound(let file) = record else { return 0 }
      return Int64(file.samples.count / max(1, file.sampleRate)) + 2
    }
    var begin = clock.adding(seconds: -lengths.reduce(0, +) - 2)
    return zip(records, lengths).map { record, length in
      defer { begin = begin.adding(seconds: length) }
      return Self.placed(record, begunAt: begin, profile: profile)
    }
  }
}
