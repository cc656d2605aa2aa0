import Bytes
import DictofunProtocol
import HostStack
import Recorder
import Testing
import Timeline
import Verdicts

@testable import Runner

/// Somebody else's recorder, whose chip tells what its program does wrong inside, and which may switch itself off.
private struct CarelessRecorder: RecorderApplicationMachine {
  static let overrun = ProgramFinding(.stackOverrun, "the stack of a task was used up")

  let address: BluetoothAddress
  var goesOff: Bool
  var isOn = false
  var output = RecorderOutput()
  var due: Instant?

  init(_ configuration: RecorderConfiguration, goesOff: Bool) {
    address = configuration.address
    self.goesOff = goesOff
  }

  mutating func take(_ control: RecorderControl, at instant: Instant) {
    guard control == .holdRail, !isOn else { return }
    isOn = true
    due = instant.advanced(by: .seconds(2))
    let database = RecorderProfile.reference.attributes
    output.requests.append(.start(HostConfiguration(ownAddress: address, database: database)))
    output.events += [.poweredOn(.rail), .executionBegan, .executionFound(Self.overrun)]
  }

  mutating func take(_ event: HostEvent, at instant: Instant) {
    guard case .started = event else { return }
    output.requests.append(
      .setAdvertising(Advertisement(intervalUnits: 200, data: DictofunAdvertisement.advertisingData)))
  }

  mutating func timerFired(_ kind: UInt8, at instant: Instant) {
    guard goesOff, isOn else { return }
    isOn = false
    let asleep = ProgramFinding(.fellAsleep, "it switched itself off")
    output.events += [.executionFound(asleep), .poweredOff(.switchedOff)]
    output.silencesController = true
  }

  mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {
    guard let due else { return }
    timers.append(RecorderTimer(0, due: due))
    self.due = nil
  }

  mutating func drain(_ output: inout RecorderOutput) {
    output.requests += self.output.requests
    output.events += self.output.events
    output.silencesController = output.silencesController || self.output.silencesController
    self.output = RecorderOutput()
  }
}

/// What comes of scenarios whose recorders execute a program that is not ours.
@Suite struct ExecutionVerdicts {
  private static let stack = KnownDefect(
    requirement: "IMG-3", reason: "a larger stack is decided", file: "known.yaml", line: 2)

  private static func run(_ steps: String, goesOff: Bool = false, known: [KnownDefect] = []) throws -> ScenarioReport {
    var settings = RunSettings()
    settings.known = KnownDefects(known)
    settings.program = RecorderProgram(named: "careless") { CarelessRecorder($0, goesOff: goesOff) }
    let scenario = try Playing.scenarios("steps: [\(steps)]")[0]
    return ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
  }

  private static let passing = "{eventually: advertising, within: 5 s}, {wait: 3 s}"
  private static let failing = "\(passing), {eventually: {link: up}, within: 1 s}"

  /// The conversation went on as before, so the stack does not explain the step, and is not taken for it.
  @Test func whatAChipDoesWrongInsideExplainsNoStep() throws {
    let report = try Self.run(Self.failing)
    #expect(report.verdict.failure?.violated == [])
    #expect(report.findings.contains { $0.declaration.requirement == "IMG-3" && !$0.violations.isEmpty })
    let known = try Self.run(Self.failing, known: [Self.stack])
    #expect(known.verdict.kind == .failed)
    #expect(known.verdict.failure?.violated == [])
  }

  @Test func aloneItDecidesAndCanBeDeclared() throws {
    #expect(try Self.run(Self.passing).verdict.failure?.violated == ["IMG-3"])
    #expect(try Self.run(Self.passing, known: [Self.stack]).verdict.kind == .known)
  }

  /// A step that fails because the recorder went off says nothing, which hides nothing that was seen before.
  @Test func whatWasSeenBeforeItWentOffCounts() throws {
    let report = try Self.run(Self.failing, goesOff: true)
    #expect(report.verdict.failure?.violated == ["IMG-3"])
    #expect(try Self.run(Self.failing, goesOff: true, known: [Self.stack]).verdict.kind == .known)
  }

  /// A program that does not tell its states neither fails nor meets what is said of them.
  @Test(
    arguments: [
      "{eventually: {device.state: SHUTDOWN}, within: 1 s}", "{never: {device.state: SHUTDOWN}, for: 1 s}",
      "{never: {device.state: SHUTDOWN}, while: [{wait: 1 s}]}",
      "{never: advertising, until: {device.state: SHUTDOWN}, within: 1 s}",
    ])
  func whatAProgramNeverTellsBlocksTheStep(step: String) throws {
    #expect(try Self.run(step).verdict == .blocked(capability: "sensors: device.state"))
    let scenario = try Playing.scenarios("steps: [\(step)]")[0]
    let program = RecorderProgram(named: "careless") { CarelessRecorder($0, goesOff: false) }
    #expect(ProgramOutlook(scenario, running: program).missingCapability == "sensors: device.state")
    #expect(ProgramOutlook(scenario, running: .modelled).missingCapability == nil)
  }
}
