import Bytes
import Requirements
import Text
import Timeline

/// What GitHub Actions shows: annotations at lines of files, and a summary of the step.
public enum GitHubReport {
  /// Annotations of one step that are shown; the most useful ones are written.
  public static let annotationLimit = 10
  /// Octets of a summary; a longer one would be dropped whole.
  public static let summaryLimit = 1 << 20

  /// `::error` lines for standard output, a different requirement each as far as there are.
  public static func annotations(_ run: RunReport) -> [String] {
    var chosen: [ScenarioReport] = []
    var later: [ScenarioReport] = []
    for scenario in ConsoleReport.byWeight(run.scenarios) where scenario.verdict.kind != .blocked {
      let requirement = scenario.verdict.failure?.requirement
      if requirement != nil, chosen.contains(where: { $0.verdict.failure?.requirement == requirement }) {
        later.append(scenario)
      } else {
        chosen.append(scenario)
      }
    }
    return (chosen + later).prefix(annotationLimit).map(annotation)
  }

  private static func annotation(_ scenario: ScenarioReport) -> String {
    let place = FailureDetails.place(scenario)
    let colon = place.lastIndex(of: ":")
    let file = colon.map { String(place[..<$0]) } ?? scenario.file
    let line = colon.map { String(place[place.index(after: $0)...]) } ?? String(scenario.line)
    let title = scenario.verdict.failure?.requirement.map { "\($0) \(scenario.name)" } ?? scenario.name
    let properties = "file=\(property(file)),line=\(property(line)),title=\(property(title))"
    return "::error \(properties)::\(message(PlainText.escaped(scenario.verdict.reason ?? "")))"
  }

  private static func message(_ text: String) -> String {
    text.map { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(character)
      }
    }.joined()
  }

  private static func property(_ text: String) -> String {
    message(PlainText.escaped(text)).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }

  /// Markdown for the file that `GITHUB_STEP_SUMMARY` names.
  public static func summary(_ run: RunReport) -> [UInt8] {
    var text = "### " + cell(ConsoleReport(.plain).text(run, folder: nil).prefix { $0 != "\n" }) + "\n\n"
    let deviant = ConsoleReport.byWeight(run.scenarios)
    if !deviant.isEmpty {
      text += "| verdict | scenario | requirement | reason |\n|---|---|---|---|\n"
      for scenario in deviant {
        let failure = scenario.verdict.failure
        let row = [
          scenario.verdict.kind.rawValue, scenario.name, failure?.requirement ?? "", scenario.verdict.reason ?? "",
        ]
        let line = "| " + row.map { cell($0[...]) }.joined(separator: " | ") + " |\n"
        guard text.utf8.count + line.utf8.count < summaryLimit - 256 else {
          text += "\nFurther scenarios are in `summary.json`.\n"
          break
        }
        text += line
      }
    }
    if let caveat = run.caveat { text += "\n\(caveat)\n" }
    return Array(text.utf8)
  }

  /// Text that neither ends a table's cell nor becomes markup.
  private static func cell(_ text: Substring) -> String {
    PlainText.escaped(String(text), limit: 300).map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "|", "*", "_", "`", "[", "]", "\\": "\\" + String(character)
      default: String(character)
      }
    }.joined()
  }
}
