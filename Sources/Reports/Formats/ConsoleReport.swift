import Bytes
import Text
import Verdicts

/// What a person sees of a run: first the answer, then what did not pass, then where everything is.
struct ConsoleReport: RunReportWriter {
  static let name = "console"
  static let needsFolder = false
  static func isDefault(_ place: ReportPlace) -> Bool { true }

  /// Scenarios listed before the details; the answer, this list and its rest are twelve lines at most.
  static let listedFailures = 10
  /// Scenarios whose details are printed; the files have all.
  static let detailedFailures = 5

  private let place: ReportPlace

  init(_ beginning: RunReport, in place: ReportPlace) { self.place = place }

  func finish(_ story: RunStory) {
    place.say(
      place.isQuiet ? Self.answer(story, place.style) : Self.text(story, place.style, folder: place.folder?.path))
  }

  /// The answer, and what is said of requirements; what a script prints of a run.
  static func answer(_ story: RunStory, _ style: ConsoleStyle) -> String {
    let answer = style.coloured(story.word, colour(story.tone)) + "  " + PlainText.escaped(story.counts)
    return ([answer] + story.requirements.map { PlainText.escaped($0) }).joined(separator: "\n")
  }

  /// The whole report, without a line feed at its end. `folder` is where the files are; `nil` when none were written.
  static func text(_ story: RunStory, _ style: ConsoleStyle, folder: String?) -> String {
    var lines = [style.coloured(story.word, colour(story.tone)) + "  " + PlainText.escaped(story.counts)]
    for scenario in story.deviant.prefix(listedFailures) {
      let reason = PlainText.escaped(scenario.headline, limit: 100)
      lines.append("  \(label(scenario.kind, style)) \(PlainText.escaped(scenario.name)): \(reason)")
    }
    if story.deviant.count > listedFailures { lines.append("  and \(story.deviant.count - listedFailures) more") }
    lines += story.benchTrouble.map { "  " + PlainText.escaped($0, limit: 240) }
    lines += RepetitionLines.lines(story.report).map { PlainText.escaped($0) }
    for scenario in story.deviant.prefix(detailedFailures) where scenario.kind != .blocked {
      lines.append("")
      lines += details(scenario)
    }
    lines.append("")
    lines += story.knownDefects.map { PlainText.escaped($0, limit: 240) }
    lines += story.requirements.map { PlainText.escaped($0) }
    lines.append(PlainText.escaped(story.identity))
    if let caveat = story.report.caveat { lines.append(caveat) }
    if !story.report.isSimulated, let folder, let capture = story.report.scenarios.lazy.compactMap(\.capture).first {
      lines.append(
        "Runs on a bench cannot be replayed. To judge the capture again: dictobench check "
          + PlainText.escaped("\(folder)/\(capture)"))
    }
    if let folder { lines.append("reports in \(PlainText.escaped(folder))") }
    return lines.joined(separator: "\n")
  }

  private static func details(_ story: ScenarioStory) -> [String] {
    var lines = ["\(story.kind.rawValue): \(story.name)", "  " + story.report.title]
    lines += (story.failure + story.notes).map { "  " + $0.sentence }
    let events = story.lastEvents
    if !events.isEmpty { lines.append("  last \(events.count == 1 ? "event" : "\(events.count) events"):") }
    lines += events.map { "    " + PlainText.escaped($0, limit: 200) }
    lines += story.again.map { "  " + $0.sentence }
    return lines.map { PlainText.escaped($0) }
  }

  private static func colour(_ tone: RunStory.Tone) -> ConsoleStyle.Colour {
    switch tone {
    case .good: .green
    case .bad: .red
    case .uncertain: .yellow
    }
  }

  private static func label(_ kind: Verdict.Kind, _ style: ConsoleStyle) -> String {
    let colour: ConsoleStyle.Colour = kind == .failed || kind == .mended || kind == .harnessError ? .red : .yellow
    return style.coloured(kind.rawValue, colour)
  }
}
