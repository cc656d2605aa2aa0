import Bytes
import Verdicts

/// The page that leads to the trace pages of a run.
struct IndexPage {
  /// The run.
  let story: RunStory
  /// The files of the trace pages, in the order of the scenarios.
  let pages: [String]

  /// The octets of the file.
  var octets: [UInt8] {
    TracePage.page(title: "\(story.word): \(story.counts)", script: IndexPageScript.text, data: document)
  }

  private var document: JSONValue {
    let scenarios = story.scenarios.map { scenario -> JSONValue in
      let suffix = scenario.report.repetition == 0 ? "" : ".\(scenario.report.repetition)"
      let file = ReportFolder.fileName(scenario.name) + suffix + ".html"
      return .object([
        "name": .string(scenario.name), "title": .string(scenario.report.title),
        "verdict": .string(scenario.kind.rawValue), "reason": .string(scenario.headline),
        "page": .optional(pages.contains(file) ? file : nil),
      ])
    }
    let causes = story.causes.map { cause in
      JSONValue.object([
        "name": .string(cause.first.name), "reason": .string(cause.first.headline),
        "count": .integer(cause.members.count),
      ])
    }
    let charts = story.report.chartCoverage.map { coverage in
      JSONValue.object([
        "name": .string(coverage.chart.name), "summary": .string(coverage.chart.summary),
        "taken": .string("\(coverage.taken) of \(coverage.chart.transitions.count)"),
        "untaken": .strings(coverage.untaken.map { "\($0.source) on \($0.event)" }),
      ])
    }
    return .object([
      "word": .string(story.word), "counts": .string(story.counts),
      "lines": .strings(story.requirements + [story.identity] + [story.report.caveat].compactMap { $0 }),
      "causes": .array(causes), "scenarios": .array(scenarios), "charts": .array(charts),
    ])
  }
}
