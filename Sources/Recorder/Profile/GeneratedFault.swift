/// A recorder that is wrong in a way that nobody chose: a behaviour of the published firmware, or one time of its own
/// halved or doubled.
package struct GeneratedFault: Sendable {
  /// Its name, such as `halved keepAlive`.
  package let name: String
  /// What it is about, such as `timing`.
  package let subject: String
  /// The recorder that has it.
  package let profile: RecorderProfile

  /// Every generated fault.
  package static let all: [GeneratedFault] =
    PublishedBehaviour.allCases.map {
      GeneratedFault(
        name: "published \($0.rawValue)", subject: "published behaviour", profile: RecorderProfile.reference.with($0))
    } + times.flatMap { [halved($0), doubled($0)] }

  private struct Time {
    let name: String
    let path: WritableKeyPath<RecorderTiming, Int64> & Sendable

    init(_ name: String, _ path: WritableKeyPath<RecorderTiming, Int64> & Sendable) {
      self.name = name
      self.path = path
    }
  }

  private static let times: [Time] = [
    Time("bootToBluetooth", \.bootToBluetooth),
    Time("bootToSoftDevice", \.bootToSoftDevice),
    Time("mount", \.mount),
    Time("ownershipSwitch", \.ownershipSwitch),
    Time("createRecord", \.createRecord),
    Time("closeRecord", \.closeRecord),
    Time("statePoll", \.statePoll),
    Time("enginePass", \.enginePass),
    Time("flashRead", \.flashRead),
    Time("closeFile", \.closeFile),
    Time("batteryPeriod", \.batteryPeriod),
    Time("batteryLow", \.batteryLow),
    Time("outOfMemory", \.outOfMemory),
    Time("memoryCorrupt", \.memoryCorrupt),
    Time("noRecord", \.noRecord),
    Time("afterRecord", \.afterRecord),
    Time("keepAlive", \.keepAlive),
    Time("afterDisconnect", \.afterDisconnect),
    Time("absolute", \.absolute),
    Time("powerOff", \.powerOff),
    Time("resetOnHeldRail", \.resetOnHeldRail),
    Time("format", \.format),
    Time("securityRequest", \.securityRequest),
    Time("lowBatteryFarewell", \.lowBatteryFarewell),
    Time("pairingWindow", \.pairingWindow),
    Time("strangersLink", \.strangersLink),
  ]

  private static func halved(_ time: Time) -> GeneratedFault {
    changed(time, "halved") { $0 / 2 }
  }

  private static func doubled(_ time: Time) -> GeneratedFault {
    changed(time, "doubled") { $0 * 2 }
  }

  private static func changed(_ time: Time, _ word: String, _ change: (Int64) -> Int64) -> GeneratedFault {
    var profile = RecorderProfile.reference
    profile.timing[keyPath: time.path] = change(profile.timing[keyPath: time.path])
    return GeneratedFault(name: "\(word) \(time.name)", subject: "timing", profile: profile)
  }
}
