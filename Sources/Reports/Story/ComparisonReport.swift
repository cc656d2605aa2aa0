import Bytes
import Text
import Verdicts

/// Two runs or captures that were compared, in words and as JSON.
package struct ComparisonReport {
  /// Scenarios whose differences are told in words; JSON has all.
  private static let toldDifferences = 10

  private let runs: ComparedRuns
  private let names: (here: String, there: String)
  private let notCompared: [String]

  /// The report on what is called `names`; `notCompared` is what else could not be compared of them, a sentence each.
  package init(_ runs: ComparedRuns, names: (String, String), notCompared: [String] = []) {
    self.runs = runs
    self.names = names
    self.notCompared = runs.notCompared + notCompared
  }

  /// The report in words.
  package var lines: [String] {
    var lines = [headline]
    for difference in runs.differences.prefix(Self.toldDifferences) {
      lines.append("  " + PlainText.escaped(difference.name))
      if let verdicts = difference.verdicts { lines.append("    verdict: \(verdicts)") }
      if let untold = difference.untold { lines.append("    every event is the same; " + PlainText.escaped(untold)) }
      if let first = difference.first {
        lines.append("    until \(first.until) s the same; then")
        lines.append("    here: " + PlainText.escaped(first.here))
        lines.append("    there: " + PlainText.escaped(first.there))
      }
    }
    let more = runs.differences.count - Self.toldDifferences
    if more > 0 { lines.append("  and \(more) more; --format json shows all") }
    lines += runs.lone.prefix(Self.toldDifferences).map { "  " + PlainText.escaped($0) }
    let moreLone = runs.lone.count - Self.toldDifferences
    if moreLone > 0 { lines.append("  and \(moreLone) more") }
    return lines + notCompared.map { "  not compared: " + PlainText.escaped($0) }
  }

  private var headline: String {
    let (left, right) = (PlainText.escaped(names.here), PlainText.escaped(names.there))
    if runs.isSame {
      let extent = notCompared.isEmpty ? "" : ", as far as they can be read"
      return "SAME  \(left) and \(right): \(Wording.count(runs.same, "conversation"))\(extent)"
    }
    let all = runs.differences.count + runs.same
    return "DIFFERENT  here \(left), there \(right): \(runs.differences.count) of \(all) differ"
  }

  /// The report as a document, with every difference.
  package var document: JSONValue {
    let differences = runs.differences.map { difference in
      JSONValue.object([
        "name": .string(difference.name), "verdicts": .optional(difference.verdicts),
        "until": .optional(difference.first?.until), "here": .optional(difference.first?.here),
        "there": .optional(difference.first?.there), "untold": .optional(difference.untold),
      ])
    }
    return JSONValue.object([
      "here": .string(names.here), "there": .string(names.there), "same": .integer(runs.same),
      "different": .array(differences), "lone": .strings(runs.lone), "notCompared": .strings(notCompared),
    ])
  }
}
