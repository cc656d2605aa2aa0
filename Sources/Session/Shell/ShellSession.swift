import Bytes
import Requirements
import Runner
import ScenarioLanguage
import Timeline
import Trace
import Verdicts
import World
import YAML

/// Steps of the scenario language that are typed one after the other, and performed at once on one stage.
///
/// The world is made when the first step comes, so that a line `given: {…}` before it can state it. A line that is
/// refused, and a step that fails, leave the session as it is.
package final class ShellSession {
  /// What the session is made of.
  package struct Plan {
    /// Seed, recorder, faults, bench.
    package var settings: RunSettings
    /// The words of the language.
    package var vocabulary: Vocabulary
    /// Files of fragments that steps may use.
    package var fragments: [SourceFile]
    /// Finds the sounds that steps name.
    package var sounds: any SoundLibrary
    /// Finds the firmware that steps name.
    package var firmware: any FirmwareLibrary
    /// What messages call the place of the lines, such as the name of a script.
    package var place: String

    package init(
      _ settings: RunSettings, _ vocabulary: Vocabulary, fragments: [SourceFile], sounds: any SoundLibrary,
      firmware: any FirmwareLibrary, place: String
    ) {
      self.settings = settings
      self.vocabulary = vocabulary
      self.fragments = fragments
      self.sounds = sounds
      self.firmware = firmware
      self.place = place
    }
  }

  /// What a line came to.
  package enum Answer {
    /// There was nothing to do.
    case nothing
    /// The world before the first step was stated.
    case given
    /// Steps were performed.
    case performed(ShellEntry)
    /// The language refuses the line.
    case refused(DiagnosticReport)
    /// The line is none of the language, and none of the shell's own.
    case wrong(String)
    /// Help was asked for; the words of the language, if any.
    case help([String])
    /// The lines so far.
    case history([ShellEntry])
    /// What the requirements came to so far.
    case requirements([MonitorFinding])
    /// The session as a scenario, for a file of this name.
    case save(String, yaml: String)
    /// The end was asked for.
    case quit
    /// The world could not be made, or nothing can be learned any more.
    case failed(ControlFailure)
  }

  /// Octets that a line may have.
  package static let lineLimit = 65_536

  private let plan: Plan
  private let capture: (EventLoop) throws -> (any TraceSink)?
  private let observer: ShellObserver
  private var reader: StepReader
  private var run: OpenRun?
  private var given: String?
  private var entries: [ShellEntry] = []
  private var number = 0

  /// A session whose trace goes to what `capture` begins, if anything, and that tells `tell` what happens while steps are
  /// performed.
  package init(
    _ plan: Plan, capture: @escaping (EventLoop) throws -> (any TraceSink)?, tell: @escaping (ShellEvent) -> Void
  ) {
    self.plan = plan
    self.capture = capture
    observer = ShellObserver(tell)
    reader = StepReader(plan.vocabulary, fragments: plan.fragments)
  }

  /// The time of the run, once a step was performed; on a bench the caller runs its events while nothing is typed.
  package var loop: EventLoop? { run?.loop }

  /// Performs a line; steps end early when the interruption is requested.
  ///
  /// - Throws: what `capture` throws when the first step begins; anything else is a bug of this program.
  package func take(_ line: String, _ interruption: RunInterruption = RunInterruption()) throws -> Answer {
    number += 1
    guard line.utf8.count <= Self.lineLimit else {
      return .wrong("\(plan.place):\(number): a line has at most \(Self.lineLimit) octets, and this one has more")
    }
    switch ShellLine(line) {
    case .nothing: return .nothing
    case .help(let words): return .help(words)
    case .history: return .history(entries)
    case .requirements: return .requirements(run?.findings ?? [])
    case .save(let path): return .save(path, yaml: draft(named: path))
    case .quit: return .quit
    case .wrong(let sentence): return .wrong(sentence)
    case .language(let text):
      switch reader.read(text, in: plan.place, at: number) {
      case .refused(let report): return .refused(report)
      case .given(let written):
        given = written
        return .given
      case .steps(let steps, let written): return try perform(steps, written, interruption)
      }
    }
  }

  /// The session so far as a scenario for a file of this name.
  package func draft(named path: String) -> String {
    ShellDraft(
      given: given, entries: entries, findings: run?.findings ?? [], requirements: plan.vocabulary.requirements
    ).yaml(named: path)
  }

  /// Ends the session; `nil` where no step was performed.
  package func finish() -> OpenRun.End? {
    let end = run?.finish()
    tellViolations()
    run = nil
    return end
  }

  private func perform(
    _ steps: [Step], _ written: [String], _ interruption: RunInterruption
  ) throws -> Answer {
    let run: OpenRun
    do { run = try opened() } catch let failure as ControlFailure { return .failed(failure) }
    if let trouble = run.controllerTrouble { return .failed(.bench(BenchFault(trouble))) }
    observer.isTelling = true
    defer { observer.isTelling = false }
    var entry = ShellEntry(
      written: written, reports: [], shows: steps.flatMap(\.everythingShown), isWait: steps.allSatisfy(\.isWait))
    if let lack = run.lack(for: reader.scenario(titled: "a line", id: Self.identifier, steps: steps)) {
      entry.reports = steps.map { step in
        StepReport(
          sentence: step.sentence, file: step.location.file, line: step.location.line, began: run.loop.now,
          ended: run.loop.now, outcome: .blocked(lack))
      }
      for report in entry.reports { observer.stepFinished(report) }
    } else {
      entry.reports = try run.perform(steps, interruption)
    }
    entries.append(entry)
    tellViolations()
    return .performed(entry)
  }

  /// The scenario's id, from which the seed of the world is derived.
  private static let identifier = "shell"

  private func opened() throws -> OpenRun {
    if let run { return run }
    let scenario = reader.scenario(titled: "a session in the shell", id: Self.identifier, steps: [])
    let run = try OpenRun(
      scenario, plan.settings, sounds: plan.sounds, firmware: plan.firmware, capture: capture, observer: observer)
    do { try run.establish(scenario) } catch {
      _ = run.finish()
      throw error
    }
    self.run = run
    return run
  }

  private func tellViolations() {
    for violation in run?.takeViolations() ?? [] { observer.tell(.violated(violation)) }
  }
}

/// What a session tells while steps are performed.
package enum ShellEvent {
  /// Something happened to the product.
  case happened(ReportedEvent)
  /// The verb of the step found this.
  case found(Findings)
  /// A step ended.
  case ended(StepReport)
  /// A requirement was violated.
  case violated(MonitorViolation)
}

/// Passes on what happens on the stage.
private final class ShellObserver: RunObserver {
  let tell: (ShellEvent) -> Void
  /// Whether a step is performed: between steps on a bench only violations are told.
  var isTelling = false

  init(_ tell: @escaping (ShellEvent) -> Void) { self.tell = tell }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}

  func found(_ findings: Findings) { tell(.found(findings)) }

  func stepFinished(_ report: StepReport) { tell(.ended(report)) }

  func observed(_ event: ProductEvent) {
    // What happens on a link is told by the phone; the recorder tells the rest.
    guard isTelling, event.link == 0 || event.source.part == .phone, let reported = event.reported else { return }
    tell(.happened(reported))
  }
}

extension Step {
  /// Whether it only lets time pass.
  fileprivate var isWait: Bool { if case .wait = action { true } else { false } }
}
