import Bytes
import Runner
import ScenarioLanguage
import Text
import Verdicts

/// A session of the shell as a scenario file that somebody can go on with.
struct ShellDraft {
  /// The world before the first step, as it was typed after `given:`; `nil` where nothing was stated.
  var given: String?
  /// The lines that were performed.
  var entries: [ShellEntry] = []
  /// What the monitors found.
  var findings: [MonitorFinding] = []
  /// The ids that `verifies:` may name.
  var requirements: [String] = []

  /// The octets of the file; its name becomes the scenario's id.
  func yaml(named path: String) -> String {
    var lines = [
      "# Written by `dictobench shell`. Say in `scenario:` what is true when it passes, and in `shows:` which steps show it.",
      "scenario: phone and recorder do again what they did in the shell", "id: \(Self.identifier(of: path))",
    ]
    if !verified.isEmpty { lines.append("verifies: [\(verified.joined(separator: ", "))]") }
    if let given { lines.append("given: \(given)") }
    lines.append("steps:")
    for entry in entries {
      if let reason = entry.trouble { lines.append("  # In the shell this did not pass: \(PlainText.escaped(reason))") }
      for (index, line) in entry.written.enumerated() { lines.append((index == 0 ? "  - " : "    ") + line) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The requirements that steps claim to show, and those that monitors saw met or violated.
  private var verified: [String] {
    let claimed = entries.flatMap(\.shows).map { String($0.prefix { $0 != "/" }) }
    // A scenario that only waits shows nothing by itself.
    let isIdle = entries.allSatisfy(\.isWait)
    let watched = isIdle ? [] : findings.filter { $0.outcome.isAnswer }.map(\.declaration.requirement)
    return requirements.filter { claimed.contains($0) || watched.contains($0) }
  }

  /// The name of the file as an id.
  private static func identifier(of path: String) -> String {
    let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "session" : String(words.joined(separator: "-").prefix(80))
  }
}

/// A line that was performed.
package struct ShellEntry: Hashable, Sendable {
  /// The lines of the step in a scenario file.
  var written: [String]
  /// What its steps came to.
  package var reports: [StepReport]
  /// What its steps claim to show.
  var shows: [String]
  /// Whether it only let time pass.
  var isWait: Bool

  /// The step on one line, as it was understood.
  package var sentence: String { written.joined(separator: ", ") }
  /// What it came to: the first step that did not pass, else the last.
  package var outcome: StepOutcome? {
    (reports.first { $0.outcome.isTrouble } ?? reports.last)?.outcome
  }
  /// Why it did not pass; `nil` where it passed.
  var trouble: String? { reports.first { $0.outcome.isTrouble }?.outcome.reason }
}

extension RequirementOutcome {
  /// Whether the run says that the requirement was met or violated.
  fileprivate var isAnswer: Bool {
    switch self {
    case .shown, .violated: true
    default: false
    }
  }
}
