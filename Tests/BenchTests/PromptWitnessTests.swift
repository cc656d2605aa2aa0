import DictofunProtocol
import System
import TestThreads
import Testing
import Timeline
import World

@testable import Bench

/// Prompts that the recorder's console confirms or contradicts.
@Suite(.waits) struct PromptWitnesses {
  /// Somebody at a desk who reacts to each prompt: with a deed at the recorder, with a line, with both or neither.
  private final class Seat: @unchecked Sendable {
    typealias Reaction = (SimulatedDevice) throws -> Void

    private let near: StreamSocket
    private let far: StreamSocket
    private var reactions: [(line: String?, act: Reaction)]
    private let rig: BenchRig
    private let delay: Duration
    private(set) var texts: [String] = []
    let device: ActuatedDevice?

    init(_ rig: BenchRig, _ reactions: [(line: String?, act: Reaction)], after delay: Duration) throws {
      self.delay = delay
      (near, far) = try StreamSocket.pair()
      (self.rig, self.reactions) = (rig, reactions)
      let hears = Hears()
      device = try rig.device(operator: OperatorPlace(answers: near.descriptor.number) { hears.take?($0) })
      hears.take = { [unowned self] in take($0) }
    }

    private func take(_ text: String) {
      texts.append(text)
      guard text.contains("Enter when done"), !reactions.isEmpty else { return }
      let reaction = reactions.removeFirst()
      let (recorder, far) = (rig.recorder, far)
      rig.loop.schedule(after: delay) {
        try? reaction.act(recorder)
        if let line = reaction.line { _ = try? far.descriptor.write(Array("\(line)\n".utf8)[...]) }
      }
    }
  }

  private final class Hears: @unchecked Sendable {
    var take: ((String) -> Void)?
  }

  /// What was asked and answered in the course of a deed, and how that ended.
  private static func perform(
    _ reactions: [(line: String?, act: (SimulatedDevice) throws -> Void)], at instruments: String = console,
    after delay: Duration = .milliseconds(400), isListening: Bool = false,
    _ deed: @escaping (ActuatedDevice) async throws -> Void
  ) throws -> (answers: [String?], texts: [String], trouble: String) {
    let rig = try BenchRig(instruments)
    let seat = try Seat(rig, reactions, after: delay)
    let device = try #require(seat.device)
    let scanner = isListening ? try rig.scanner() : nil
    let senses = RecorderSenses(device, scanner: scanner, on: rig.loop)
    scanner?.onHeard = { senses.hear($0) }
    defer { scanner?.close() }
    let trouble = rig.trouble { try await deed(device) }
    return (device.prompts.map(\.answer), seat.texts, trouble)
  }

  private static let console = """
    console: {NetworkSerialPort: {host: 127.0.0.1, port: $port}}
    operator: {does: [button, rail, battery], within: 30 s}
    """

  private static let nothing: @Sendable (SimulatedDevice) throws -> Void = { _ in }

