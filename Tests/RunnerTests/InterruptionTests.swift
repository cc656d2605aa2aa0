import Charts
import HostStack
import Recorder
import Requirements
import Synchronization
import Testing
import Timeline
import Verdicts
import World

@testable import Runner

/// Runs that somebody ends.
@Suite struct Interruptions {
  @Test func whoRunsAndWhoComesLaterIsEnded() {
    let interruption = RunInterruption()
    let ended = Mutex<[String]>([])
    interruption.heard(by: { ended.withLock { $0.append("first") } }) {}
    #expect(ended.withLock { $0 } == [])
    interruption.heard(by: { ended.withLock { $0.append("second") } }) { interruption.request() }
    interruption.heard(by: { ended.withLock { $0.append("third") } }) {}
    #expect(ended.withLock { $0 } == ["second", "third"])
  }

  @Test func afterAnInterruptionNobodyWaitsButToPutThingsInOrder() throws {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let waiting = Waiting(loop)
    loop.schedule(after: .seconds(2)) { waiting.assumeIsolated { $0.waits.interrupt() } }
    #expect(try loop.run { await waiting.waitThrice() } == [.failed, .failed, .passed])
    #expect(loop.now == Instant.zero.advanced(by: .seconds(12)))
  }
}

/// Simulated scenarios that somebody ends. With an image they take as long as its processor.
@Suite struct InterruptedSimulations {
  private static func report(_ body: String, _ settings: RunSettings, _ observer: (any RunObserver)? = nil) throws
    -> ScenarioReport
  {
    ScenarioRun(try Playing.scenarios(body)[0], settings, sounds: Silence(), firmware: NoFirmware())
      .run(observer: observer)
  }

  @Test func aProgramThatIsExecutedIsLeftAtOnce() throws {
    var settings = RunSettings()
    settings.program = RecorderProgram(named: "restless") { _ in Restless() }
    let body = "steps: [{wait: 1 s}, {wait: 10 s}, {wait: 20 s}]\nalways: [{wait: 30 s}]"
    let report = try Self.report(body, settings, Interrupter(settings.interruption))
    #expect(report.verdict == .benchError(BenchTrouble("interrupted in `wait: 10 s`")))
    #expect(report.steps.map(\.outcome.word) == ["passed", "bench-error", "skipped", "bench-error"])
    #expect(report.virtualDuration < .milliseconds(1_010))
    #expect(report.traceHash == nil)
  }

  @Test func soIsAModel() throws {
    let settings = RunSettings()
    settings.interruption.request()
    let report = try Self.report("steps: [{wait: 1 h}, {phone: connect}]", settings)
    #expect(report.verdict == .benchError(BenchTrouble("interrupted in `wait: 1 h`")))
    #expect(report.virtualDuration < .seconds(1))
  }

  /// Every step was performed by then.
  @Test func whatHadEndedHasPassed() throws {
    let settings = RunSettings()
    let report = try Self.report("steps: [{wait: 1 s}]", settings, Interrupter(settings.interruption))
    #expect(report.verdict == .passed)
    #expect(report.traceHash != nil)
  }
}

/// A recorder whose program never waits, so that something is to be done every 100 us.
private struct Restless: RecorderApplicationMachine {
  var isOn = false
  private var due: Instant?

  mutating func take(_ control: RecorderControl, at instant: Instant) { isOn = isOn || control == .holdRail }
  mutating func take(_ event: HostEvent, at instant: Instant) {}
  mutating func timerFired(_ kind: UInt8, at instant: Instant) { due = nil }
  mutating func drain(_ output: inout RecorderOutput) { output = RecorderOutput() }

  mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {
    guard isOn, due == nil else { return }
    due = instant.advanced(by: .microseconds(100))
    timers.append(RecorderTimer(0, due: due))
  }

  var chartLogs: [ChartLog] { [] }
}

/// Somebody who interrupts a run when its first step has ended.
private final class Interrupter: RunObserver {
  private let interruption: RunInterruption

  init(_ interruption: RunInterruption) { self.interruption = interruption }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) { interruption.request() }
  func observed(_ event: ProductEvent) {}
}

/// Somebody on the loop's thread who waits for ten seconds, again and again.
private actor Waiting {
  enum Outcome { case passed, failed }
  nonisolated let loop: EventLoop
  let waits = Waits()

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func waitThrice() async -> [Outcome] {
    var outcomes = [await pass(), await pass()]
    _ = waits.beginCleanUp()
    outcomes.append(await pass())
    return outcomes
  }

  private func pass() async -> Outcome {
    if case .success = await waits.pass(.seconds(10), on: loop) { .passed } else { .failed }
  }
}
