import Bytes
import Text
import Verdicts

/// What GitHub Actions shows: annotations at lines of files, and a summary of the step.
struct GitHubReport: RunReportWriter {
  static let name = "github"
  static let needsFolder = false
  /// GitHub's runners set `GITHUB_ACTIONS` to `true`.
  static func isDefault(_ place: ReportPlace) -> Bool { place.environment("GITHUB_ACTIONS") == "true" }

  /// Annotations of one step that are shown; the most useful ones are written.
  static let annotationLimit = 10
  /// Scenarios whose details stand in the summary.
  static let detailedFailures = 5
  /// Octets of a summary; a longer one would be dropped whole.
  static let summaryLimit = 1 << 20

  private let place: ReportPlace

  init(_ beginning: RunReport, in place: ReportPlace) { self.place = place }

  /// Prints the annotations, and appends the summary to the file that `GITHUB_STEP_SUMMARY` names.
  func finish(_ story: RunStory) throws(ReportFailure) {
    for line in Self.annotations(story, pathInProject: place.pathInProject) { place.say(line) }
    guard let path = place.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
    try ReportFile.append(Self.summary(story), to: path)
  }

  /// Returns `::error` lines for standard output; failures of different requirements come first. GitHub finds files from the
  /// folder of the project.
  static func annotations(_ story: RunStory, pathInProject: (String) -> String = { $0 }) -> [String] {
    var chosen: [ScenarioStory] = []
    var later: [ScenarioStory] = []
    for scenario in story.deviant where scenario.kind != .blocked {
      if let requirement = scenario.requirement, chosen.contains(where: { $0.requirement == requirement }) {
        later.append(scenario)
      } else {
        chosen.append(scenario)
      }
    }
    return (chosen + later).prefix(annotationLimit).map { annotation($0, pathInProject) }
  }

  private static func annotation(_ story: ScenarioStory, _ pathInProject: (String) -> String) -> String {
    let title = story.requirement.map { "\($0) \(story.name)" } ?? story.name
    let place = "file=\(property(pathInProject(story.place.file))),line=\(property(story.place.line))"
    return "::error \(place),title=\(property(title))::\(message(PlainText.escaped(story.reason)))"
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
  static func summary(_ story: RunStory) -> [UInt8] {
    var text = "### " + MarkdownText.escaped("\(story.word)  \(story.counts)") + "\n\n"
    if !story.deviant.isEmpty {
      text += "| verdict | scenario | requirement | reason |\n|---|---|---|---|\n"
      for scenario in story.deviant {
        let row = [scenario.kind.rawValue, scenario.name, scenario.requirement ?? "", scenario.reason]
        let line = "| " + row.map { MarkdownText.escaped($0) }.joined(separator: " | ") + " |\n"
        guard text.utf8.count + line.utf8.count < summaryLimit / 2 else {
          text += "\nFurther scenarios are in `summary.json`.\n"
          break
        }
        text += line
      }
    }
    for scenario in story.deviant.prefix(detailedFailures) where scenario.kind != .blocked {
      text += "\n**\(MarkdownText.escaped(scenario.name))**: \(MarkdownText.escaped(scenario.report.title))\n\n"
      let lines = scenario.failure + scenario.notes + scenario.again
      text += lines.map { "- \(MarkdownText.escaped($0.sentence))\n" }.joined()
    }
    let remarks =
      story.benchTrouble + RepetitionLines.lines(story.report) + story.knownDefects + story.requirements
      + [story.identity]
    text += "\n**the run**\n\n" + remarks.map { "- \(MarkdownText.escaped($0.trimmed))\n" }.joined()
    if let caveat = story.report.caveat { text += "\n\(caveat)\n" }
    return Array(text.utf8)
  }
}

extension String {
  /// The text without the blanks it begins with, by which consoles indent.
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
