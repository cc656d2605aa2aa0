import ScenarioLanguage
import Testing

@testable import Runner

/// What a bench has time for.
@Suite struct BudgetPlans {
  private func scenario(_ given: String, _ shown: String, _ id: String) throws -> Scenario {
    let steps = "steps:\n  - phone: connect\n    shows: \(shown)"
    return try Playing.scenarios(given.isEmpty ? steps : "given:\n  device: \(given)\n\(steps)", id: id)[0]
  }

  @Test func whatNothingShowsYetComesFirst() throws {
    let (first, again, other) = (
      try scenario("", "APP-1.1", "first"), try scenario("", "APP-1.1", "again"),
      try scenario("", "APP-1.3.1.1", "other")
    )
    let plan = BudgetPlan([(first, 10), (again, 10), (other, 12)], within: 25)
    #expect(plan.chosen == [0, 2])
    #expect(plan.seconds == 22)
  }

  @Test func whatBeginsAlikeFollowsEachOther() throws {
    let states = ["{battery: 24 %}", "{records: 3}", "{battery: 24 %, records: 3}", ""]
    let scenarios = try states.enumerated().map { (try scenario($1, "APP-1.1", "s\($0)"), Int64(10)) }
    #expect(BudgetPlan(scenarios, within: 100).chosen == [3, 1, 0, 2])
    #expect(BudgetPlan(scenarios, within: 5).chosen.isEmpty)
  }
}
