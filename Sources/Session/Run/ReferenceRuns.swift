import Requirements
import Runner
import ScenarioLanguage
import Timeline
import Trace
import Verdicts

/// A run of earlier with which this one is compared.
package struct BaselineRun: Sendable {
  /// What it is called: the folder it was read from.
  package let name: String
  /// Its report.
  package let report: RunReport
  /// The logs of a scenario by its name; empty where it has none.
  private let events: @Sendable (String) -> [RunComparison.Log]

  package init(name: String, report: RunReport, events: @escaping @Sendable (String) -> [RunComparison.Log]) {
    self.name = name
    self.report = report
    self.events = events
  }

  /// What was logged of the same repetition of a scenario, or else of the first one; `nil` for nothing.
  func events(like report: ScenarioReport) -> RunComparison.Log? {
    let logs = events(report.name)
    return (logs.first { $0.repetition == report.repetition } ?? logs.first).flatMap { $0.entries.isEmpty ? nil : $0 }
  }
}

/// Finds where failing simulated runs first went another way than runs that pass.
///
/// A simulated run is a function of scenario, seed and program, so it is run again, and beside it the same run without
/// its fault. Both are run uncovered, because recordings count; nothing of that is written anywhere.
struct ReferenceRuns {
  let plan: RunPlan
  let performer: any ScenarioPerformer
  let baseline: BaselineRun?

  /// Returns where a failed run first differs; `nil` where it did not fail or there is nothing to compare with.
  func difference(
    of report: ScenarioReport, _ scenario: Scenario, live: EventCollector? = nil
  ) -> FirstDifference? {
    let interruption = plan.settings.interruption
    guard isComparable(report), !interruption.isRequested else { return nil }
    let difference = compared(report, scenario, live)
    // Where a run that was interrupted ends is not where it goes another way.
    return interruption.isRequested ? nil : difference
  }

  /// What collects the events of a run that cannot be run again; `nil` where it can, or nothing is compared.
  var collector: EventCollector? { isReal && baseline != nil ? EventCollector(.reported) : nil }

  private var isReal: Bool { plan.settings.hardware != nil || plan.settings.application != nil }

  private func isComparable(_ report: ScenarioReport) -> Bool {
    report.account != nil && report.traceHash != nil && report.verdict.failure != nil
  }

  private func compared(
    _ report: ScenarioReport, _ scenario: Scenario, _ live: EventCollector?
  ) -> FirstDifference? {
    var settings = plan.settings
    settings.repetition = report.repetition
    settings.isUncovered = true
    if !isReal, let (reference, words) = reference(of: settings) {
      let here = events(.all, scenario, settings).log
      let (there, verdict) = events(.all, scenario, reference)
      // One that does not show a declared defect is better than was declared.
      let passes = verdict.isExpected || verdict.kind == .mended
      let other = passes ? words : "\(words), which does not pass either"
      let isSame = reference.profile.name == settings.profile.name
      return RunComparison(isSame ? .exact : .cause).firstDifference(here, there, other: other)
    }
    guard let baseline, let there = baseline.events(like: report) else { return nil }
    let here = live?.log ?? events(.reported, scenario, settings).log
    guard !here.entries.isEmpty else { return nil }
    return RunComparison(.cause).firstDifference(here, there, other: "the run in \(baseline.name)")
  }

  /// The run that passes, and what it is; `nil` where this one has nothing that could be taken away.
  private func reference(of settings: RunSettings) -> (RunSettings, String)? {
    guard plan.target == .simulated else { return nil }
    var reference = settings
    reference.faults = []
    if !settings.faults.isEmpty { return (reference, "the same run without the fault") }
    guard baseline == nil, settings.profile != .reference else { return nil }
    reference.profile = .reference
    // The defects that this firmware is declared to have are not those of the other one.
    reference.known = KnownDefects()
    return (reference, "the same run with profile \(reference.profile.name)")
  }

  private func events(
    _ extent: EventCollector.Extent, _ scenario: Scenario, _ settings: RunSettings
  ) -> (log: RunComparison.Log, Verdict) {
    let collector = EventCollector(extent)
    let report = performer.perform(scenario, settings, sinks: [collector], observer: collector)
    return (collector.log, report.verdict)
  }
}

/// Tells two observers of one run.
final class BothObservers: RunObserver {
  private let first: any RunObserver
  private let second: any RunObserver

  private init(_ first: any RunObserver, _ second: any RunObserver) {
    self.first = first
    self.second = second
  }

  /// Who tells those of two observers that are there; `nil` without any.
  static func of(_ first: (any RunObserver)?, _ second: (any RunObserver)?) -> (any RunObserver)? {
    guard let first, let second else { return first ?? second }
    return BothObservers(first, second)
  }

  var wantsSounds: Bool { first.wantsSounds || second.wantsSounds }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {
    first.stepStarted(sentence, file: file, line: line, at: instant)
    second.stepStarted(sentence, file: file, line: line, at: instant)
  }

  func stepFinished(_ report: StepReport) {
    first.stepFinished(report)
    second.stepFinished(report)
  }

  func observed(_ event: ProductEvent) {
    first.observed(event)
    second.observed(event)
  }

  func buttonChanged(of device: String, isDown: Bool, at instant: Instant) {
    first.buttonChanged(of: device, isDown: isDown, at: instant)
    second.buttonChanged(of: device, isDown: isDown, at: instant)
  }

  func heard(_ sound: HeardSound) {
    first.heard(sound)
    second.heard(sound)
  }
}

/// Collects what happens in a run, for a comparison.
final class EventCollector: RunObserver, TraceSink {
  /// How much is collected.
  enum Extent {
    /// Everything, with a digest of each packet of a recording.
    case all
    /// What an event log would have.
    case reported
  }

  /// Events that are collected of everything; what comes later is not compared.
  private static let limit = 200_000
  /// Octets before the value of a notification: headers of ACL, L2CAP and ATT.
  private static let headerLength = 11

  private(set) var log = RunComparison.Log()
  private let extent: Extent
  private var lastData: [TraceSource: [UInt8]] = [:]

  init(_ extent: Extent) { self.extent = extent }

  func receive(_ record: TraceRecord) {
    guard extent == .all else { return }
    if record.kind == .hciDataToHost || record.kind == .hciDataToController {
      lastData[record.source] = record.payload
    }
  }

  func finish() {}

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}

  func stepFinished(_ report: StepReport) {}

  func observed(_ event: ProductEvent) {
    if extent == .reported {
      if let reported = event.reported { log.append(RunComparison.Entry(reported)) }
      return
    }
    guard log.entries.count < Self.limit else {
      log.dropped += 1
      return
    }
    var content: UInt64?
    if case .fileTransfer(.data) = event.happening { content = lastData[event.source].map(Self.digest) }
    log.entries.append(RunComparison.Entry(event.told, content: content))
  }

  /// FNV-1a over the value.
  private static func digest(_ packet: [UInt8]) -> UInt64 {
    packet.dropFirst(headerLength).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
