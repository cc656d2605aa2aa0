import Bytes
import Verdicts

/// The page that leads to the trace pages of a run.
struct IndexPage {
  /// The run.
  let story: RunStory
  /// The files of the trace pages.
  let files: Set<String>
  /// How many pages are missing, and why; `nil` for none.
  let missing: String?

  /// The octets of the file.
  var octets: [UInt8] {
    TracePage.page(title: "\(story.word): \(story.counts)", script: IndexPageScript.text, data: document)
  }

  private var document: JSONValue {
    let scenarios = story.scenarios.map { scenario -> JSONValue in
      .object([
        "name": .string(scenario.attemptName), "title": .string(scenario.report.title),
        "verdict": .string(scenario.kind.rawValue), "reason": .string(scenario.headline),
        "page": .optional(page(of: scenario)),
      ])
    }
    let causes = story.causes.map { cause in
      JSONValue.object([
        "name": .string(cause.first.attemptName), "reason": .string(cause.first.headline),
        "count": .integer(cause.members.count), "page": .optional(page(of: cause.first)),
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
      "lines": .strings(story.requirements + [story.identity] + [story.report.caveat, missing].compactMap { $0 }),
      "causes": .array(causes), "scenarios": .array(scenarios), "charts": .array(charts),
    ])
  }

  /// The file of a scenario's page; `nil` where it has none.
  private func page(of scenario: ScenarioStory) -> String? {
    let file = TracePage.fileName(of: scenario.report)
    return files.contains(file) ? file : nil
  }
}
