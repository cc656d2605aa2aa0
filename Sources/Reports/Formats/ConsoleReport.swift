import Bytes
import Text
import Verdicts

/// What a person sees of a run: first the answer, then what did not pass, grouped by cause, then where everything is.
struct ConsoleReport: RunReportWriter {
  static let name = "console"
  static let needsFolder = false
  static func isDefault(_ place: ReportPlace) -> Bool { true }

  /// Causes listed before the details; the answer, this list and its rest are twelve lines at most.
  static let listedCauses = 10
  /// Causes of which one scenario is told in full; the files have all.
  static let detailedCauses = 5
  /// Scenarios named that run another way than in the baseline.
  static let listedChanges = 5

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
    lines += list(story, style)
    lines += story.benchTrouble.map { "  " + PlainText.escaped($0, limit: 240) }
    lines += RepetitionLines.lines(story.report).map { PlainText.escaped($0) }
    for cause in story.causes.prefix(detailedCauses) where cause.first.kind != .blocked {
      lines.append("")
      lines += details(cause, style)
    }
    if story.causes.count > detailedCauses {
      let rest = Wording.count(story.causes.count - detailedCauses, "more cause")
      lines += ["", "\(rest) not shown here; see junit.xml, summary.json and the trace pages of --out"]
    }
    lines.append("")
    lines += story.knownDefects.map { PlainText.escaped($0, limit: 240) }
    if let baseline = story.report.baseline { lines += changes(baseline) }
    lines += story.requirements.map { PlainText.escaped($0) }
    lines += story.charge.map { PlainText.escaped($0, limit: 300) }
    if let charts = story.report.chartSentence { lines.append(PlainText.escaped(charts, limit: 240)) }
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

  /// A line for each cause.
  private static func list(_ story: RunStory, _ style: ConsoleStyle) -> [String] {
    var lines = story.causes.prefix(listedCauses).map { cause in
      let reason = PlainText.escaped(cause.first.headline, limit: 100)
      let others = cause.more.map { " and \($0)" } ?? ""
      return "  \(label(cause.first.kind, style)) \(PlainText.escaped(cause.first.name))\(others): \(reason)"
    }
    let more = story.causes.count - listedCauses
    if more > 0 || story.causes.count < story.deviant.count {
      let unlisted = more > 0 ? "and \(more) more: " : ""
      lines.append("  \(unlisted)\(Wording.count(story.causes.count, "cause")), \(story.deviant.count) scenarios")
    }
    return lines
  }

  private static func details(_ cause: CauseStory, _ style: ConsoleStyle) -> [String] {
    let story = cause.first
    var lines = ["\(label(story.kind, style)): \(PlainText.escaped(story.name))"]
    lines.append("  " + PlainText.escaped(story.report.title))
    var statement = story.statement
    if let account = story.report.account, !account.excerpt.isEmpty, statement.first?.label == "at" {
      statement.removeFirst()
      lines.append("  at: " + PlainText.escaped(account.place))
      lines += account.excerpt.map { "    " + PlainText.escaped($0) }
    }
    var rest = statement + story.others + story.notes
    lines += rest.map { "  " + PlainText.escaped($0.sentence) }
    let events = story.lastEvents
    if !events.isEmpty {
      lines.append("  last \(events.count == 1 ? "step" : "\(events.count) steps") of the conversation (seconds):")
    }
    lines += events.map { "    " + PlainText.escaped($0, limit: 200) }
    rest = story.open
    if let others = cause.others { rest.append(ScenarioStory.Line("the same in", others)) }
    lines += rest.map { "  " + PlainText.escaped($0.sentence) }
    for (index, line) in story.difference.enumerated() {
      lines.append((index == 0 ? "  " : "    ") + PlainText.escaped(line.sentence))
    }
    return lines + story.again.map { "  " + PlainText.escaped($0.sentence) }
  }

  /// What changed since the baseline although every verdict is the same, and which verdicts are not.
  private static func changes(_ baseline: BaselineChange) -> [String] {
    let folder = PlainText.escaped(baseline.folder)
    func list(_ names: [String]) -> String {
      let rest = names.count > listedChanges ? " and \(names.count - listedChanges) more" : ""
      return PlainText.escaped(names.prefix(listedChanges).joined(separator: ", ")) + rest
    }
    if let why = baseline.incomparable { return ["baseline: the traces of \(folder) cannot be compared: \(why)"] }
    var lines: [String] = []
    if !baseline.changed.isEmpty {
      lines.append("baseline: other verdicts than in \(folder): " + list(baseline.changed))
    }
    if !baseline.unjudged.isEmpty {
      lines.append(
        "baseline: \(Wording.count(baseline.unjudged.count, "scenario")) as good as in \(folder), but not the same run, "
          + "which nobody judged: " + list(baseline.unjudged))
      lines.append("  to see the first differences: dictobench compare \(folder) OUT, where OUT is this run's --out")
    }
    if lines.isEmpty { lines.append("baseline: every scenario runs as in \(folder)") }
    return lines
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
