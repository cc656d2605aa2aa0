import Text
import Verdicts

/// Tells how far a recorder is from a simulated one, a line each.
enum TwinText {
  /// Scenarios that a line names; the summary has all.
  private static let namedScenarios = 5
  /// Differences that are told; the summary has all.
  private static let toldDifferences = 8

  static func lines(_ distance: TwinDistance) -> [String] {
    let recorder = PlainText.escaped(distance.recorder)
    let file = PlainText.escaped(distance.file)
    let reason = PlainText.escaped(distance.reason ?? "", limit: 400)
    switch distance.standing {
    case .missing:
      return ["recorder \(recorder): no measured profile: \(reason); `dictobench probe --out \(file)` writes one"]
    case .stale:
      return ["recorder \(recorder): \(file) is out of date: \(reason); measure it again with `dictobench probe`"]
    case .current, .undated: break
    }
    let twin = PlainText.escaped(distance.twin ?? "its twin")
    let doubt = distance.standing == .undated ? " (\(reason))" : ""
    let differences = distance.differences.map { difference($0, from: twin) }
    let all = differences + distance.others.map { "differs from \(twin): \(PlainText.escaped($0, limit: 200))" }
    guard !all.isEmpty else {
      return ["recorder \(recorder), by \(file)\(doubt): like \(twin), as far as it was measured"]
    }
    var lines = ["recorder \(recorder), by \(file)\(doubt):"] + all.prefix(toldDifferences).map { "  " + $0 }
    if all.count > toldDifferences {
      lines.append("  and \(Wording.count(all.count - toldDifferences, "more difference"))")
    }
    if !distance.scenarios.isEmpty {
      lines.append("  with a simulated recorder like that, these end otherwise: \(names(distance.scenarios))")
    }
    return lines
  }

  private static func difference(_ difference: TwinDistance.Difference, from twin: String) -> String {
    let share = difference.percent.map { " (\($0 > 0 ? "+" : "")\($0) %)" } ?? ""
    let scenarios = difference.scenarios.isEmpty ? "" : ", on which depends: \(names(difference.scenarios))"
    return "differs from \(twin): \(difference.name) is \(difference.measured) ± \(difference.spread) instead of "
      + "\(difference.twin)\(share)\(scenarios)"
  }

  private static func names(_ scenarios: [String]) -> String {
    let rest = scenarios.count - namedScenarios
    return PlainText.escaped(scenarios.prefix(namedScenarios).joined(separator: ", "), limit: 400)
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
