import Bytes
import DictofunProtocol
import Phone
import Recorder

/// What a proof is about: the recorder's firmware, the phone, the records, and how much may go wrong.
package struct MeetingPlan: Hashable, Sendable {
  /// Which firmware the recorder has.
  package var profile = RecorderProfile.reference
  /// Faults of the phone.
  package var phoneFaults: [PhoneFault] = []
  /// The records on the recorder when the two meet first, by their sizes in octets, oldest first.
  package var sizes: [Int]
  /// How many disturbances there may be; `nil` for any number of them.
  package var disturbances: Int?

  /// The most records that a proof can be about, and the most octets of each.
  package static let limits = (records: 3, octets: 4096)

  /// A proof about reference and reference phone, and records of these sizes.
  package init(sizes: [Int] = [300]) { self.sizes = sizes }

  /// The recorder's address.
  package static let recorderAddress = BluetoothAddress(0xC0DE_0000_0001, .random)
  static let phoneAddress = BluetoothAddress(0xC000_0000_00FF, .random)

  /// The records, a minute apart; no two octets of theirs in the same place are the same.
  var records: [PlacedRecord] {
    sizes.enumerated().map { index, size in
      let time = RecorderConfiguration.defaultClock.adding(seconds: Int64(index - sizes.count) * 60)
      return PlacedRecord(
        identifier: RecordIdentifier(time),
        content: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index &* 64 &+ 1) })
    }
  }

  var recorder: RecorderConfiguration {
    var configuration = RecorderConfiguration(address: Self.recorderAddress, profile: profile)
    configuration.records = records
    configuration.staysAwake = true
    return configuration
  }

  func phone(_ library: PhoneLibrary) -> PhoneConfiguration {
    var configuration = PhoneConfiguration(ownAddress: Self.phoneAddress, library: library)
    configuration.faults = phoneFaults
    return configuration
  }
}
