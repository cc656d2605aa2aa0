import Bytes
import Foundation
import Glibc
import Phone
import Requirements
import ScenarioLanguage
import TestThreads
import Testing
import Timeline
import Trace
import World
import YAML

@testable import Bench
@testable import Runner

/// What an operator is asked on benches without instruments that could answer in his place.
@Suite(.waits) struct Prompts {
  private static let everything = "operator: {does: [button, rail, battery, clock, storage, bonds], within: 10 s}"
  /// An operator with a program for what the others would need a console for.
  private static let consoleless =
    "operator: {does: [button, rail, battery, clock], within: 10 s}\n    commands: "
    + "[{for: erase-records, run: [/bin/true]}, {for: forget-bonds, run: [/bin/true]}]"

  @Test(arguments: [
    (everything, "steps:\n  - phone: connect", 1),
    (everything, "given:\n  phone: {bonded: true}\n  device: {records: 1}\nsteps:\n  - phone: sync", 1),
    (everything, "given:\n  phone: {bonded: true}\n  device: {records: 1, battery: 24 %}\nsteps:\n  - phone: sync", 1),
    (everything, "given:\n  phone: {bonded: true}\n  device: {battery: 0 %}\nsteps:\n  - phone: sync", 2),
    (
      everything,
      "given:\n  phone: {bonded: true}\n  device: {records: 1, clock: 2030-01-01 00:00:00}\n"
        + "steps:\n  - phone: sync", 2
    ),
    (everything, "given:\n  device: {records: 2, power: \"off\"}\nsteps:\n  - phone: connect\n  - phone: list", 1),
    (consoleless, "given:\n  phone: {bonded: true}\n  device: {records: 1}\nsteps:\n  - phone: sync", 2),
    (
      everything,
      "steps:\n  - device: {press: 1 ms}\n  - device: hold\n  - device: release\n"
        + "  - device: cut-power\n  - device: power-on\n  - device: {battery: 3.05 V}\n  - device: forget-bonds\n"
        + "  - phone: connect", 7
    ),
  ])
  func theListForetellsWhatIsAsked(_ instruments: String, _ body: String, _ expected: Int) throws {
    let scenario = try Playing.scenarios(body)[0]
    let text =
      "place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n    \(instruments)\n"
    let (bench, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    let file = try #require(bench, "\(problems.map(\.message))")
    var target = try #require(HardwareTarget(file, controller: nil, device: nil))
    let helper = try Helper()
    target.attended = helper.place
    let outlook = BenchOutlook(scenario, on: target)
    #expect(outlook.missingCapability == nil)
    #expect(outlook.prompts == expected)
    let performance = try helper.perform(scenario, on: target)
    #expect(performance.verdict == .passed, "\(performance.verdict)")
    #expect(helper.prompts.count == expected, "\(helper.prompts)")
  }

  @Test func whatSeveralRecordersNeedFirstIsOnePrompt() throws {
    let body =
      "given:\n  devices: [{name: one, battery: 24 %}, {name: two, power: \"off\"}]\nsteps:\n  - phone: connect"
    let scenario = try Playing.scenarios(body)[0]
    let recorders = ["01", "02"].map { "  - address: C6:05:04:03:02:\($0)\n    \(Self.everything)\n" }.joined()
    let text = "place: a\nadapters: [\"usb:0\"]\nrecorders:\n\(recorders)"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    let helper = try Helper()
    target.attended = helper.place
    #expect(BenchOutlook(scenario, on: target).prompts == 1)
    let performance = try helper.perform(scenario, on: target, named: ["one", "two"])
    #expect(performance.verdict == .passed, "\(performance.verdict)")
    #expect(helper.prompts.count == 1, "\(helper.prompts)")
    for recorder in ["01", "02"] {
      #expect(helper.prompts.first?.contains("Recorder C6:05:04:03:02:\(recorder): ") == true, "\(helper.prompts)")
    }
  }

  @Test func aBenchThatIsTooSlowIsTheBenchsError() throws {
    let scenario = try Playing.scenarios("given:\n  device: {battery: 24 %}\nsteps:\n  - phone: connect")[0]
    let text =
      "place: a\nprepare-within: 1 s\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n"
      + "    \(Self.everything)\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    let helper = try Helper(isAway: true)
    target.attended = helper.place
    let began = MachineClock.monotonicNanoseconds()
    let performance = try helper.perform(scenario, on: target)
    // Nobody waits until the operator's ten seconds are over.
    #expect(MachineClock.monotonicNanoseconds() - began < 7_000_000_000)
    guard case .benchError(let trouble) = performance.verdict else {
      Issue.record("\(performance.verdict)")
      return
    }
    #expect(trouble.reason.contains("state of `given:` within 1 s: look which instrument is slow"), "\(trouble.reason)")
  }

  /// After Enter a scanner listens until it is certain that the power is gone: for longer than the step and the operator may
  /// take, or only for longer than the step.
  @Test(arguments: [(Duration.seconds(20), false), (.milliseconds(300), true)])
  func whatTheBenchDidNotGetDoneInTimeIsTheBenchsError(_ listening: Duration, _ passes: Bool) throws {
    let scenario = try Playing.scenarios("steps:\n  - device: cut-power\n    within: 100 ms")[0]
    let text =
      "place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n"
      + "    operator: {does: [rail], within: 500 ms}\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    let helper = try Helper()
    target.attended = helper.place
    let performance = try helper.perform(scenario, on: target, listeningFor: listening)
    #expect((performance.verdict == .passed) == passes, "\(performance.verdict)")
    #expect((performance.verdict.kind == .benchError) == !passes, "\(performance.verdict)")
  }

  /// The operator takes two seconds, and then a step takes too long, or does not.
  @Test(arguments: [("300 ms", true), ("1500 ms", false)])
  func theTimeOfAScenarioBeginsWithItsSteps(_ wait: String, _ passes: Bool) throws {
    let body =
      "timeout: 1 s\ngiven:\n  device: {battery: 24 %}\nsteps:\n  - never: {link: down}\n    while: [{wait: \(wait)}]\n"
      + "  - phone: connect"
    let scenario = try Playing.scenarios(body)[0]
    let text =
      "place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n    \(Self.everything)\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    let helper = try Helper(thinks: 2)
    target.attended = helper.place
    let performance = try helper.perform(scenario, on: target)
    #expect((performance.verdict == .passed) == passes, "\(performance.verdict)")
  }

  /// A press may get lost; a recorder that lists too few again is for the steps.
  @Test(arguments: [([2], 2), ([1], 4), ([0, 0], 4)])
  func recordsThatAreNotListedAreAllMadeAnewOnce(_ listed: [Int], _ presses: Int) throws {
    let notes = FileManager.default.temporaryDirectory.appending(path: "presses-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: notes) }
    let text = """
      place: a
      adapters: ["usb:0"]
      recorders:
        - address: C6:05:04:03:02:01
          commands:
            - {for: press, run: [/bin/sh, -c, 'echo >> \(notes.path)']}
            - {for: release, run: [/bin/true]}
            - {for: power-on, run: [/bin/true]}
            - {for: cut-power, run: [/bin/true]}
            - {for: erase-records, run: [/bin/true]}
            - {for: forget-bonds, run: [/bin/true]}

      """
    let (bench, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    let file = try #require(bench, "\(problems.map(\.message))")
    let target = try #require(HardwareTarget(file, controller: nil, device: nil))
    let body =
      "given:\n  phone: {bonded: true}\n  device: {records: {count: 2, seconds: 24 ms}}\nsteps:\n  - phone: sync"
    let performance = try Helper().perform(
      try Playing.scenarios(body)[0], on: target, by: CapablePhone(listing: listed))
    #expect(performance.verdict == .passed, "\(performance.verdict)")
    #expect(try String(contentsOf: notes, encoding: .utf8).count == presses)
  }

  @Test func aQuestionItsAnswerAndItsTimeAreEvidence() throws {
    let scenario = try Playing.scenarios("steps:\n  - ask: \"Is it blue?\"\n  - phone: connect")[0]
    let helper = try Helper()
    let performance = try helper.perform(scenario, on: nil)
    let answer = try #require(performance.steps[0].answer)
    #expect(performance.verdict == .passed)
    #expect(performance.steps[1].answer == nil)
    #expect(answer.question == "Is it blue?")
    #expect(answer.isYes)
    #expect(answer.text == "Yes.")
    #expect(answer.answeredAt > 0)
  }
}

/// Somebody who does everything that is asked for, and a phone that can everything.
private final class Helper: @unchecked Sendable {
  private(set) var prompts: [String] = []
  private var ends: [Int32] = [-1, -1]
  private let isAway: Bool
  private let thinks: UInt32

  /// Somebody who answers after some seconds, unless he is away.
  init(isAway: Bool = false, thinks: UInt32 = 0) throws {
    self.isAway = isAway
    self.thinks = thinks
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
  }

  deinit { for end in ends { close(end) } }

  var place: OperatorPlace {
    OperatorPlace(answers: ends[0]) { [unowned self] text in
      guard text.contains("Enter when done") else { return }
      prompts.append(text)
      guard !isAway else { return }
      sleep(thinks)
      _ = write(ends[1], "\n", 1)
    }
  }

  /// Makes the bench ready and performs the scenario, as a run does; or only performs it, while a scanner listens that must
  /// listen for so long.
  func perform(
    _ scenario: Scenario, on target: HardwareTarget?, named names: [String] = ["device"],
    by phone: CapablePhone = CapablePhone(), listeningFor patience: Duration? = nil
  ) throws -> Performance {
    let loop = EventLoop(driver: .wall, seed: 1)
    let waits = Waits()
    let devices = try target?.devices(named: names, on: loop, waits) ?? []
    defer { for device in devices { device.close() } }
    if let patience { for device in devices { device.ear.open(at: loop.now, patience: patience, latency: .zero) } }
    nonisolated(unsafe) let set = StageSet(
      phones: [phone], devices: devices, medium: nil, waits: waits, sounds: Silence(), firmware: NoFirmware(),
      assertions: Assertions(), words: EventWords(phones: ["phone"], devices: devices.map { ($0.name, $0.address) }),
      firstViolation: { nil }, observer: nil, trace: TraceRecorder())
    let stage = Stage(loop: loop, set)
    return try loop.run {
      if let target, patience == nil { return await stage.performOnBench(scenario, target) }
      return await stage.perform(scenario)
    }
  }
}

/// A phone for which everything works at once.
private final class CapablePhone: PhoneControl {
  let name = "phone"
  /// How many records a recorder lists to it, the next time and then.
  private var listed: [Int]

  init(listing listed: [Int] = []) { self.listed = listed }

  func perform(_ operation: PhoneOperation) throws(ControlFailure) -> Result<PhoneResult, PhoneFailure> {
    switch operation {
    case .list:
      .success(.records(listed.isEmpty ? [] : Array(repeating: "0000240101115941", count: listed.removeFirst())))
    case .sync: .success(.synced(SyncSummary()))
    default: .success(.done)
    }
  }

  func begin(_ operation: PhoneOperation) {}
  func restart() {}
  func setForeground(_ isForeground: Bool) {}
  func setClock(_ seconds: Int64) {}
  func publish(_ offer: FirmwareOffer) {}
  func readClock() -> Int64 { 0 }
  func records() -> [LibraryEntry] { [] }
  func shownRecords() -> [ShownRecord] { [] }
  func connectionHistory() -> [ConnectionStatusEntry] { [] }
  func answer(_ question: String) -> SpokenAnswer { SpokenAnswer(isYes: true, text: "Yes.") }
}
