import Testing
import Timeline
import Verdicts

@testable import Reports

/// What is told of a capture.
@Suite struct CaptureVerdicts {
  private static let catalogue = try? RequirementCatalogue(
    Array(
      """
      - id: DEV-10
        requires: who was not admitted does nothing
        judges: recorder
        clauses: {clear: not in clear, window: only after the button}
        simulated: events
      - id: APP-1.3.1.1
        requires: it asks first
        judges: phone
        simulated: events

      """.utf8))

  private static func finding(_ requirement: String, _ clauses: [String]) -> MonitorFinding {
    MonitorFinding(
      declaration: MonitorDeclaration(requirement, "it holds", judges: .recorder, shows: clauses), outcome: .shown,
      preconditions: 1, met: 1, violations: [])
  }

  private static func text(_ findings: [MonitorFinding], _ catalogue: RequirementCatalogue?) -> String {
    let report = CaptureReport(
      adapters: [], viewpoint: .phone, packets: 1, events: 1, span: .seconds(1), brokenBy: nil, findings: findings)
    return CaptureVerdict.text(report, file: "c", .plain, catalogue)
  }

  @Test func aClauseIsNotItsRequirement() {
    let text = Self.text([Self.finding("DEV-10", ["clear"]), Self.finding("APP-1.3.1.1", [])], Self.catalogue)
    #expect(text.contains("1 requirement shown, 1 partly shown\n"))
    #expect(text.contains("\n  DEV-10  partly shown: clear (not window)\n"))
    #expect(text.hasSuffix("\n  APP-1.3.1.1  shown"))
  }

  @Test func monitorsShowARequirementTogether() {
    let text = Self.text([Self.finding("DEV-10", ["clear"]), Self.finding("DEV-10", ["window"])], Self.catalogue)
    #expect(text.contains("1 requirement shown\n"))
  }

  /// A monitor that only finds violations shows nothing by being met.
  @Test func whatShowsNoClauseIsNotShown() {
    #expect(Self.text([Self.finding("DEV-10", [])], Self.catalogue).hasSuffix("\n  DEV-10  not exercised"))
  }

  @Test func withoutACatalogueTheClausesAreNamed() {
    #expect(Self.text([Self.finding("DEV-10", ["clear"])], nil).hasSuffix("\n  DEV-10  partly shown: clear"))
  }
}
