import Bench
import DictofunProtocol
import Phone
import ScenarioLanguage
import Timeline
import World

/// How far a recorder's clock is off, from the names of records that were begun at known times.
///
/// A name gives the whole second in which a record was begun by the recorder's clock. It was begun at an instant between
/// the press and the time by which a recorder must record (requirement DEV-1). Every record bounds the error; records that
/// are begun in different parts of a second bound it further.
struct ClockBounds: Hashable, Sendable {
  /// The recorder's clock is ahead of the phone's by at least this many nanoseconds.
  private(set) var least = Int64.min
  /// And by at most this many.
  private(set) var most = Int64.max

  /// From a press to the record's name: the latch and the boot, or the recorder's next look at its button.
  static let delay = Duration.milliseconds(400)

  /// Takes a record whose name is `name`, begun between two readings of the phone's clock, in nanoseconds.
  mutating func take(_ name: LocalSeconds, between earliest: Int64, and latest: Int64) {
    let second = Int64(1_000_000_000)
    least = max(least, name * second - latest)
    most = min(most, (name + 1) * second - earliest)
  }

  /// Takes that the phone's clock may have missed this much of real time, in nanoseconds: where this program could not keep
  /// up, its phones show too little, and a recorder seems to be ahead by that.
  mutating func allow(missed nanoseconds: Int64) { if least > .min { least -= nanoseconds } }

  /// Whether the bounds contradict each other: the clock was set in between, or a name is wrong.
  var isContradictory: Bool { least > most }

  /// The smallest and the largest error that is possible, without a sign.
  var magnitude: ClosedRange<Duration> {
    let largest = max(abs(least), abs(most))
    let smallest = least <= 0 && most >= 0 ? 0 : min(abs(least), abs(most))
    return .nanoseconds(smallest)...(.nanoseconds(max(smallest, largest)))
  }
}

extension ClosedRange<Duration> {
  /// Both ends without their parts of a second.
  var wholeSeconds: ClosedRange<Duration> {
    .seconds(lowerBound.components.seconds)...(.seconds(upperBound.components.seconds))
  }
}

extension Stage {
  private static let clockPress = Duration.milliseconds(600)
  /// Records are a second and a quarter apart, so that four of them begin in different quarters of a second.
  private static let clockPause = Duration.milliseconds(1_650)
  private static let clockRecords = 4

  /// Measures a recorder's clock, and states its error where every possible one gives the same answer.
  func lookAtClock(
    of device: ActuatedDevice, _ call: VerbCall, _ findings: inout Findings
  ) async throws(ControlFailure) {
    guard let phone = phones.first else { throw Self.unseen("its clock", "there is no phone") }
    var presses: [(from: Int64, to: Int64)] = []
    let base = try await edge(of: phone)
    for _ in 0..<Self.clockRecords {
      let from = base.seconds * 1_000_000_000 + base.instant.duration(to: loop.now).wholeNanoseconds
      try await device.pressButton()
      let to = base.seconds * 1_000_000_000 + base.instant.duration(to: loop.now).wholeNanoseconds
      presses.append((from, to + ClockBounds.delay.wholeNanoseconds))
      try await rest(Self.clockPress)
      try await device.releaseButton()
      try await rest(Self.clockPause)
    }
    // Only now: whoever asks for the list gives the recorder the time.
    let names = try await listed(by: device, thenOff: false, andSize: false).names.suffix(presses.count)
    guard names.count == presses.count else {
      throw Self.unseen("its clock", "\(presses.count) presses made \(names.count) records")
    }
    var bounds = ClockBounds()
    for (name, press) in zip(names, presses) {
      guard let time = RecordIdentifier(name)?.date else { throw Self.unseen("its clock", "\(name) is not a time") }
      bounds.take(time.secondsSince2000, between: press.from, and: press.to)
    }
    bounds.allow(missed: loop.slipped.wholeNanoseconds)
    guard !bounds.isContradictory else {
      throw Self.unseen("its clock", "the names of its records contradict each other")
    }
    // Both clocks show whole seconds, so a part of a second is not a difference.
    let error = bounds.magnitude.wholeSeconds
    let matchers = call.expectation.matchers.filter { $0.field == Inspect.clockError.declaration }
    let answers = [error.lowerBound, error.upperBound].map { error in
      matchers.allSatisfy { $0.matches([error.encoded].compactMap { $0 }) }
    }
    guard answers[0] == answers[1] else {
      throw Self.unseen(
        "its clock", "it is off by \(error.lowerBound) to \(error.upperBound), on both sides of the limit")
    }
    findings.set(Inspect.clockError, answers[0] ? error.lowerBound : error.upperBound)
  }

  /// The next change of the phone's second: its number, and when.
  private func edge(of phone: any PhoneControl) async throws(ControlFailure) -> (
    seconds: LocalSeconds, instant: Instant
  ) {
    let before = try phone.readClock()
    while try phone.readClock() == before { try await rest(.milliseconds(5)) }
    return (try phone.readClock(), loop.now)
  }

  /// Sets a recorder's clock by a meeting at which the phone shows that time, and its own again afterwards. A recorder that
  /// is off is booted without a press, and switched off again.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where the phone is connected already, or cannot connect.
  func serve(_ time: LocalSeconds, to device: ActuatedDevice, by phone: any PhoneControl) async throws(ControlFailure) {
    if case .success = try await phone.perform(.readBattery) {
      throw .lacking("\(Capabilities.clock): a phone that is connected serves its own time")
    }
    let isOff = devices.firstIndex { $0 === device }.flatMap { senses?.isOn($0) } == false
    if isOff { try await device.powerOn() }
    let (before, began) = (try phone.readClock(), loop.now)
    try await phone.setClock(time)
    let outcome = try await phone.perform(.connect(.address(device.address)))
    try await rest(Self.meeting)
    _ = try await phone.perform(.disconnect)
    try await phone.setClock(before + began.duration(to: loop.now).components.seconds)
    if isOff { try await device.cutPower() }
    if case .failure(let failure) = outcome {
      throw .lacking("\(Capabilities.clock): a phone could not serve a time (\(VerbFailure(failure)))")
    }
  }

  /// The recorder looks for the time service and reads it, which takes about ten intervals.
  static let meeting = Duration.seconds(2)

  func rest(_ time: Duration) async throws(ControlFailure) {
    if case .failure(let end) = await waits.pass(time, on: loop) { throw .ended(end) }
  }
}
