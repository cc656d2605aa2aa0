import Bench
import Testing
import Timeline
import Verdicts

@testable import Runner

/// One way in which steps can end, as a scenario's body and what must come of it.
struct StepCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let body: String
  /// What the reason must say; `nil` for a pass.
  let reason: String?
  /// The virtual time it takes, in milliseconds.
  let milliseconds: ClosedRange<UInt64>

  init(_ name: String, _ body: String, fails reason: String? = nil, after milliseconds: ClosedRange<UInt64>) {
    testDescription = name
    self.body = body
    self.reason = reason
    self.milliseconds = milliseconds
  }
}

@Suite struct Steps {
  /// A recorder whose rail is held boots within a second, and then advertises for ever.
  private static let asleep = "given: {device: {power: \"off\"}}\n"

  @Test(arguments: [
    StepCase(
      "a step that outlives its deadline fails", "steps: [{phone: connect, within: 1 ms}]",
      fails: "not done within 1 ms", after: 1...1),
    StepCase(
      "a step that says how it fails passes when it does", "steps: [{phone: list, fails: not-connected}]",
      after: 0...100),
    StepCase(
      "a step that says how it fails does not pass when it succeeds",
      "steps: [{phone: connect, fails: not-connected}]",
      fails: "expected failure not-connected, but it succeeded", after: 100...9_000),
    StepCase(
      "a step that says with which code it fails passes when it does",
      "steps: [{phone: connect}, {phone: {read-attribute: 16}, fails: {refused: 5}}]", after: 100...9_000),
    StepCase(
      "a step that says with which code it fails does not pass with another",
      "steps: [{phone: connect}, {phone: {read-attribute: 16}, fails: {refused: 15}}]",
      fails: "expected failure refused with code 0x0F, got refused: ", after: 100...9_000),
    StepCase(
      "what is found is compared with what is expected",
      "steps: [{phone: connect}, {phone: pair}, {phone: list, expect: {count: 3}}]",
      fails: "count: expected 3, found 0", after: 100...9_000),
    StepCase(
      "a step that may fail decides nothing when it does",
      "steps: [{phone: list, may-fail: true}, {wait: 1 s}]", after: 1_000...1_100),
    StepCase(
      "a step that may fail ends with its time, and the next one runs",
      "steps: [{phone: connect, within: 1 ms, may-fail: true}, {wait: 1 s}]", after: 1_001...1_001),
    StepCase(
      "eventually ends when the event comes", "steps: [{eventually: advertising, within: 50 s}]", after: 1...2_000),
    StepCase(
      "eventually fails when it does not come", "steps: [{phone: connect}, {eventually: paired, within: 3 s}]",
      fails: "paired: did not happen by", after: 3_000...9_000),
    StepCase("never takes its time", "steps: [{never: paired, for: 7 s}]", after: 7_000...7_000),
    StepCase(
      "never fails when the event comes", "steps: [{never: advertising, for: 7 s}]",
      fails: "advertising must not happen: happened at", after: 1...2_000),
    StepCase(
      "never until something ends with it", "steps: [{never: paired, until: advertising, within: 9 s}]",
      after: 1...2_000),
    StepCase(
      "never until something fails when what is banned comes first",
      "steps: [{never: advertising, until: paired, within: 9 s}]", fails: "advertising must not happen",
      after: 1...2_000),
    StepCase(
      "never while steps go on ends with them",
      "steps: [{never: {link: down}, while: [{phone: connect}, {wait: 3 s}]}]", after: 3_000...9_000),
    StepCase(
      "never while steps go on interrupts them and names what happened",
      "steps: [{never: {link: up}, while: [{phone: connect}, {wait: 9 s}]}]", fails: "link must not happen",
      after: 1...8_000),
    StepCase(
      "a wait that nothing can end is reported at once", asleep + "steps: [{eventually: advertising, within: 30 d}]",
      fails: "the simulation went idle", after: 0...1_000),
    StepCase(
      "what breaks a ban ends all that goes on under it",
      "given: {phone: {automatic: true, bonded: true}}\n"
        + "steps: [{never: {link: up}, while: [{never: paired, for: 1 h}, {wait: 1 d}]}]",
      fails: "link must not happen", after: 1...9_000),
    StepCase(
      "the scenario's timeout ends its steps", "timeout: 5 s\nsteps: [{air: {break: 6 s}}]", fails: "timeout was over",
      after: 5_000...5_000),
    StepCase(
      "the scenario's timeout ends them behind a step that may fail",
      "timeout: 5 s\nsteps: [{air: {break: 20 s}, may-fail: true}, {never: paired, for: 2 h}]",
      fails: "timeout was over",
      after: 5_000...5_000),
    StepCase(
      "a ban that the scenario's timeout ends has not held", "timeout: 5 s\nsteps: [{never: paired, for: 1 h}]",
      fails: "timeout was over", after: 5_000...5_000),
    StepCase(
      "letting time pass is no such wait", asleep + "steps: [{wait: 30 d}]", after: 2_592_000_000...2_592_000_000),
  ])
  func stepsEndAsTheyShould(_ step: StepCase) throws {
    let report = try Playing.run(step.body)
    #expect(report.verdict.kind == (step.reason == nil ? .passed : .failed))
    #expect(step.reason.map { report.verdict.reason?.contains($0) == true } ?? true, "\(report.verdict)")
    #expect(step.milliseconds.contains(UInt64(report.virtualDuration.wholeNanoseconds) / 1_000_000))
  }

