import Requirements
import ScenarioLanguage
import Text
import Verdicts

/// Holds what the report of a run says against what can be found out again: scenarios are run once more, captures are
/// judged once more, and the requirements are put together from both.
package struct EvidenceTrial {
  /// What came of it.
  package struct Result: Hashable, Sendable {
    /// Scenarios that ran again with the same verdict and the same hash.
    package var reproduced = 0
    /// Captures that were judged again and agree with their scenario.
    package var judged = 0
    /// Verdicts of the ledger that the report tells as they are.
    package var kept = 0
    /// Requirements of which the report says what follows from the scenarios.
    package var concluded = 0
    /// Those among them that only attestations show, and nothing that was found out again.
    package var attested = 0
    /// What the report says wrongly, a sentence each. They hold text of the report, made safe for terminals.
    package var contradictions: [String] = []
    /// What was not held against anything, and why, a sentence each.
    package var unchecked: [String] = []
  }

  /// Reads a capture by its path in the report, such as `captures/NAME.btsnoop`.
  package typealias CaptureReader = (String) throws -> [UInt8]

  private let recorded: RunReport
  private let catalogue: RequirementCatalogue
  private let library: ScenarioLibrary
  private let extract: LedgerExtract?
  private let captures: CaptureReader
  private var result = Result()

  /// Takes the report, the requirements and scenarios of its run, what a ledger holds of it, and a reader of its captures.
  package init(
    of recorded: RunReport, in catalogue: RequirementCatalogue, _ library: ScenarioLibrary,
    _ extract: LedgerExtract? = nil, captures: @escaping CaptureReader
  ) {
    self.recorded = recorded
    self.catalogue = catalogue
    self.library = library
    self.extract = extract
    self.captures = captures
  }

  /// Holds the trial. Without `reproduction` no scenario is run again.
  package func result(_ reproduction: RunReproduction?) -> Result {
    var trial = self
    guard let target = TargetKind(rawValue: recorded.target) else {
      trial.result.contradictions.append(
        "the run has the unknown target \(PlainText.escaped(recorded.target, limit: 40))")
      return trial.result
    }
    trial.result.contradictions += recorded.contradictions.map { PlainText.escaped($0, limit: 400) }
    trial.checkAttestations()
    var scenarios = recorded.scenarios
    if let reproduction, recorded.isSimulated {
      scenarios = trial.runAgain(reproduction)
    } else if recorded.isSimulated {
      let count = Wording.count(scenarios.count, "scenario")
      trial.result.unchecked.append("\(count) not run again: name the image with --image")
    } else {
      trial.judgeCaptures()
    }
    if let extract {
      let contradictions = extract.contradictions(to: recorded)
      trial.result.contradictions += contradictions
      if contradictions.isEmpty { trial.result.kept = extract.verdictCount }
    }
    if trial.result.contradictions.isEmpty { trial.conclude(from: scenarios, target) }
    return trial.result
  }

  private mutating func runAgain(_ reproduction: RunReproduction) -> [ScenarioReport] {
    var reports: [ScenarioReport] = []
    for scenario in recorded.scenarios {
      let (outcome, report) = reproduction.run(scenario, from: library)
      if let report { reports.append(report) }
      if let trouble = outcome.trouble {
        contradict(scenario, trouble)
      } else {
        result.reproduced += 1
      }
    }
    return reports
  }

  private mutating func checkAttestations() {
    result.contradictions += recorded.attestations.compactMap { attestation in
      attestation.objection(in: catalogue, tool: recorded.tool, at: "the report").map {
        PlainText.escaped($0, limit: 400)
      }
    }
  }

  private mutating func judgeCaptures() {
    var silent = 0
    for scenario in recorded.scenarios {
      guard let capture = scenario.capture else {
        silent += 1
        continue
      }
      let report: CaptureReport
      do { report = try CaptureJudge.judge(try captures(capture)) } catch {
        contradict(scenario, "its capture cannot be judged: \(error)")
        continue
      }
      if let trouble = Self.contradiction(to: scenario, in: report) {
        contradict(scenario, trouble)
      } else if let gap = Self.gap(in: report, of: scenario) {
        result.unchecked.append(PlainText.escaped("\(scenario.name): \(gap)", limit: 400))
      } else {
        result.judged += 1
      }
    }
    if silent > 0 {
      result.unchecked.append("\(Wording.count(silent, "scenario")) without a capture that could be judged again")
    }
  }

  /// The first requirement that the capture of a scenario violates, and its report does not; `nil` for none.
  private static func untold(by scenario: ScenarioReport, in capture: CaptureReport) -> MonitorFinding? {
    let known = Set(scenario.verdict.failure?.requirements ?? [])
      .union(scenario.findings.filter { !$0.violations.isEmpty }.map(\.declaration.requirement))
    return capture.findings.first { !$0.violations.isEmpty && !known.contains($0.declaration.requirement) }
  }

  /// What the capture of a scenario says otherwise than its report; `nil` for nothing.
  private static func contradiction(to scenario: ScenarioReport, in capture: CaptureReport) -> String? {
    if let reason = capture.brokenBy { return "its capture is broken: \(reason)" }
    if !scenario.isImprovised, let finding = untold(by: scenario, in: capture) {
      let reason = finding.violations.first.map { ": \($0.reason)" } ?? ""
      return "is recorded as \(scenario.verdict.kind.rawValue), but its capture violates "
        + finding.declaration.requirement + reason
    }
    for finding in scenario.findings where finding.outcome == .shown {
      let declaration = finding.declaration
      guard let again = capture.outcome(of: declaration) else {
        return "no monitor of this program watches whether \(declaration.sentence) (\(declaration.requirement))"
      }
      if again == .notExercised, CaptureJudge.canShow(declaration) {
        return "is recorded to show \(declaration.requirement), but its capture does not: \(declaration.sentence)"
      }
    }
    return nil
  }

  /// Why a capture that contradicts nothing does not say all that the report of its scenario says; `nil` where it does.
  private static func gap(in capture: CaptureReport, of scenario: ScenarioReport) -> String? {
    if let finding = untold(by: scenario, in: capture) {
      return "a phone wrote what a step or the bench chose, so that its capture cannot tell whether "
        + "\(finding.declaration.sentence) (\(finding.declaration.requirement))"
    }
    for finding in scenario.findings where finding.outcome == .shown && CaptureJudge.canShow(finding.declaration) {
      guard case .notObservable(let reason) = capture.outcome(of: finding.declaration) else { continue }
      return "its capture cannot show \(finding.declaration.requirement) again: \(reason)"
    }
    return capture.packets == 0 && scenario.verdict.kind.isAboutDevice
      ? "its capture holds no packet from which a device could be judged again" : nil
  }

  /// Compares what the report says of requirements with what follows from the scenarios.
  private mutating func conclude(from scenarios: [ScenarioReport], _ target: TargetKind) {
    let expected = RequirementResult.of(
      scenarios, in: catalogue, target: target, attestations: recorded.attestations)
    guard expected.count == recorded.requirements.count else {
      result.contradictions.append(
        "the report is about \(recorded.requirements.count) requirements, the catalogue has \(expected.count)")
      return
    }
    let checks = Set(recorded.attestations.map(\.source))
    for (said, follows) in zip(recorded.requirements, expected) {
      if said == follows {
        result.concluded += 1
        let evidence = said.shownBy.flatMap(\.evidence)
        if !evidence.isEmpty, evidence.allSatisfy(checks.contains) { result.attested += 1 }
      } else {
        result.contradictions.append(
          "\(PlainText.escaped(said.requirement.id, limit: 40)) is recorded as \(said.outcome.word) by "
            + "\(said.evidence.count) scenarios and checks; \(follows.outcome.word) by \(follows.evidence.count) follows"
        )
      }
    }
  }

  private mutating func contradict(_ scenario: ScenarioReport, _ text: String) {
    result.contradictions.append(PlainText.escaped("\(scenario.name): \(text)", limit: 400))
  }
}

extension CaptureReport {
  /// What it says about what a monitor watches; `nil` where there is none such.
  fileprivate func outcome(of declaration: MonitorDeclaration) -> RequirementOutcome? {
    findings.first { $0.declaration == declaration }?.outcome
  }
}
