import Foundation
import Reports
import Requirements
import ScenarioLanguage
import Trace

struct ReportFolder: Sendable {
  init(_ request: RunRequest) throws {}
  func sinks(for scenario: Scenario, number: Int, attempt: Int) -> ScenarioSinks { ScenarioSinks() }
  func finish(_ report: RunReport) throws {}
}
struct ScenarioSinks { var all: [any TraceSink] = []; func close(_ r: ScenarioReport) -> String? { nil } }
enum ConsoleSummary {
  static func text(_ r: RunReport, folder: String?) -> String {
    var t = ""
    for s in r.scenarios where s.verdict != .passed {
      t += "\(s.verdict.kind.rawValue) \(s.name): \(s.verdict.reason ?? "")\n"
      for st in s.steps { t += "   \(st.began) \(st.sentence) -> \(st.outcome)\n" }
      for l in s.lastEvents { t += "     \(l)\n" }
      t += "   \(s.replay)\n"
    }
    return t
      + "\(r.count(.passed)) of \(r.scenarios.count) passed, virtual \(r.virtualDuration) wall \(r.wallDuration) hash \(r.traceHash)"
  }
}
