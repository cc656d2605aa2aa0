import Testing
import Timeline
import Trace

@testable import Verdicts

/// Whether two runs or captures are the same.
@Suite struct ComparedRunsTrials {
  private static func event(_ milliseconds: UInt64, _ name: String) -> RunComparison.Entry {
    RunComparison.Entry(
      ReportedEvent(at: Instant(nanoseconds: milliseconds * 1_000_000), from: .phone(), link: 1, name: name))
  }

  private static let log = RunComparison.Log([event(1, "link.up"), event(2, "link.down")])

  /// A run of one scenario, whose trace is told by a digit of its hash.
  private static func run(
    _ digit: Int, _ logs: [RunComparison.Log] = [log], target: String = "simulated", repetition: Int = 0
  ) -> ComparedRuns.Recorded {
    var scenario = ScenarioReport(id: "a", title: "A", file: "a.yaml", line: 1, verdict: .passed, replay: "")
    scenario.traceHash = TraceHash(String(repeating: "\(digit)", count: 32))
    scenario.repetition = repetition
    let report = RunReport(
      tool: "dictobench 1", seed: 1, profile: "reference", target: target, host: "here", startedAt: 0,
      scenarios: [scenario])
    return (report, ["a": logs])
  }

  private static func compared(_ here: ComparedRuns.Recorded, _ there: ComparedRuns.Recorded) -> ComparedRuns {
    ComparedRuns(here, there, names: ("one", "two"), only: nil)
  }

  @Test func otherHashesOfTheSameRunAreNeverTheSame() throws {
    #expect(Self.compared(Self.run(1), Self.run(1)).isSame)
    let runs = Self.compared(Self.run(1), Self.run(2))
    #expect(!runs.isSame)
    let difference = try #require(runs.differences.first)
    #expect(difference.first == nil)
    #expect(difference.untold == "the traces differ in what no event tells, such as the octets of a recording")
  }

  /// Hashes of runs on a bench say nothing.
  @Test func hashesCountOnlyInSimulatedRunsThatAreAlike() {
    #expect(Self.compared(Self.run(1, target: "hardware"), Self.run(2, target: "hardware")).isSame)
    var uncovered = Self.run(2)
    uncovered.report.isUncovered = true
    let runs = Self.compared(Self.run(1), uncovered)
    #expect(runs.isSame)
    #expect(runs.notCompared == ["the hashes: keys and recordings were left uncovered in one of both runs"])
  }

  @Test func whatLogsDidNotKeepIsNamed() {
    let cut = RunComparison.Log(Self.log.entries, dropped: 7)
    let bench = Self.compared(Self.run(1, [cut], target: "hardware"), Self.run(2, target: "hardware"))
    #expect(bench.notCompared == ["a: 7 events in one after the first 2"])
    #expect(Self.compared(Self.run(1, [cut]), Self.run(1, [cut])).notCompared == [], "the hashes are the same")
    let untold = Self.compared(Self.run(1, [cut]), Self.run(2, [cut])).differences.first?.untold
    #expect(untold?.hasSuffix(", or after the last event that was kept") == true)
  }

  @Test func repetitionsAreNotOneLog() {
    let again = RunComparison.Log([Self.event(1, "link.failed")], repetition: 1)
    #expect(Self.compared(Self.run(1), Self.run(1, [Self.log, again])).isSame)
    let other = Self.compared(Self.run(1), Self.run(1, [Self.log, again], repetition: 1))
    #expect(other.differences.map(\.name) == ["a"], "what is reported is compared")
  }

  /// Another recording has another name, and may hold what it likes.
  @Test func recordsOfOneNameAreComparedOctetForOctet() throws {
    func captured(_ records: [(String, UInt8)]) -> ComparedRuns.Captured {
      Self.captured(from: .phone(), records: records.map { (name: $0.0, digest: [$0.1]) })
    }
    func compared(_ here: [(String, UInt8)], _ there: [(String, UInt8)]) throws -> ComparedRuns {
      try ComparedRuns(captured(here), captured(there), names: ("one", "two"))
    }
    #expect(try compared([("x", 1)], [("x", 1)]).isSame)
    #expect(try compared([("x", 1)], [("y", 2)]).isSame)
    #expect(try compared([("x", 1)], [("x", 2)]).differences.map(\.untold) == ["record x has other octets"])
    // One that passed again is compared with the same turn.
    #expect(try compared([("x", 1), ("x", 2)], [("x", 1), ("y", 3), ("x", 2)]).isSame)
    #expect(try compared([("x", 1), ("x", 2)], [("x", 1)]).isSame)
    #expect(try !compared([("x", 1), ("x", 2)], [("x", 1), ("x", 1)]).isSame)
  }

  /// Captures of which no host is in both have nothing to compare.
  @Test func capturesOfOtherHostsAreNotCompared() throws {
    let (phone, recorder) = (Self.captured(from: .phone()), Self.captured(from: .recorder()))
    #expect(try ComparedRuns(phone, recorder, names: ("one", "two")).isEmpty)
    #expect(try !ComparedRuns(phone, phone, names: ("one", "two")).isEmpty)
  }

  private static func captured(
    from source: TraceSource, records: [(name: String, digest: [UInt8])] = []
  ) -> ComparedRuns.Captured {
    let event = RunComparison.Entry(ReportedEvent(at: .zero, from: source, link: 1, name: "link.up"))
    var outline = RunComparison.Outline()
    outline.take(event)
    return (outline, { take in take(event) }, records)
  }
}