  /// Its own time was not up.
  @Test(arguments: ["{phone: connect, shows: APP-1.1}", "{never: paired, for: 1 h, shows: APP-1.1}"])
  func whatTheScenariosTimeoutEndsIsUndecided(step: String) throws {
    let report = try Playing.run("timeout: 1 ms\nsteps: [\(step)]")
    #expect(report.verdict.failure?.violated == [])
    #expect(report.steps.first?.isDecided == false)
  }

  @Test(arguments: [
    ("{eventually: {link: up}, within: 9 s}, {wait: 30 s}, {phone: library, expect: {count: 0}}", "{count: 0}"),
    ("{phone: scan, expect: {found: 1}}", "{found: 1}"),
    ("{phone: list, fails: not-connected}", "not-connected: there is no connection"),
    ("{eventually: {link: up}, within: 2 min}", "link {state: up"),
    ("{either: [{link: up}, paired], within: 2 min}", "link {state: up"),
    ("{never: paired, for: 7 s}", "none until 7."),
    ("{never: paired, until: {link: up}, within: 2 min}", "link {state: up"),
    ("{never: paired, while: [{wait: 3 s}]}", "none until 3."), ("{wait: 1 s}", nil),
  ])
  func aStepTellsWhatItWasDecidedBy(steps: String, observed: String?) throws {
    let report = try Playing.run("given: {phone: {automatic: true, bonded: true}}\nsteps: [\(steps)]")
    let last = try #require(report.steps.last)
    #expect(last.outcome == .passed, "\(report.verdict)")
    #expect(
      observed.map { last.observed?.contains($0) == true } ?? (last.observed == nil), "\(last.observed ?? "nothing")")
  }

  @Test func aStepThatFailsTellsWhatItFoundToo() throws {
    let report = try Playing.run("steps: [{phone: connect}, {phone: pair}, {phone: list, expect: {count: 3}}]")
    #expect(report.steps.last?.observed == "{count: 0}")
    let refused = try Playing.run("steps: [{phone: connect}, {phone: {read-attribute: 16}, fails: {refused: 15}}]")
    #expect(refused.steps.last?.observed?.hasSuffix(", code 5") == true)
  }

  @Test func stepsOfAlwaysArePerformedWhateverHappened() throws {
    let report = try Playing.run(
      "steps: [{eventually: paired, within: 1 s}, {wait: 1 s}]\nalways: [{wait: 2 s}, {phone: disconnect}]")
    let outcomes = report.steps.map(\.outcome)
    #expect(outcomes.count == 4)
    #expect(outcomes[1] == .skipped)
    guard case .failed(let reason, _) = outcomes[0] else { return #expect(Bool(false), "the first step has to fail") }
    #expect(outcomes[2] == .passed)
    #expect(report.verdict.kind == .failed)
    #expect(report.verdict.reason == reason)
  }

  @Test func aStepOfAlwaysThatFailsIsNotLost() throws {
    let report = try Playing.run("steps: [{wait: 1 s}]\nalways: [{eventually: paired, within: 1 s}]")
    #expect(report.verdict.kind == .failed)
  }

  @Test func aBrokenRequirementFailsAScenarioThatExpectsNothing() throws {
    let body = "steps: [{phone: connect}, {phone: pair}, {phone: sync}, {phone: disconnect}]"
    #expect(try Playing.run(body).verdict == .passed)
    let report = try Playing.run(body, faults: [.phone(.skipsBatteryRead)])
    guard case .failed(let failure) = report.verdict else { return #expect(Bool(false), "\(report.verdict)") }
    #expect(failure.requirements == ["APP-1.3.1.1"])
    #expect(failure.judges == .phone)
  }
}

@Suite struct CleaningUp {
  @Test func everyStepOfAlwaysIsPerformedWhateverCameOfTheOthers() throws {
    let report = try Playing.run(
      """
      steps:
        - {phone: sync, expect: {downloaded: 7}}
        - wait: 1 s
      always:
        - phone: connect
        - phone: {download: newest}
        - device: {battery: 3.05 V}
      """)
    #expect(report.verdict.kind == .failed)
    let last = report.steps.suffix(3).map(\.outcome.word)
    #expect(!last.contains("skipped"), "\(report.steps)")
    #expect(last.last == "passed", "\(report.steps)")
  }

  @Test func aBenchThatIsStillBeingOpenedIsInterruptedToo() throws {
    var settings = RunSettings()
    settings.hardware = try HardwareTarget(controller: "tcp-server:127.0.0.1:0", device: nil)
    settings.interruption.request()
    let scenario = try Playing.scenarios("steps:\n  - phone: connect")[0]
    let report = ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
    #expect(report.verdict == .benchError(BenchTrouble("interrupted while the bench was opened")))
  }
}
