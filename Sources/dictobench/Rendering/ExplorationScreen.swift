import Charts
import Foundation
import Search
import Text
import World

/// Tells an exploration on the console, and writes what it found.
final class ExplorationScreen {
  /// Why a scenario could not be written; `nil` where all were.
  private(set) var trouble: String?

  private let console: Console
  private let out: String?
  private let options: String

  /// `out` is the folder of the scenarios; `options` is what `run` must be told besides a file.
  init(console: Console, out: String?, options: String) {
    self.console = console
    self.out = out
    self.options = options
  }

  private static let transitions = StateCharts.outlines.map(\.transitions.count).reduce(0, +)

  /// Tells what happened in the exploration.
  func tell(_ event: Explorer.Event) {
    switch event {
    case .progress(let progress): say(Self.line(progress))
    case .found(let finding): tell(finding)
    }
  }

  private func tell(_ finding: Finding) {
    let failure = finding.failure
    let subject = failure.cause.violated.isEmpty ? "harness error" : failure.cause.violated.joined(separator: ", ")
    say("FOUND    \(subject): \(failure.reason)")
    say(
      "         in run \(finding.run): \(Wording.count(finding.actionsBefore, "action")), "
        + "made \(Wording.count(finding.steps, "step")) with \(Wording.count(finding.trials, "trial")); "
        + "fails in \(finding.repeated) of \(Finding.repetitions) repetitions")
    guard let out else { return console.out(finding.text) }
    let path = "\(out)/\(finding.id).yaml"
    do {
      try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      try Data(finding.text.utf8).write(to: URL(filePath: path), options: .atomic)
      say("         dictobench run \(path)\(options)")
    } catch {
      trouble = "cannot write \(path)"
    }
  }

  /// Tells what was found and what was not reached.
  func conclude(_ findings: [Finding], _ corpus: Corpus, _ progress: Explorer.Progress) {
    for chart in StateCharts.outlines {
      let missing = chart.transitions.enumerated().filter {
        !corpus.hasReached(.transition(chart: chart.name, number: $0.offset))
      }
      for (_, transition) in missing {
        say("not reached  \(chart.name): \(transition.source) -> \(transition.target): \(transition.event)")
      }
    }
    say(Self.line(progress))
    for finding in findings where finding.count > 1 {
      say("\(finding.id): \(Wording.count(finding.count, "run")) failed for this reason")
    }
  }

  private static func line(_ progress: Explorer.Progress) -> String {
    "\(Wording.count(progress.runs, "run")): \(progress.transitions) of \(transitions) transitions, "
      + "\(Wording.count(progress.pairs, "pair")) of state and event, "
      + "\(Wording.count(progress.kept, "schedule")) kept, \(Wording.count(progress.findings, "finding"))"
  }

  private func say(_ line: String) { console.out(PlainText.escaped(line, limit: 1_000)) }
}
