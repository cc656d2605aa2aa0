import Reports
import Requirements
import Runner
import ScenarioLanguage
import Session
import System
import Text
import Verdicts
import World

/// Shows a session of the shell: what steps came to, and what happened meanwhile.
final class ShellScreen {
  /// What stands before a line.
  let prompt = "> "
  private let console: Console
  private let vocabulary: Vocabulary
  private let isInteractive: Bool
  private var shownEvents = 0
  private var unshownEvents = 0
  /// The last event that was shown, and how often it happened again.
  private var last: (text: String, repetitions: Int) = ("", 0)
  /// What the steps came to, without those that were skipped or interrupted.
  private var steps: [Verdict.Kind] = []
  /// Steps that somebody interrupted, which says nothing of the bench.
  private var interruptedCount = 0
  /// Whether a requirement was violated.
  private var isViolated = false
  private var refusals = 0

  /// Events shown of one line; a capture has them all.
  private static let eventLimit = 24

  init(_ console: Console, _ vocabulary: Vocabulary, isInteractive: Bool) {
    self.console = console
    self.vocabulary = vocabulary
    self.isInteractive = isInteractive
  }

  /// Repeats a line that nobody saw being typed.
  func echo(_ line: String) {
    (shownEvents, unshownEvents, last) = (0, 0, ("", 0))
    if !isInteractive { console.out(prompt + PlainText.escaped(line)) }
  }

  // MARK: What happens

  /// Shows what happens while a step is performed.
  func show(_ event: ShellEvent) {
    switch event {
    case .happened(let reported): show(reported)
    case .found(let findings):
      endEvents()
      let text = findings.description
      if text != "{}" { console.out("  found \(PlainText.escaped(text, limit: 4_000))") }
    case .ended(let report): show(report)
    case .violated(let violation):
      isViolated = true
      let sentence = "\(violation.requirement) at \(violation.instant) s: \(PlainText.escaped(violation.reason))"
      console.out(console.outputStyle.coloured("VIOLATED", .red) + " " + sentence)
    }
  }

  private func show(_ event: ReportedEvent) {
    guard !event.words.isEmpty else { return }
    let text = "\(event.who.isEmpty ? "\(event.source)" : event.who): \(event.words)"
    guard text != last.text else { return last.repetitions += 1 }
    endRepetition()
    guard shownEvents < Self.eventLimit else { return unshownEvents += 1 }
    shownEvents += 1
    last.text = text
    console.out("  \(event.instant) s  \(PlainText.escaped(text, limit: 400))")
  }

  private func endRepetition() {
    if last.repetitions > 0 { console.out("  and \(Wording.count(last.repetitions, "time")) more") }
    last = ("", 0)
  }

  private func endEvents() {
    endRepetition()
    if unshownEvents > 0 { console.out("  and \(Wording.count(unshownEvents, "more event"))") }
    unshownEvents = 0
  }

  private func show(_ report: StepReport) {
    endEvents()
    let style = console.outputStyle
    let word = style.coloured(report.outcome.word, report.outcome.isPassed ? .green : .red)
    let reason = report.outcome.reason.map { ": " + PlainText.escaped($0) } ?? ""
    console.out("\(word) in \(DurationText.precise(report.began.duration(to: report.ended)))\(reason)")
  }

  // MARK: What lines come to

  /// Shows what a line came to. `isInterrupted` says whether somebody asked its step to end.
  func show(_ answer: ShellSession.Answer, isInterrupted: Bool = false) {
    switch answer {
    case .nothing, .quit, .save, .failed: break
    case .given: console.out("the world is made when the first step is performed")
    case .performed(let entry):
      let kinds = entry.reports.map(\.outcome).compactMap(Self.kind)
      let judged = isInterrupted ? kinds.filter { $0 != .benchError } : kinds
      steps += judged
      interruptedCount += kinds.count - judged.count
    case .refused(let report):
      refusals += 1
      console.note(report.firstText(colour: console.isColoured))
    case .wrong(let sentence):
      refusals += 1
      console.complain(sentence)
    case .help(let words): help(words)
    case .history(let entries):
      for (index, entry) in entries.enumerated() {
        console.out("  \(index + 1)  \(PlainText.escaped(entry.sentence))  \(entry.outcome?.word ?? "no step")")
      }
    case .requirements(let findings):
      let exercised = findings.filter { $0.outcome != .notExercised }
      let lines = CaptureVerdict.lines(exercised, console.outputStyle)
      console.out(lines.isEmpty ? "no requirement was exercised yet" : lines.joined(separator: "\n"))
    }
  }

