import Testing
import Timeline

@testable import Verdicts

/// Parts of a run become one run, or are refused in one sentence.
@Suite struct Mergings {
  private static let catalogue = try? RequirementCatalogue(
    Array(
      """
      - id: DEV-1
        requires: something
        judges: recorder
        simulated: events
        hardware: events
      - id: HIL-1
        requires: something
        judges: harness
        clauses: {a: one, b: two}
        app: a run

      """.utf8))
  private static let failed = Verdict.failed(
    DeviceFailure(judges: .recorder, violated: ["DEV-1"], reason: "too late", instant: .zero))
  private static let defect = KnownDefect(requirement: "DEV-1", reason: "it sleeps", file: "known.yaml", line: 4)

  /// A part of a run with one scenario, on a bench.
  private static func part(_ id: String, _ verdict: Verdict = .passed, attempts: [Verdict] = []) throws -> RunReport {
    let catalogue = try #require(Self.catalogue)
    var run = RunReport(
      tool: "dictobench 1", seed: 1, profile: nil, target: "hardware", host: "here", startedAt: 0,
      scenarios: [
        ScenarioReport(id: id, title: id, file: "a.yaml", line: 1, verdict: verdict, attempts: attempts, replay: "")
      ], requirements: RequirementResult.of([ScenarioReport](), in: catalogue, target: .hardware))
    run.bench = BenchRecord(place: "lab", parts: [])
    return run
  }

  private static func merge(_ runs: [RunReport], with attestations: [Attestation] = []) throws -> RunReport {
    let sources = runs.enumerated().map { (folder: "folder-\($0 + 1)", run: $1) }
    return try RunMerging(sources, in: try #require(catalogue)).merged(
      with: attestations.map { ("file", $0) }, requiringAll: false)
  }

  private static func attestation(
    _ requirement: String, clause: String?, tool: String = "dictobench 1"
  ) -> Attestation {
    Attestation(requirement: requirement, clause: clause, check: "a check", measured: "2 of 2", tool: tool)
  }

  @Test(arguments: [
    (Verdict.passed, [failed], "is recorded as passed, but its attempts (failed) come to failed"),
    (.passed, [failed, .passed], "is recorded as passed, but its attempts (failed, passed) come to flaky"),
    (.benchError(BenchTrouble("no disk")), [failed], "bench-error, but its attempts (failed) come to failed"),
    (.flaky(reason: "sometimes"), [failed, .passed], "come to flaky for another reason"),
    (.mended(defect), [.mended(defect)], "is judged by known.yaml:4, which the run does not declare"),
  ]) func aVerdictThatDoesNotFollowIsRefused(verdict: Verdict, attempts: [Verdict], sentence: String) throws {
    let runs = [try Self.part("a"), try Self.part("b", verdict, attempts: attempts)]
    let failure = #expect(throws: MergeFailure.self) { try Self.merge(runs) }
    #expect(failure?.description.hasPrefix("folder-2: b: is ") == true, "\(String(describing: failure))")
    #expect(failure?.description.hasSuffix(sentence) == true, "\(String(describing: failure))")
  }

  @Test func aPassThatViolatesSomethingIsRefused() throws {
    var run = try Self.part("a")
    let violation = MonitorViolation(requirement: "DEV-1", judges: .recorder, instant: .zero, reason: "too late")
    run.scenarios[0].findings = [
      MonitorFinding(
        declaration: MonitorDeclaration("DEV-1", "it holds", judges: .recorder), outcome: .violated("too late"),
        preconditions: 1, met: 0, violations: [violation])
    ]
    #expect(run.contradictions == ["a: is recorded as passed, but violated DEV-1: too late"])
  }

  @Test(arguments: [
    (failed, [failed, failed]), (Verdict.passed, [Verdict.benchError(BenchTrouble("gone")), .passed]),
    (.benchError(BenchTrouble("cannot write the reports")), [.passed]),
  ]) func whatRunsCanEndWithContradictsNothing(verdict: Verdict, attempts: [Verdict]) throws {
    #expect(try Self.part("a", verdict, attempts: attempts).contradictions == [])
  }

  @Test func troubleOfABenchStaysWhateverTheOrder() throws {
    var ill = try Self.part("a")
    ill.bench?.trouble = "the adapter is gone"
    let well = try Self.part("b")
    #expect(try Self.merge([ill, well]).bench?.trouble == "the adapter is gone")
    #expect(try Self.merge([well, ill]).bench?.trouble == "the adapter is gone")
    #expect(try Self.merge([well, ill]).exitCode == .benchFailed)
  }

