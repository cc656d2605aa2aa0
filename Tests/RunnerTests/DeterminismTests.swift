import ScenarioLanguage
import Testing

@testable import Runner

@Suite struct Determinism {
  private static let body = """
    matrix: {loss: [0 %, 20 %], records: [1, 3]}
    given:
      device: {records: {count: $records, seconds: 500 ms}}
      air: {loss: $loss}
    steps:
      - phone: connect
      - phone: pair
      - {phone: sync, expect: {downloaded: $records}}
    """

  @Test func aRunIsAFunctionOfScenarioAndSeed() throws {
    let first = try hashes(seed: 1, jobs: 1)
    #expect(try hashes(seed: 1, jobs: 1) == first)
    #expect(Set(first).count == 4, "every cell has a seed of its own")
    #expect(Set(try hashes(seed: 2, jobs: 1)).isDisjoint(with: first))
  }

  @Test func theNumberOfJobsChangesNothing() throws {
    #expect(try hashes(seed: 3, jobs: 4) == hashes(seed: 3, jobs: 1))
  }

  @Test func selectionAndOrderChangeNothing() throws {
    let scenarios = try Playing.scenarios(Self.body)
    let all = try hashes(seed: 5, jobs: 1)
    #expect(hashes(scenarios.reversed(), seed: 5, jobs: 1) == all.reversed())
    #expect(hashes([scenarios[2]], seed: 5, jobs: 1) == [all[2]])
  }

  @Test func workThatIsStoppedStaysUndone() {
    let results = ParallelRuns(jobs: 3) { true }.run(5) { $0 }
    #expect(results == [nil, nil, nil, nil, nil])
    #expect(ParallelRuns(jobs: 3).run(5) { $0 * $0 } == [0, 1, 4, 9, 16])
  }

  private func hashes(seed: UInt64, jobs: Int) throws -> [String] {
    hashes(try Playing.scenarios(Self.body), seed: seed, jobs: jobs)
  }

  /// Verdict and trace hash of every scenario.
  private func hashes(_ scenarios: [Scenario], seed: UInt64, jobs: Int) -> [String] {
    var settings = RunSettings()
    settings.seed = seed
    return ParallelRuns(jobs: jobs).run(scenarios.count) { [settings] index in
      let report = ScenarioRun(scenarios[index], settings, sounds: Silence(), firmware: NoFirmware()).run()
      return "\(report.verdict.kind) \(report.traceHash?.description ?? "none")"
    }.map { $0 ?? "unrun" }
  }
}
