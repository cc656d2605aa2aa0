import Reports
import Requirements
import ScenarioLanguage
import Session

extension RunReports: RunFiles {
  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? {
    try follow(scenario, number, as: name)
  }

  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {
    try keep((attempt as? ScenarioFollower)?.log ?? ScenarioEventLog(scenario.name), number: number)
  }
}