  @Test func aPartBeforeAnApplicationMayHaveABenchThatFailed() throws {
    var (ill, well) = (try Self.part("a"), try Self.part("b"))
    (ill.target, well.target) = ("app", "app")
    ill.bench = BenchRecord(place: nil, parts: [])
    ill.bench?.trouble = "the adapter is gone"
    well.bench = nil
    #expect(try Self.merge([well, ill]).exitCode == .benchFailed)
  }

  @Test func capturesOfHealthHaveNamesOfTheirOwn() throws {
    let health = HealthReport(.before, .passed, capture: "captures/health.a.btsnoop")
    let runs = try ["a", "b"].map { id in
      var run = try Self.part(id)
      run.bench?.health = [health]
      run.furtherBenches = [BenchRecord(place: "other", parts: [])]
      run.furtherBenches[0].health = [health]
      return run
    }
    let names = ["captures/part-1.health.a.btsnoop", "captures/part-2.health.a.btsnoop"]
    let merged = try Self.merge(runs)
    #expect(merged.bench?.health.map(\.capture) == names)
    #expect(merged.furtherBenches.map { $0.health.map(\.capture) } == [names])
    #expect(try Self.merge([runs[0]]).bench?.health == [health])
  }

  @Test func attestationsOfAMergedRunStay() throws {
    let (one, two) = (Self.attestation("HIL-1", clause: "a"), Self.attestation("HIL-1", clause: "b"))
    let once = try Self.merge([try Self.part("a"), try Self.part("b")], with: [one])
    let twice = try Self.merge([once], with: [one, two])
    #expect(twice.attestations == [one, two])
    #expect(twice.requirements.first { $0.requirement.id == "HIL-1" }?.outcome == .shown)
  }

  @Test(arguments: [
    (attestation("HIL-2", clause: nil), "folder-1 attests the unknown requirement HIL-2"),
    (attestation("DEV-1", clause: nil), "folder-1 attests DEV-1, which only a run can show: it judges the recorder"),
    (attestation("HIL-1", clause: "c"), "folder-1 attests the clause c of HIL-1, expected a, b"),
    (
      attestation("HIL-1", clause: "a", tool: "dictobench 0"),
      "folder-1 is about dictobench 0, the runs are of dictobench 1"
    ),
  ]) func inventedAttestationsOfARunAreRefused(attestation: Attestation, sentence: String) throws {
    var run = try Self.part("a")
    run.attestations = [attestation]
    let failure = #expect(throws: MergeFailure.self) { try Self.merge([run]) }
    #expect(failure?.description == sentence)
  }

  @Test func benchesThatAreNotAlikeAreRefused() throws {
    var one = try Self.part("a")
    var two = try Self.part("b")
    (one.bench, two.bench) = (nil, nil)
    one.furtherBenches = [BenchRecord(place: "lab", parts: [])]
    var failure = #expect(throws: MergeFailure.self) { try Self.merge([one, two]) }
    #expect(failure?.description.contains("the number of further benches 1, folder-2 has 0") == true)
    two.furtherBenches = [BenchRecord(place: "attic", parts: [])]
    failure = #expect(throws: MergeFailure.self) { try Self.merge([one, two]) }
    #expect(failure?.description.contains("the bench none, lab, folder-2 has none, attic") == true)
    two.furtherBenches = one.furtherBenches
    #expect(try Self.merge([one, two]).furtherBenches.map(\.place) == ["lab"])
  }

  /// The words of two defects can be those of one.
  @Test func knownDefectsThatOnlyReadAlikeAreRefused() throws {
    var (one, two) = (try Self.part("a"), try Self.part("b"))
    var second = Self.defect
    second.line = 5
    one.knownDefects = [KnownDefectTally(Self.defect), KnownDefectTally(second)]
    var joined = Self.defect
    joined.reason = "it sleeps); known.yaml:5 (it sleeps"
    two.knownDefects = [KnownDefectTally(joined)]
    let failure = #expect(throws: MergeFailure.self) { try Self.merge([one, two]) }
    #expect(failure?.description.hasSuffix("folder-1 and folder-2 declare different known defects") == true)
  }
}
