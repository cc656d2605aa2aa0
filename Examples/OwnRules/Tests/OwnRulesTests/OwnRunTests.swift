import Foundation
import Testing
import Verdicts

@testable import OwnRules

/// What a package outside the house can add to it.
@Suite struct OwnRuns {
  private func report(_ name: String) throws -> ScenarioReport {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let reports = try OwnRun.reports(of: [folder.appending(path: "Scenarios/\(name).yaml").path])
    return try #require(reports.first)
  }

  private func finding(_ report: ScenarioReport) throws -> MonitorFinding {
    try #require(report.findings.first { $0.declaration.requirement == "OWN-1" })
  }

  @Test func theVerbActsAndTheMonitorWatches() throws {
    let report = try report("short-visits")
    #expect(report.verdict == .passed, "\(report.verdict)")
    let finding = try finding(report)
    #expect(finding.outcome == .shown)
    #expect(finding.met == 4)
  }

  @Test func theMonitorNoticesAViolationThatNoStepAssertsAnythingAbout() throws {
    let report = try report("long-visit")
    guard case .failed(let failure) = report.verdict else {
      Issue.record("\(report.verdict)")
      return
    }
    #expect(failure.violated == ["OWN-1"])
    #expect(failure.reason.contains("lasted longer than 60 s"))
    #expect(try finding(report).violations.count == 1)
  }

  @Test func monitorsOfTheHouseWatchTheSameRun() throws {
    #expect(try report("short-visits").findings.count > 20)
  }

  @Test func theVerbHasTheHousesChecks() throws {
    #expect(OwnRun.vocabulary.verb("visit", of: .phone)?.results.fields.map(\.name) == ["battery"])
    let failure = #expect(throws: OwnRun.Problem.self) { try OwnRun.reports(of: ["/nowhere.yaml"]) }
    #expect(failure?.description.hasPrefix("/nowhere.yaml: ") == true)
  }
}
