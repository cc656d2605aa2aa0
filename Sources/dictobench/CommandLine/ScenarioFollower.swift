import Reports
import Requirements
import Runner
import Session
import Timeline
import Trace
import Verdicts

/// Follows one attempt at a scenario: its capture, and the lines of the event log.
final class ScenarioFollower: AttemptFiles {
  private(set) var log: ScenarioEventLog
  private let capture: (sink: CaptureSink, path: String)?
  private let keepsAll: Bool
  /// Microseconds since 1970 when this attempt began, less the machine's monotonic clock then.
  private let wallBase: Int64

  private let pages: ReportPlace.Pages
  /// What a trace page would show; it is put into words only when there is one.
  private var events: [ProductEvent] = []
  private var droppedEvents = 0
  /// Whether sounds may be written: those of a simulated run are nobody's, others are covered unless asked for.
  private let maySound: Bool
  /// Whether a sound would be written. A library may hold hundreds.
  var wantsSounds: Bool { maySound && log.hasRoomForSound }

  init(
    _ name: String, capture: (sink: CaptureSink, path: String)?, keepsAll: Bool, pages: ReportPlace.Pages,
    wantsSounds: Bool
  ) {
    self.pages = pages
    maySound = wantsSounds
    log = ScenarioEventLog(name)
    self.capture = capture
    self.keepsAll = keepsAll
    wallBase = MachineClock.secondsSince1970() * 1_000_000 - Int64(MachineClock.monotonicNanoseconds() / 1_000)
  }

  private var wall: Int64 { wallBase + Int64(MachineClock.monotonicNanoseconds() / 1_000) }

  /// Where the trace goes.
  var sinks: [any TraceSink] { capture.map { [$0.sink] } ?? [] }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {
    log.stepStarted(sentence, file: file, line: line, at: instant, wall: wall)
    let name = file.split(separator: "/").last ?? ""
    capture?.sink.annotate("\(name):\(line) \(sentence)", at: instant)
  }

  func stepFinished(_ report: StepReport) {
    log.stepFinished(report, wall: wall)
    guard let reason = report.outcome.reason else { return }
    let name = report.file.split(separator: "/").last ?? ""
    capture?.sink.annotate("\(name):\(report.line) FAILED \(reason)", at: report.ended)
  }

  func observed(_ event: ProductEvent) {
    if pages != .none {
      if events.count < ScenarioEventLog.pageEventLimit { events.append(event) } else { droppedEvents += 1 }
    }
    if let reported = event.reported { log.observed(reported, wall: wall) }
  }

  func heard(_ sound: HeardSound) {
    log.heard(SoundClip(name: sound.name, isSpoken: sound.isSpoken, instant: sound.instant, sound: sound.sound))
  }

  /// Closes the capture, which is kept when all are, or the scenario did not pass and that is news; its path where it was
  /// kept.
  func close(_ report: ScenarioReport, isNews: Bool) throws -> String? {
    for finding in report.findings { for violation in finding.violations { log.violated(violation, wall: wall) } }
    if pages == .all || (pages == .failed && isNews && !report.verdict.isExpected) {
      log.show(events.map(\.told), dropped: droppedEvents)
    }
    log.finished(report, wall: wall)
    guard let capture else { return nil }
    let isKept = keepsAll || (isNews && report.verdict != .passed)
    try capture.sink.close(keeping: isKept)
    return isKept ? capture.path : nil
  }
}
