import Foundation
import Ledger
import Requirements
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Timeline
import Trace
import Verdicts
import YAML

@testable import Session

private let second: UInt64 = 1_000_000_000

extension Instant {
  fileprivate static func at(_ seconds: UInt64) -> Instant { Instant(nanoseconds: seconds * second) }
}

@Suite struct BusyMeters {
  /// Elapsed, scenario and recording time in seconds.
  private static func seconds(_ meter: BusyMeter, at now: UInt64) -> [Int64] {
    let beat = meter.beat(3, of: "r#1", at: now * second)
    return [beat.elapsed, beat.scenarios, beat.recordings].map { $0 / 1_000_000 }
  }

  @Test func scenariosAtTheSameTimeCountOnce() {
    var meter = BusyMeter(at: 10 * second, isReal: false)
    meter.scenarioBegan(at: 12 * second)
    meter.scenarioBegan(at: 13 * second)
    meter.scenarioEnded(at: 14 * second)
    #expect(Self.seconds(meter, at: 15) == [5, 3, 0])
    meter.scenarioEnded(at: 16 * second)
    #expect(Self.seconds(meter, at: 20) == [10, 4, 0])
    meter.scenarioEnded(at: 21 * second)
    #expect(Self.seconds(meter, at: 22) == [12, 4, 0])
  }

  @Test func recordingsCountByTheClockOfTheScenario() {
    var meter = BusyMeter(at: 0, isReal: false)
    meter.pressed("a", in: 1, at: .at(100), second)
    meter.pressed("a", in: 1, at: .at(105), second)
    meter.pressed("b", in: 1, at: .at(100), second)
    meter.pressed("a", in: 2, at: .at(7), second)
    #expect(Self.seconds(meter, at: 50) == [50, 0, 0])
    meter.released("a", in: 1, at: .at(130))
    #expect(Self.seconds(meter, at: 50) == [50, 0, 30])
    meter.released("a", in: 1, at: .at(190))
    meter.released("c", in: 1, at: .at(190))
    meter.attemptEnded(1, at: .at(110))
    #expect(Self.seconds(meter, at: 50) == [50, 0, 40])
    meter.attemptEnded(2, at: .at(5))
    #expect(Self.seconds(meter, at: 50) == [50, 0, 40])
  }

  /// A recording on a bench takes as long as it takes, so a beat in the middle has the part that was made.
  @Test func aRecordingOnABenchGrowsWhileItIsMade() {
    var meter = BusyMeter(at: 0, isReal: true)
    meter.pressed("a", in: 1, at: .at(3), 5 * second)
    #expect(Self.seconds(meter, at: 9) == [9, 0, 4])
    meter.released("a", in: 1, at: .at(10))
    #expect(Self.seconds(meter, at: 12) == [12, 0, 7])
  }
}

/// Presses a button for a minute of the scenario, and writes a beat in the middle of it.
private final class PressingPerformer: ScenarioPerformer {
  private let inTheMiddle: @Sendable () -> Void
  init(_ inTheMiddle: @escaping @Sendable () -> Void) { self.inTheMiddle = inTheMiddle }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    observer?.buttonChanged(of: "recorder", isDown: true, at: .at(10))
    inTheMiddle()
    observer?.buttonChanged(of: "recorder", isDown: false, at: .at(70))
    return ScenarioReport(
      id: scenario.id, title: scenario.title, file: "a.yaml", line: 1, verdict: .passed,
      virtualDuration: .seconds(80), replay: "")
  }
}

@Suite struct RunsInSessions {
  private static let source = SourceFile(
    path: "a.yaml", text: "scenario: a\nid: a\nsteps:\n  - device: {press: 2 s}\n")

  private static func run(_ writer: LedgerWriter, _ performer: any ScenarioPerformer) throws {
    let library = ScenarioLibrary(
      files: [source], vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    var setting = RunSession.Setting(program: "test", host: "here", folders: [], catalogue: nil)
    setting.ledger = writer
    var session = RunSession(RunPlan(), setting, performer) { _ in }
    _ = try session.run(library.scenarios) { _, _ in NoFiles() }
  }

  private struct NoFiles: RunFiles {
    func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? { nil }
    func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {}
    func finish(_ report: RunReport) throws {}
  }

  @Test func aRunAddsItsTimesToTheSession() throws {
    let folder = NSTemporaryDirectory() + "sessions-\(getpid())-\(#line)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = try RunLedger(.file(folder + "/l"), for: .writing, program: "test") { 5 }
    _ = try ledger.startSession(.init(session: "mine", bench: nil, operatorName: "Ada", key: "1"))
    var subject = LedgerWriter.Subject(run: "r", operatorName: "Ada", program: "test", rules: "")
    subject.session = "mine"
    let writer = LedgerWriter(ledger, subject, ScenarioFingerprints([]))
    try Self.run(writer, PressingPerformer { writer.pulse?.beat(isLast: false) })
    let session = try ledger.session("mine", on: nil)
    #expect(session.runs == 1)
    #expect(session.times.recordings == .seconds(60))
    #expect(session.times.scenarios > .zero)
    #expect(session.times.scenarios <= session.times.session)
    // A run that has ended writes nothing more.
    writer.pulse?.beat(isLast: false)
    #expect(try ledger.session("mine", on: nil) == session)
  }

  @Test func aRunBeatsByItself() throws {
    let beats = Mutex<[(number: Int64, isLast: Bool)]>([])
    let pulse = SessionPulse("r#1", isReal: false) { beat, isLast in
      beats.withLock { $0.append((beat.number, isLast)) }
    }
    let seen = DispatchSemaphore(value: 0)
    let timer = pulse.start(every: .milliseconds(1))
    DispatchQueue.global().async {
      while beats.withLock({ $0.count }) < 3 {}
      seen.signal()
    }
    #expect(seen.wait(timeout: .now() + 20) == .success)
    timer.cancel()
    pulse.beat(isLast: true)
    let written = beats.withLock { $0 }
    #expect(written.map(\.number) == (1...Int64(written.count)).map { $0 })
    #expect(written.filter(\.isLast).map(\.number) == [Int64(written.count)])
    #expect(SessionPulse.interval == .seconds(4))
    #expect(BenchSession.longestBeat == .seconds(5))
  }

  /// A session that cannot take the run keeps it from beginning.
  @Test func aSessionThatIsPausedTakesNoRun() throws {
    let folder = NSTemporaryDirectory() + "sessions-\(getpid())-\(#line)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = try RunLedger(.file(folder + "/l"), for: .writing, program: "test") { 5 }
    _ = try ledger.startSession(.init(session: "mine", bench: nil, operatorName: "Ada", key: "1"))
    _ = try ledger.mark(.pause, .init(session: "mine", bench: nil, operatorName: "Ada", key: "2"))
    var subject = LedgerWriter.Subject(run: "r", operatorName: "Ada", program: "test", rules: "")
    subject.session = "mine"
    let writer = LedgerWriter(ledger, subject, ScenarioFingerprints([]))
    let failure = #expect(throws: LedgerFailure.self) { try Self.run(writer, PressingPerformer {}) }
    #expect(failure?.description == "the bench session mine of Ada cannot take a run: it is paused")
    #expect(writer.pulse == nil)
    #expect(try ledger.runs().isEmpty)
  }
}
