/// How a run differs from an earlier one that was accepted.
package struct BaselineChange: Hashable, Sendable, Codable {
  /// The folder of the earlier run.
  package var folder: String
  /// Scenarios that pass in both runs but whose traces differ, which nobody judged, in order.
  package var unjudged: [String]
  /// Scenarios with another kind of verdict: name, then, now.
  package var changed: [String]
  /// Scenarios that only this run has.
  package var added: Int
  /// Why the traces of both runs cannot be compared; `nil` when they can.
  package var incomparable: String?

  /// Compares the scenarios of two runs by their names.
  package init(_ run: RunReport, since earlier: RunReport, in folder: String) {
    self.folder = folder
    let before = Dictionary(earlier.scenarios.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    if (run.seed, run.profile, run.target) != (earlier.seed, earlier.profile, earlier.target) || !run.isSimulated {
      incomparable = "it has another target, profile or seed"
    } else if run.fault != earlier.fault || run.isUncovered != earlier.isUncovered {
      incomparable = "it was run with other faults or other captures"
    }
    let isComparable = incomparable == nil
    (unjudged, changed, added) = ([], [], 0)
    for scenario in run.scenarios where scenario.repetition == 0 {
      guard let old = before[scenario.name] else {
        added += 1
        continue
      }
      if old.verdict.kind != scenario.verdict.kind {
        changed.append("\(scenario.name): was \(old.verdict.kind.rawValue), is \(scenario.verdict.kind.rawValue)")
      } else if isComparable, scenario.verdict.isExpected, old.traceHash != scenario.traceHash {
        unjudged.append(scenario.name)
      }
    }
  }
}
