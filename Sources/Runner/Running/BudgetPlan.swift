import ScenarioLanguage

/// Chooses the scenarios for which a bench has time: those first that show what nothing chosen before shows.
package struct BudgetPlan: Sendable {
  /// The positions of the chosen scenarios, in the order in which they are run.
  package let chosen: [Int]
  /// Seconds that they are predicted to take.
  package let seconds: Int64

  /// The least that a scenario costs, in seconds: opening instruments and giving them back.
  private static let opening: Int64 = 5

  /// Chooses among scenarios that can run, each with its predicted seconds, those that fit into `budget` seconds.
  package init(_ scenarios: [(scenario: Scenario, seconds: Int64)], within budget: Int64) {
    var shown: [String: Int] = [:]
    var rest = Array(scenarios.indices)
    var (taken, total): ([Int], Int64) = ([], 0)
    while true {
      rest.removeAll { scenarios[$0].seconds > budget - total }
      guard let best = rest.max(by: { Self.worth(scenarios[$0], shown) < Self.worth(scenarios[$1], shown) }) else {
        break
      }
      rest.removeAll { $0 == best }
      taken.append(best)
      total += scenarios[best].seconds
      for reference in Self.references(scenarios[best].scenario) { shown[reference, default: 0] += 1 }
    }
    chosen = taken.sorted { Self.place(scenarios[$0].scenario, $0) < Self.place(scenarios[$1].scenario, $1) }
    seconds = total
  }

  /// What a scenario adds for each second: much for what nothing shows yet, little for what has been shown often.
  private static func worth(_ entry: (scenario: Scenario, seconds: Int64), _ shown: [String: Int]) -> Double {
    let value = references(entry.scenario).reduce(0.0) { sum, reference in
      let times = Double(shown[reference, default: 0] + 1)
      return sum + 1 / (times * times)
    }
    return value / Double(entry.seconds + opening)
  }

  /// The clauses that a scenario's steps show, or else the requirements that it verifies.
  private static func references(_ scenario: Scenario) -> [String] {
    var references: [String] = []
    let shown = (scenario.steps + scenario.always).flatMap(\.everythingShown)
    for reference in shown + scenario.requirements where !references.contains(reference) {
      references.append(reference)
    }
    return references
  }

  /// Where a scenario stands in the order: a supply settles for seconds, and a flash is filled for minutes, so what begins
  /// alike follows each other.
  private static func place(_ scenario: Scenario, _ index: Int) -> (Int, Int, Int, Int) {
    let arguments = scenario.given.sections(of: GivenDevice.declaration).first?.arguments
    let records = arguments?[GivenDevice.records]
    let isBonded = scenario.given.sections(of: GivenPhone.declaration).contains { $0.arguments[GivenPhone.bonded] }
    return (-(arguments?.batteryMillivolts ?? 0), records?.count ?? 0, isBonded ? 1 : 0, index)
  }
}
