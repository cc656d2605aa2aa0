import Foundation
import ScenarioLanguage
import Testing
import Timeline
import Verdicts
import YAML

@testable import Runner

/// What a scenario may claim, and what becomes of its claims when it runs.
@Suite struct EvidenceTests {
  private static func catalogue() throws -> RequirementCatalogue {
    let path = Playing.repository.appending(path: "scenarios/requirements.yaml")
    return try RequirementCatalogue(Array(try Data(contentsOf: path)))
  }

  private static func library(_ verifies: String, _ steps: String) throws -> ScenarioLibrary {
    let text = "scenario: tried by a test\nid: try\nverifies: [\(verifies)]\nsteps:\n\(steps)\n"
    return ScenarioLibrary(
      files: [SourceFile(path: "try.yaml", text: text)], vocabulary: DictofunVocabulary.vocabulary(of: try catalogue()))
  }

  private static func run(
    _ verifies: String, _ steps: String, faults: [PlantedFault] = []
  ) throws -> ScenarioReport {
    let library = try library(verifies, steps)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    var settings = RunSettings()
    settings.faults = faults
    settings.catalogue = try catalogue()
    return ScenarioRun(library.scenarios[0], settings, sounds: Silence(), firmware: NoFirmware()).run()
  }

  private static let sync = "  - phone: connect\n  - phone: pair\n  - phone: sync\n    expect: {downloaded: 0}\n"

  // MARK: Lint

  @Test(
    arguments: [
      // Nothing happens, whether or not a monitor watches.
      ("APP-2.3.1", "  - wait: 1 s", 3, 12, "nothing in this scenario can show `APP-2.3.1`"),
      ("DEV-6", "  - wait: 1 s", 3, 12, "nothing in this scenario can show `DEV-6`"),
      // No monitor watches it, and no step claims it.
      ("DEV-6, APP-2.1", "  - phone: sync", 3, 19, "nothing in this scenario can show `APP-2.1`"),
      ("DEV-9", "  - device: power-on\n    shows: DEV-9/idle", 6, 12, "`power-on` asserts nothing"),
      (
        "DEV-9", "  - eventually: advertising\n    within: 1 s\n    shows: DEV-9", 7, 12,
        "`DEV-9` is not a clause of DEV-9"
      ),
      (
        "DEV-9", "  - eventually: advertising\n    within: 1 s\n    shows: DEV-9/idel", 7, 12,
        "`DEV-9/idel` is not a clause"
      ),
      ("DEV-6", "  - phone: sync\n    shows: DEV-66", 6, 12, "unknown requirement `DEV-66`"),
      ("DEV-6", "  - phone: sync\n    shows: APP-1.4", 6, 12, "the scenario does not verify `APP-1.4`"),
      (
        "DEV-6", "  - phone: sync\n  - wait: 1 s\n    shows: DEV-6/ends", 7, 5, "a step with `wait` cannot have `shows`"
      ),
    ] as [(String, String, Int, Int, String)])
  func whatCannotBeShownIsAnErrorWithItsPlace(
    verifies: String, steps: String, line: Int, column: Int, message: String
  ) throws {
    let library = try Self.library(verifies, steps)
    let problem = try #require(library.diagnostics.first { $0.message.hasPrefix(message) }, "\(library.report.text())")
    #expect(problem.severity == .error)
    #expect((problem.location.line, problem.location.column) == (line, column))
    #expect(library.scenarios.isEmpty)
    #expect(library.report.text().contains("expected"))
  }

  @Test(arguments: ["DEV-6/ends", "[DEV-6/ends, APP-1.2/every]"])
  func whatAStepShowsIsNotPartOfWhatItDoes(shows: String) throws {
    let plain = try Self.run("DEV-6, DEV-12", Self.sync)
    let marked = try Self.run(
      "DEV-6, DEV-12" + (shows.contains("APP") ? ", APP-1.2" : ""), Self.sync + "    shows: \(shows)")
    #expect(plain.traceHash == marked.traceHash)
    #expect(plain.steps.map(\.sentence) == marked.steps.map(\.sentence))
    #expect(marked.steps[2].shows.first == "DEV-6/ends")
    #expect(marked.steps[2].isDecided)
  }

  // MARK: Attribution

  @Test func aFailedAssertionViolatesWhatItIsMarkedFor() throws {
    let steps = Self.sync.replacing("downloaded: 0", with: "downloaded: 1") + "    shows: DEV-6/breaks\n"
    let report = try Self.run(
      "DEV-6, DEV-9", steps + "  - eventually: advertising\n    within: 1 s\n    shows: DEV-9/idle")
    let failure = try #require(report.verdict.failure)
    #expect(failure.violated == ["DEV-6/breaks"])
    // The requirement judges the recorder, although the step is the phone's.
    #expect(failure.judges == .recorder)
    #expect(report.steps[3].shows == ["DEV-9/idle"])
    #expect(!report.steps[3].isDecided)
  }

  @Test func aStepThatFailsForNothingItAssertsIsUnattributed() throws {
    let report = try Self.run(
      "APP-1.2, DEV-2", "  - phone: connect\n  - phone: sync\n    expect: {listed: 0}\n    shows: APP-1.2/every",
      faults: try #require([PlantedFault]("air:dead")))
    let failure = try #require(report.verdict.failure)
    #expect(failure.violated.isEmpty)
    #expect(failure.subject == "unattributed failure")
    #expect(!report.steps[1].isDecided)
  }

  @Test func aViolationThatAMonitorSawBeforeExplainsAStepThatFailsLater() throws {
    let steps = """
        - device: {press: 1 s}
        - eventually: phone.stored
          within: 30 s
          shows: APP-1.2/every
      """
    let report = try Self.run(
      "APP-1.2, DEV-2", steps, faults: try #require([PlantedFault]("recorder:never-advertises")))
    let failure = try #require(report.verdict.failure)
    #expect(failure.violated == ["DEV-2"])
    #expect(failure.judges == .recorder)
    #expect(failure.reason.contains("phone.stored: did not happen"))
    #expect(failure.reason.contains("did not advertise within 2 s"))
  }

  /// What a monitor saw before a failure that names nothing explains it; what it saw later does not.
  @Test func aViolationExplainsAFailureAfterIt() {
    let failure = DeviceFailure(judges: .pair, reason: "silence", instant: Instant(nanoseconds: 5))
    func verdict(_ nanoseconds: UInt64) -> Verdict {
      Verdict.failed(failure).attributed(
        to: MonitorViolation(
          requirement: "DEV-2", judges: .recorder, instant: Instant(nanoseconds: nanoseconds), reason: "hidden"), [])
    }
    #expect(verdict(3).failure?.violated == ["DEV-2"])
    #expect(verdict(3).failure?.judges == .recorder)
    #expect(verdict(3).failure?.reason == "silence")
    #expect(verdict(6) == .failed(failure))
  }

  @Test func everyMonitorNamesClausesThatExist() throws {
    let catalogue = try Self.catalogue()
    for declaration in RunSettings().monitors.map(\.declaration) {
      let requirement = try #require(catalogue[declaration.requirement])
      let clauses = requirement.clauses.map(\.id)
      #expect(declaration.clauses.allSatisfy(clauses.contains), "\(declaration)")
    }
  }
}
