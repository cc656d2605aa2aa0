import Phone
import Recorder

extension GeneratedFault {
  private struct Time: Sendable {
    let name: String
    let requirement: String
    let path: WritableKeyPath<RecorderTiming, Int64> & Sendable

    init(_ name: String, _ requirement: String, _ path: WritableKeyPath<RecorderTiming, Int64> & Sendable) {
      self.name = name
      self.requirement = requirement
      self.path = path
    }
  }

  private static let times: [Time] = [
    Time("bootToBluetooth", "DEV-2", \.bootToBluetooth),
    Time("bootToSoftDevice", "DEV-2", \.bootToSoftDevice),
    Time("mount", "DEV-1", \.mount),
    Time("ownershipSwitch", "DEV-1", \.ownershipSwitch),
    Time("createRecord", "DEV-1", \.createRecord),
    Time("closeRecord", "DEV-5", \.closeRecord),
    Time("statePoll", "DEV-5", \.statePoll),
    Time("enginePass", "DEV-6", \.enginePass),
    Time("flashRead", "DEV-6", \.flashRead),
    Time("closeFile", "DEV-6", \.closeFile),
    Time("batteryPeriod", "DEV-7", \.batteryPeriod),
    Time("batteryLow", "DEV-9", \.batteryLow),
    Time("outOfMemory", "DEV-9", \.outOfMemory),
    Time("memoryCorrupt", "DEV-9", \.memoryCorrupt),
    Time("noRecord", "DEV-9", \.noRecord),
    Time("afterRecord", "DEV-9", \.afterRecord),
    Time("keepAlive", "DEV-9", \.keepAlive),
    Time("afterDisconnect", "DEV-9", \.afterDisconnect),
    Time("absolute", "DEV-9", \.absolute),
    Time("powerOff", "DEV-9", \.powerOff),
    Time("resetOnHeldRail", "DEV-9", \.resetOnHeldRail),
    Time("format", "DEV-9", \.format),
    Time("securityRequest", "DEV-12", \.securityRequest),
    Time("lowBatteryFarewell", "DEV-7", \.lowBatteryFarewell),
    Time("pairingWindow", "DEV-10", \.pairingWindow),
    Time("strangersLink", "DEV-10", \.strangersLink),
  ]

  /// Each time of the recorder halved, doubled and ten times as long.
  static let ofTimes: [GeneratedFault] = times.flatMap { time in
    [
      changed(time, "halved") { $0 / 2 }, changed(time, "doubled") { $0 * 2 },
      changed(time, "ten times") { $0 * 10 },
    ]
  }

  private static func changed(
    _ time: Time, _ word: String, _ change: @escaping @Sendable (Int64) -> Int64
  ) -> GeneratedFault {
    GeneratedFault(
      "\(word) \(time.name)", "recorder times", time.requirement,
      .profile { $0.timing[keyPath: time.path] = change($0.timing[keyPath: time.path]) })
  }
}
