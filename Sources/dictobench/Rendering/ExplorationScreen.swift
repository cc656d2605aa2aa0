import Charts
import FirmwareImages
import ImageRecorder
import Search
import System
import Text
import World

/// Tells an exploration on the console, and writes what it found.
final class ExplorationScreen {
  /// Why a scenario could not be written; `nil` where all were.
  private(set) var trouble: String?

  private let console: Console
  private let out: String?
  private let options: String
  private let image: FirmwareImage?
  /// Under which names findings were written that have another one.
  private var otherNames: [String: String] = [:]

  /// `out` is the folder of the scenarios; `options` is what `run` must be told besides a file. `image` is what recorders
  /// execute; `nil` for the model.
  init(console: Console, out: String?, options: String, image: FirmwareImage? = nil) {
    self.console = console
    self.out = out
    self.options = options
    self.image = image
  }

  private static let transitions = StateCharts.outlines.map(\.transitions.count).reduce(0, +)

  /// Tells what happened in the exploration.
  func tell(_ event: Explorer.Event) {
    switch event {
    case .progress(let progress, let corpus): say(line(progress, coverage(corpus)))
    // Making a finding small takes milliseconds with the model, but many seconds with an image.
    case .failed(let failure, let run): if image != nil { say("run \(run) fails, is made small: \(failure.reason)") }
    case .found(let finding): tell(finding)
    }
  }

  private func tell(_ finding: Finding) {
    let failure = finding.failure
    let subject = failure.cause.violated.isEmpty ? "harness error" : failure.cause.violated.joined(separator: ", ")
    say("FOUND    \(subject): \(failure.reason)")
    say(
      "         in run \(finding.run): \(Wording.count(finding.actionsBefore, "action")), "
        + "made \(Wording.count(finding.steps, "step")) with \(Wording.count(finding.trials, "trial"))"
        + (finding.isInterrupted ? ", then interrupted" : "")
        + (finding.repetitions > 0 ? "; fails in \(finding.repeated) of \(finding.repetitions) repetitions" : ""))
    guard let out else { return console.out(finding.text) }
    let (name, text) = freeName(for: finding, in: out)
    if name != finding.id { otherNames[finding.id] = name }
    let path = "\(out)/\(name).yaml"
    do throws(UsageFailure) {
      try OutputFile.write(text, to: path)
      say("         dictobench run \(ShellWord.quoted(path))\(options)")
    } catch {
      trouble = error.message
      console.out(text)
    }
  }

  /// A name under which the folder has nothing else, and the scenario with it: an exploration of the same seed with other
  /// options may have found something in the run of the same number.
  private func freeName(for finding: Finding, in folder: String) -> (name: String, text: String) {
    var (name, text) = (finding.id, finding.text)
    var number = 1
    func isTaken(_ path: String) -> Bool {
      FileSystem.may([], path) && (try? LimitedFile.octets(path)) != Array(text.utf8)
    }
    while isTaken("\(folder)/\(name).yaml") {
      number += 1
      name = "\(finding.id)-\(number)"
      text = finding.text.replacing(finding.id, with: name)
    }
    return (name, text)
  }

  /// Tells what was found and what was not reached.
  func conclude(_ findings: [Finding], _ corpus: Corpus, _ progress: Explorer.Progress) {
    // The state charts are those of the model; with an image only the phone's and the link's are taken.
    for chart in StateCharts.outlines where image == nil {
      let missing = chart.transitions.enumerated().filter {
        !corpus.hasReached(.transition(chart: chart.name, number: $0.offset))
      }
      for (_, transition) in missing {
        say("not reached  \(chart.name): \(transition.source) -> \(transition.target): \(transition.event)")
      }
    }
    let coverage = coverage(corpus)
    for line in coverage?.neverEntered ?? [] { say(line) }
    say(line(progress, coverage))
    if let lack = progress.lack {
      say("\(Wording.count(progress.blocked, "run")) could not be made, the first for lack of \(lack)")
    }
    for finding in findings where finding.count > 1 {
      say("\(otherNames[finding.id] ?? finding.id): \(Wording.count(finding.count, "run")) failed for this reason")
    }
  }

  private func coverage(_ corpus: Corpus) -> ImageCoverage? { image.flatMap { corpus.coverage(of: $0) } }

  private func line(_ progress: Explorer.Progress, _ coverage: ImageCoverage?) -> String {
    let reached =
      coverage.map(\.brief) ?? "\(progress.transitions) of \(Self.transitions) transitions"
    return "\(Wording.count(progress.runs, "run")): \(reached), "
      + "\(Wording.count(progress.pairs, "pair")) of state and event, "
      + "\(Wording.count(progress.kept, "schedule")) kept, \(Wording.count(progress.findings, "finding"))"
  }

  private func say(_ line: String) { console.out(PlainText.escaped(line, limit: 1_000)) }
}
