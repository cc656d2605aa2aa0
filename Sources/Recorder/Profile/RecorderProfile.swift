import DictofunProtocol
import HostStack

/// Which recorder is simulated: data and policies, no behaviour of its own.
public struct RecorderProfile: Hashable, Sendable {
  /// Name by which it is asked for.
  public var name: String
  /// Advertising data, at most 31 octets.
  public var advertisingData = DictofunAdvertisement.advertisingData
  /// Scan response data, at most 31 octets.
  public var scanResponseData = DictofunAdvertisement.scanResponseData
  /// Advertising interval in units of 0.625 ms.
  public var advertisingIntervalSlots = DictofunAdvertisement.advertisingIntervalSlots
  /// Complete name in the GAP Device Name characteristic.
  public var deviceName = DictofunAdvertisement.deviceName
  /// Largest ATT MTU, octets.
  public var maximumTransmissionUnit = DictofunLink.maximumTransmissionUnit
  /// Notifications that the stack takes before the first of them is acknowledged; Nordic's takes one unless told
  /// otherwise.
  public var notificationPlaces = 1
  /// Samples a second that the microphone really gives.
  public var sampleRate = RecordAudio.sampleRate
  /// Averaged millivolts below which the battery is low.
  public var lowBatteryMillivolts = BatteryLevel.shutdownMillivolts
  /// The voltage that it reports for the voltage that it should report, in parts per million: the error of its divider.
  public var batteryDividerPartsPerMillion = 1_000_000
  /// How much faster its processor's crystal swings than it should, in parts per billion.
  public var tickErrorPartsPerBillion: Int64 = 0
  /// How much faster the crystal of its clock swings than it should, in parts per billion.
  package var clockErrorPartsPerBillion: Int64 = 0
  /// How long its bootloader waits for a client; `nil` for as long as its build says.
  package var bootloaderIdle: Duration?
  /// The services that it registers, in this order; `nil` for those of every Dictofun.
  package var services: [ServiceDefinition]?
  /// How long things take.
  public var timing = RecorderTiming()
  /// What it does where recorders may differ legitimately.
  public var policies = RecorderPolicies()
  /// Its deliberate faults.
  package var faults = RecorderFaults()

  /// A profile that does everything as the reference.
  public init(name: String) { self.name = name }

  /// The real device repaired: wire formats, handles, advertising, security and button states are the published
  /// firmware's, its defects are not.
  public static let reference = RecorderProfile(name: "reference")

  /// The reference with everything that the published firmware of board 1.4 does otherwise, as far as this model has
  /// it: ``PublishedBehaviour``.
  public static let published = PublishedBehaviour.allCases.reduce(into: RecorderProfile(name: "firmware-1.4")) {
    $1.apply(to: &$0.policies)
  }

  /// All profiles, in the order they are listed.
  public static let all = [reference, published]

  private static let publishedPrefix = "published-"

  /// The profile of that name, with what follows it after `+` signs: deliberate faults, and behaviours of the published
  /// firmware such as `published-pairing`.
  public static func named(_ name: String) -> RecorderProfile? {
    let words = name.split(separator: "+", omittingEmptySubsequences: false)
    let profile = words.first.flatMap { base in all.first { $0.name == base } }
    return words.dropFirst().reduce(profile) { profile, word in
      guard let profile else { return nil }
      if word.hasPrefix(publishedPrefix) {
        return PublishedBehaviour(rawValue: String(word.dropFirst(publishedPrefix.count))).map { profile.with($0) }
      }
      return RecorderFault(String(word)).map { profile.with($0) }
    }
  }

  /// This profile with one behaviour of the published firmware, which its name tells after a `+` sign.
  public func with(_ behaviour: PublishedBehaviour) -> RecorderProfile {
    var profile = self
    behaviour.apply(to: &profile.policies)
    profile.name += "+" + Self.publishedPrefix + behaviour.rawValue
    return profile
  }

  /// Whether a power cut while something was being written costs all records.
  var losesRecordsAtPowerCut: Bool {
    policies.powerCut == .losesEverything || faults.storage.losesRecordsAtPowerCut
  }

  /// This profile with a file transfer that waits for nothing but the link, which no real recorder has: a flash and a
  /// system that take no time, and a stack that keeps the controller busy.
  public var withInstantFlash: RecorderProfile {
    var profile = self
    profile.notificationPlaces = 16
    profile.timing.enginePass = 0
    profile.timing.flashRead = 0
    return profile
  }

  /// This profile with pairing open at any time, for phones whose users have no button to press. Published firmware, which
  /// asks nobody, stays as it is.
  public var withOpenPairing: RecorderProfile {
    var profile = self
    if profile.policies.pairing == .ownerDecides { profile.policies.pairing = .alwaysOpen }
    return profile
  }

  /// This profile with one more deliberate fault, which its name tells behind a `+` sign.
  public func with(_ fault: RecorderFault) -> RecorderProfile {
    var profile = self
    fault.apply(to: &profile.faults)
    profile.name += "+" + fault.name
    return profile
  }

  /// This profile with all of these deliberate faults, planted one after the other.
  public func with(_ faults: [RecorderFault]) -> RecorderProfile { faults.reduce(self) { $0.with($1) } }
}
