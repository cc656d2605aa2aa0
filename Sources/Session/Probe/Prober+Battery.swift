import Bench
import DictofunProtocol
import HostStack
import Phone
import Probe
import Timeline
import World

extension Prober {
  /// A full battery, about 4.15 V at the terminals, beyond which no supply goes; and the steps in which it is lowered. In
  /// millivolts as the recorder should report them.
  static let full = 3_800
  private static let (coarse, fine) = (100, 6)
  /// Down from the lowest level to power-off.
  private static let lowStep = 40
  /// How far down it goes at most.
  private static let lowest = 2_400
  /// What the levels are made of: four measurements.
  private static let settling = Duration.seconds(40)
  /// A voltage for the highest level, and one for a low level whose quarters on the way all show other levels.
  static let (high, low) = (3_700, 3_200)
  /// Parts of a whole.
  private static let million: Int64 = 1_000_000

  /// Lowers the battery in steps and reads the level, until the recorder switches itself off.
  mutating func changeBattery() async throws {
    try await wake()
    try await connectUnsecuredOrSecured()
    let place = recorder.services.flatMap(\.characteristics).first { $0.uuid == DictofunUUID.batteryLevel }?.valueHandle
    guard let place else { throw PhoneFailure.serviceMissing(DictofunUUID.batteryService) }
    try await measureDivider(place)
    try await measurePeriod(place)
    try await measureLowBattery(place)
    try await disconnect()
  }

  private func connectUnsecuredOrSecured() async throws {
    do { try await connect() } catch is PhoneFailure { try await connectUnsecured() }
  }

  /// Sets a voltage, and reads the level when it has settled; `nil` where the link ended meanwhile.
  private func level(at millivolts: Int, _ place: AttributeHandle) async throws -> UInt8? {
    try await phone.perform(.setBattery(millivolts: millivolts))
    let began = phone.now
    let signs = try lifeSigns()
    while began.duration(to: phone.now) < Self.settling {
      guard try await stay(Self.lifeSign, since: began) else { return nil }
      guard case .success = try await phone.perform(.attribute(signs), within: RecorderConversation.connectionLimit)
      else { return nil }
    }
    guard
      case .success(.attribute(.value(let value))) = try await phone.perform(
        .attribute(.read(place)), within: RecorderConversation.connectionLimit)
    else { return nil }
    return value.first
  }

  /// The voltage at which the highest level changes.
  private mutating func measureDivider(_ place: AttributeHandle) async throws {
    guard let top = try await level(at: Self.full, place), top > 0, top % BatteryLevel.stepPercent == 0,
      Int(top / BatteryLevel.stepPercent) <= BatteryLevel.thresholdMillivolts.count
    else { return recorder.keep(.divider, missing: "it shows no level with a full battery") }
    var (above, below) = (Self.full, Self.full - Self.coarse)
    while let shown = try await level(at: below, place), shown >= top {
      (above, below) = (below, below - Self.coarse)
      guard below > Self.lowest else { return recorder.keep(.divider, missing: "its level does not change") }
    }
    guard log.disconnection(since: log.connection?.instant ?? .zero) == nil else {
      return recorder.keep(.divider, missing: "it switched itself off before its level changed")
    }
    while above - below > Self.fine {
      let middle = (above + below) / 2
      guard let shown = try await level(at: middle, place) else { throw PhoneFailure.notConnected }
      if shown >= top { above = middle } else { below = middle }
    }
    var measurement = Measurement(.ratio, "the voltage at which its level leaves \(top) %")
    let threshold = Int64(BatteryLevel.thresholdMillivolts[Int(top / BatteryLevel.stepPercent) - 1])
    // The recorder reports whole millivolts.
    measurement.add(.init(threshold * Self.million / Int64(above + 1), threshold * Self.million / Int64(below - 1)))
    recorder.keep(.divider, measurement, otherwise: "its level does not change")
  }

  /// What makes the recorder report this voltage, as far as a full battery can.
  private func stated(_ millivolts: Int) -> Int {
    let ratio = recorder.figures[.divider]?.value ?? Self.million
    return min(Self.full, Int(Int64(millivolts) * Self.million / max(1, ratio)))
  }

  /// Changes the voltage at once: the level follows in four steps, one with each measurement.
  private mutating func measurePeriod(_ place: AttributeHandle) async throws {
    var measurement = Measurement(.time, "between notifications of its level after a step of the voltage")
    guard try await level(at: stated(Self.high), place) != nil else { throw PhoneFailure.notConnected }
    for target in [Self.low, Self.high] {
      let before = hearing.count
      guard try await level(at: stated(target), place) != nil else { throw PhoneFailure.notConnected }
      let times = hearing.values(after: before).filter { $0.attribute == place }.map(\.instant)
      let jitter = (log.connection?.interval ?? .zero) + Self.transit
      for (one, other) in zip(times, times.dropFirst()) {
        measurement.add(.init(one.duration(to: other) - jitter, one.duration(to: other) + jitter))
      }
    }
    recorder.keep(.batteryPeriod, measurement, otherwise: "its level was not notified step by step")
  }

  /// Lowers the voltage until the recorder goes.
  private mutating func measureLowBattery(_ place: AttributeHandle) async throws {
    var measurement = Measurement(.voltage, "the voltage at which it switches itself off")
    var above = stated(Self.low + 2 * Self.lowStep)
    guard try await level(at: above, place) != nil else { throw PhoneFailure.notConnected }
    var below = above - Self.lowStep
    while try await level(at: below, place) != nil {
      (above, below) = (below, below - Self.lowStep)
      guard below > Self.lowest else { break }
    }
    if log.disconnection(since: log.connection?.instant ?? .zero) != nil {
      let ratio = recorder.figures[.divider]?.value ?? Self.million
      // A battery is low below the voltage; small units are microvolts.
      measurement.add(.init(Int64(below) * ratio / 1_000, Int64(above) * ratio / 1_000))
    }
    recorder.keep(.lowBattery, measurement, otherwise: "it did not switch itself off above \(Self.lowest) mV")
  }
}
