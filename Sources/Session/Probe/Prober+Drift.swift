import Bench
import DictofunProtocol
import HostStack
import Phone
import Probe
import Text
import Timeline
import World

/// What the names of records that are begun at known times tell of a clock which shows whole seconds.
private struct ClockOffset {
  /// The recorder's clock is ahead of ours by at least and at most this many nanoseconds, and the time from a press to a
  /// record, which is the same for all.
  private(set) var (least, most) = (Int64.min, Int64.max)

  /// Takes a record that was begun between two instants.
  mutating func take(_ name: LocalSeconds, between earliest: Instant, and latest: Instant) {
    let second = Int64(1_000_000_000)
    least = max(least, name * second - Int64(clamping: latest.nanoseconds))
    most = min(most, (name + 1) * second - Int64(clamping: earliest.nanoseconds))
  }
}

extension Prober {
  /// Presses of a batch, each in another part of a second: the edge between two seconds is found to a twentieth.
  private static let driftPresses = 20
  /// One press and the pause after it: whole seconds and a twentieth.
  private static let (driftPress, driftPause) = (Duration.milliseconds(600), Duration.milliseconds(2_450))
  /// Between two looks of the state machine at the button, with room: what presses differ in.
  private static let driftJitter = Duration.milliseconds(15)
  /// How long a wait goes on before somebody may end it.
  private static let patience = Duration.seconds(10)

  /// About how long the measurement takes.
  static func driftLength(_ span: Duration) -> Duration {
    span + (driftPress + driftPause) * (2 * (driftPresses + 1)) + .seconds(20)
  }

  /// Finds the edge of the recorder's second twice. No phone connects in between, because it would set the clock.
  mutating func measureDrift(over span: Duration) async throws {
    var presses = try await pressInAllParts()
    let middle = phone.realTime
    while middle.duration(to: phone.realTime) < span {
      try await pass(min(Self.patience, span))
    }
    presses += try await pressInAllParts()
    try await connect()
    let (service, point) = try await subscribeToAnswers()
    let names = try await list(service, point).suffix(presses.count).map { $0.date?.secondsSince2000 }
    try await disconnect()
    guard names.count == presses.count, !names.contains(nil) else {
      return recorder.keep(
        .clockDrift, missing: "\(presses.count) presses made \(Wording.count(names.count, "record"))")
    }
    take(Array(zip(names.compactMap { $0 }, presses)), over: middle.duration(to: presses[presses.count - 1].from))
  }

  private mutating func take(
    _ records: [(name: LocalSeconds, press: (from: Instant, to: Instant))], over span: Duration
  ) {
    var offsets = [ClockOffset(), ClockOffset()]
    for (index, record) in records.enumerated() {
      let batch = index * 2 / records.count
      // The first press of a batch may have to wake the recorder.
      guard index % (records.count / 2) > 0 else { continue }
      offsets[batch].take(record.name, between: record.press.from, and: record.press.to.advanced(by: Self.driftJitter))
    }
    let time = span.nanosecondCount
    guard time > 0, offsets.allSatisfy({ $0.least <= $0.most }) else {
      return recorder.keep(.clockDrift, missing: "the names of its records contradict each other")
    }
    func rate(_ change: Int64) -> Int64 { Int64(clamping: Int128(change) * 1_000_000_000 / Int128(time)) }
    var drift = Measurement(
      .drift, "the edge of its second, found to a twentieth, now and \(DurationText.text(span)) later")
    drift.add(.init(rate(offsets[1].least - offsets[0].most), rate(offsets[1].most - offsets[0].least)))
    recorder.keep(.clockDrift, drift, otherwise: "")
  }

  /// Presses the button in every part of a second. Returns from when to when each press was given.
  private func pressInAllParts() async throws -> [(from: Instant, to: Instant)] {
    var presses: [(from: Instant, to: Instant)] = []
    let began = phone.realTime
    for number in 0...Self.driftPresses {
      // Orders take their time, which must not add up.
      let due = began.advanced(by: (Self.driftPress + Self.driftPause) * number)
      let early = phone.realTime.duration(to: due)
      if early > .zero { try await pass(early) }
      let from = phone.realTime
      try await phone.perform(.press)
      presses.append((from, phone.realTime))
      try await pass(Self.driftPress)
      try await phone.perform(.release)
    }
    try await pass(Self.driftPause)
    return presses
  }
}