  /// Shows why the session cannot go on.
  func fail(_ failure: ControlFailure) { console.complain("\(failure)") }

  private static func kind(_ outcome: StepOutcome) -> Verdict.Kind? {
    switch outcome {
    case .passed: .passed
    case .failed: .failed
    case .blocked: .blocked
    case .benchError: .benchError
    case .harnessError: .harnessError
    case .skipped: nil
    }
  }

  private func help(_ words: [String]) {
    let width = console.outputStyle.columns
    if words.isEmpty {
      let own = ShellLine.words.map { ([$0.word, $0.operands].joined(separator: " ").trimmingBlanks, $0.summary) }
      console.out(
        """
        A line is a step as scenarios have it, on one line: `phone: sync, expect: {downloaded: 2}`. A line
        `given: {device: {records: 2}}` before the first step states the world. Other lines:

        \(Columns.text(own, width: width))

        """)
    } else if words.count == 1, let own = ShellLine.words.first(where: { $0.word == words[0] }) {
      return console.out("\(own.word) \(own.operands)\n  \(own.summary)")
    }
    if let text = vocabulary.explanation(of: words) {
      console.out(Columns.fitted(text, width: width))
    } else {
      let nearest = vocabulary.nearestTopic(to: words).map { "; did you mean \($0)?" } ?? ""
      console.complain("no word of the language is named \(words.joined(separator: " "))\(nearest)")
    }
  }

  // MARK: Files and the end

  /// Writes a scenario that a line asked for; what is wrong is told, and the session goes on.
  func save(_ yaml: String, to path: String) {
    do throws(UsageFailure) { try write(yaml, to: path) } catch {
      refusals += 1
      console.complain(error.message)
    }
  }

  /// Writes a scenario.
  func write(_ yaml: String, to path: String) throws(UsageFailure) {
    try OutputFile.write(yaml, to: path)
    console.note("wrote \(PlainText.escaped(path)); `dictobench lint` checks it, `dictobench run` performs it")
  }

  /// `2 steps passed, 1 failed`: all of them, those that passed first.
  private var stepCounts: String {
    let others = [Verdict.Kind.failed, .blocked, .benchError, .harnessError].map { kind in
      (steps.count { $0 == kind }, kind.rawValue)
    }
    let counts = (others + [(interruptedCount, "interrupted")]).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (["\(Wording.count(steps.count { $0 == .passed }, "step")) passed"] + counts).joined(separator: ", ")
  }

  /// Shows how the session ended. `code` says why it ended early, if it did.
  func end(_ end: OpenRun.End?, _ code: ExitCode?) -> ExitCode {
    if let end {
      if let leftover = end.leftover { console.note(PlainText.escaped(leftover, limit: 400)) }
      let violated = end.findings.filter { !$0.violations.isEmpty }
      if !violated.isEmpty { isViolated = true }
      let shown = end.findings.count { $0.outcome == .shown }
      console.note(
        "\(stepCounts), \(Wording.count(shown, "requirement")) met, \(violated.count) violated; "
          + "\(DurationText.precise(end.duration)), trace \(end.hash)")
    }
    let outcomes = steps + (isViolated ? [.failed] : [])
    // A script that performs nothing shows nothing; a person may only have looked something up.
    let judged =
      outcomes.isEmpty && isInteractive ? .passed : ExitCode.of(outcomes, isInterrupted: code == .interrupted)
    if let code { return judged == .deviceFailed ? judged : code }
    guard judged == .passed || judged == .nothingRan else { return judged }
    if interruptedCount > 0 { return .interrupted }
    // A script with a wrong line is a wrong script; a person sees it and types another one.
    return !isInteractive && refusals > 0 ? .usage : judged
  }
}