  @Test func anEnterThatTheConsoleContradictsIsNotTaken() throws {
    let (answers, texts, trouble) = try Self.perform([("", Self.nothing), ("", { try $0.cutPower() })]) {
      try await $0.cutPower()
    }
    #expect(trouble == "no trouble")
    #expect(
      answers == [
        "done (contradicted: the console answers, so the recorder has power)", "done (the console: it is silent)",
      ])
    #expect(texts.last?.hasPrefix("OPERATOR: not done yet, because the console answers") == true, "\(texts)")
  }

  @Test func threeContradictionsEndTheStep() throws {
    let three =
      [("", Self.nothing), ("", Self.nothing), ("", Self.nothing)] as [(String?, (SimulatedDevice) throws -> Void)]
    let (answers, _, trouble) = try Self.perform(three) { try await $0.cutPower() }
    #expect(answers.count == 3)
    #expect(trouble.hasPrefix("the operator said 3 times that it was done, but the console answers"), "\(trouble)")
  }

  @Test func aBootConfirmsThePowerWithoutEnter() throws {
    let (answers, texts, trouble) = try Self.perform([
      (
        nil,
        {
          try $0.cutPower()
          try $0.powerOn()
        }
      )
    ]) { try await $0.powerOn() }
    #expect(trouble == "no trouble")
    #expect(answers == ["not typed (the console: it booted)"])
    #expect(texts.last == "seen: the console: it booted")
  }

  @Test func powerThatIsNotThereIsContradicted() throws {
    let (answers, _, trouble) = try Self.perform([("", { try $0.cutPower() }), ("", { try $0.powerOn() })]) {
      try await $0.powerOn()
    }
    #expect(trouble == "no trouble")
    #expect(answers.first == "done (contradicted: the console does not answer, so the recorder has no power)")
    #expect(answers.count == 2)
  }

  /// A bench without a console, whose supply measures what the recorder draws.
  private static let supply = """
    supply:
      NetworkSerialPort: {host: 127.0.0.1, port: $port}
      identity: DICTOBENCH
      current: {above: 2000, within: 1 s, lag: 100 ms}
    operator: {does: [button, rail], within: 30 s}
    """

  @Test func aCurrentThatBeginsConfirmsThePressWithoutEnter() throws {
    let (answers, _, trouble) = try Self.perform(
      [
        (
          nil,
          { recorder in
            try recorder.pressButton()
          }
        )
      ], at: Self.supply, after: .seconds(3)
    ) { device in
      // The supply takes the power away and gives it back: the recorder is off.
      try await device.setBattery(millivolts: 3_700)
      try await device.cutPower()
      try await device.pressButton()
    }
    #expect(trouble == "no trouble")
    #expect(answers == ["not typed (the supply's current: it went on)"])
  }

  @Test func aCurrentThatIsNotThereContradictsThePower() throws {
    let (answers, _, trouble) = try Self.perform([("", Self.nothing), ("", { try $0.powerOn() })], at: Self.supply) {
      device in
      try await device.setBattery(millivolts: 3_700)
      try await device.cutPower()
      try await device.powerOn()
    }
    #expect(trouble == "no trouble")
    #expect(answers.first == "done (contradicted: the supply's current shows that the recorder is off)")
    #expect(answers.count == 2)
  }

  /// A bench with nothing but an operator and an adapter to spare.
  private static let bare = "operator: {does: [button, rail], within: 30 s}"

  @Test func aRecorderThatAppearsOnTheAirConfirmsThePowerWithoutEnter() throws {
    let (answers, _, trouble) = try Self.perform(
      [("", { try $0.cutPower() }), (nil, { try $0.powerOn() })], at: Self.bare, isListening: true
    ) { device in
      try await device.cutPower()
      try await device.powerOn()
    }
    #expect(trouble == "no trouble")
    #expect(answers == ["done", "not typed (the scanner: it advertises)"])
  }

  @Test func aRecorderThatAdvertisesAnywayConfirmsNothing() throws {
    let (answers, _, trouble) = try Self.perform(
      [("", { try $0.powerOn() }), ("", Self.nothing)], at: Self.bare, isListening: true
    ) { device in
      try await device.powerOn()
      try await device.powerOn()
    }
    #expect(trouble == "no trouble")
    #expect(answers == ["done", "done"])
  }

  @Test func aRecorderOnTheAirContradictsThatItsPowerIsCut() throws {
    let (answers, _, trouble) = try Self.perform(
      [("", { try $0.powerOn() }), ("", { try $0.cutPower() })], at: Self.bare, isListening: true
    ) { try await $0.cutPower() }
    #expect(trouble == "no trouble")
    #expect(answers == ["done (contradicted: the scanner hears it advertise, so it has power)", "done"])
  }

  /// The end of a connection is no press.
  @Test func silenceCountsWhereNobodyWasConnected() {
    let ear = RecorderEar()
    var silences: [Duration?] = []
    ear.onHeard = { silences.append($0) }
    ear.open(at: Instant(nanoseconds: 1_000_000_000), patience: .seconds(3), latency: .zero)
    ear.hear(at: Instant(nanoseconds: 6_000_000_000))
    ear.linkUp()
    ear.hear(at: Instant(nanoseconds: 60_000_000_000))
    ear.hear(at: Instant(nanoseconds: 60_130_000_000))
    #expect(silences == [.seconds(5), nil, .milliseconds(130)])
  }

  @Test func aRecordConfirmsThePressWithoutEnter() throws {
    let (answers, _, trouble) = try Self.perform([(nil, { try $0.pressButton() })]) { try await $0.pressButton() }
    #expect(trouble == "no trouble")
    #expect(answers.first??.hasPrefix("not typed (the console: ") == true, "\(answers)")
  }

  /// The log loses lines, so a press that it does not show is believed.
  @Test func anEnterWithoutALineIsBelieved() throws {
    let (answers, _, trouble) = try Self.perform([("", Self.nothing)]) { try await $0.pressButton() }
    #expect(trouble == "no trouble")
    #expect(answers == ["done"])
  }

  @Test func theLevelThatTheRecorderReportsCounts() throws {
    let level = BatteryLevel.millivolts(percent: 96)
    let (same, _, calm) = try Self.perform([(nil, Self.nothing)]) { try await $0.setBattery(millivolts: level) }
    #expect(calm == "no trouble", "\(same)")
    #expect(same.first??.hasPrefix("not typed (the console: state::batt:") == true, "\(same)")
    let (other, _, trouble) = try Self.perform([("", Self.nothing), ("the knob is broken", Self.nothing)]) {
      try await $0.setBattery(millivolts: 2_900)
    }
    #expect(trouble.hasPrefix("the operator could not do it: the knob is broken"))
    #expect(other.first??.hasPrefix("done (contradicted: the recorder reports ") == true, "\(other)")
    #expect(other.last == "the knob is broken")
  }
}
