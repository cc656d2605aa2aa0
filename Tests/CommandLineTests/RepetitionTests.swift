import Foundation
import TestThreads
import Testing

@Suite(.waits) struct Repetitions {
  private struct Summary: Decodable {
    struct Repetitions: Decodable {
      struct Scenario: Decodable {
        var id: String
        var failed: Int
        var judged: Int
        var low: Double?
        var high: Double?
      }
      var turns: Int
      var interval: String
      var scenarios: [Scenario]
    }
    struct Scenario: Decodable {
      var repetition: Int
      var verdict: String
    }
    var traceHash: String
    var scenarios: [Scenario]
    var interrupted: Bool
    var repetitions: Repetitions?
  }

  private static func summary(_ folder: TemporaryFolder) throws -> Summary {
    try JSONDecoder().decode(Summary.self, from: Data(contentsOf: folder.url.appending(path: "summary.json")))
  }

  @Test func timeDecidesHowManyRepetitionsThereAreAndNothingElse() throws {
    let (timed, counted) = (try TemporaryFolder(), try TemporaryFolder())
    let scenario = "scenarios/pairing/once.yaml"
    let first = try Tool.run(["run", scenario, "--for", "1s", "--out", timed.url.path])
    #expect(first.status == 0, "\(first.trouble)")
    let summary = try Self.summary(timed)
    let turns = try #require(summary.repetitions?.turns)
    #expect(first.output.contains("repeated \(turns) times") || turns == 1)
    #expect(first.output.contains("0 of \(turns) failed, 0.0 % to "))
    #expect(summary.repetitions?.interval == "Wilson 95 %")
    let second = try Tool.run(["run", scenario, "--repeat", "\(turns)", "--out", counted.url.path])
    #expect(second.status == 0, "\(second.trouble)")
    #expect(try Self.summary(counted).traceHash == summary.traceHash)
  }

  @Test func nothingBeginsAfterTheFirstFailure() throws {
    let folder = try TemporaryFolder()
    let outcome = try Tool.run([
      "run", "scenarios/library", "--fault", "recorder:list-count-off-by-one", "--jobs", "1", "--repeat", "5",
      "--until-fail", "--out", folder.url.path,
    ])
    #expect(outcome.status == 1)
    let repetitions = try #require(try Self.summary(folder).repetitions)
    #expect(repetitions.turns == 1)
    #expect(repetitions.scenarios.map(\.failed).reduce(0, +) == 1)
    #expect(outcome.output.contains("1 of 1 failed, 20.7 % to 100.0 %"))
  }

  @Test func casesKeepTheirNamesAndCapturesTheirFiles() throws {
    let folder = try TemporaryFolder()
    let outcome = try Tool.run([
      "run", "scenarios/library/removed-for-good.yaml", "--fault", "recorder:list-count-off-by-one", "--repeat", "2",
      "--out", folder.url.path,
    ])
    #expect(outcome.status == 1)
    let junit = try String(contentsOf: folder.url.appending(path: "junit.xml"), encoding: .utf8)
    #expect(junit.split(separator: "<testcase ").count == 2)
    #expect(junit.contains("<rerunFailure "))
    #expect(junit.contains("\nrepetitionsFailed: 2\n"))
    let captures = try folder.files.map(\.name).filter { $0.hasSuffix(".btsnoop") }
    #expect(
      captures == [
        "captures/library-removed-for-good.1.btsnoop", "captures/library-removed-for-good.btsnoop",
      ])
  }

  @Test func whatFailedInARepetitionIsRunAgainInThatRepetition() throws {
    let (folder, first, again) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    let file = try folder.write(
      "chance.yaml",
      """
      scenario: with some seeds a link comes about in time
      id: chance
      given: {air: {loss: 12 %}}
      steps:
        - phone: connect
          within: 2600 ms

      """)
    let outcome = try Tool.run(["run", file, "--repeat", "8", "--seed", "4", "--out", first.url.path])
    #expect(outcome.status == 1)
    let failed = try Self.summary(first).scenarios.filter { $0.verdict == "failed" }.map(\.repetition)
    try #require(!failed.isEmpty && failed != [0] && failed.count < 8, "chance must decide")
    let repeated = try Tool.run(["run", file, "--last-failed", first.url.path, "--out", again.url.path])
    #expect(repeated.status == 1)
    #expect(try Self.summary(again).scenarios.map(\.repetition) == failed)
    #expect(try Self.summary(again).scenarios.allSatisfy { $0.verdict == "failed" })
  }

  @Test func anInterruptEndsARunWithReportsOfWhatWasDone() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = [
      "run", "scenarios/library", "--fault", "recorder:list-count-off-by-one", "--for", "8h", "--out",
      folder.url.path,
    ]
    process.currentDirectoryURL = Tool.repository
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let trouble = Pipe()
    process.standardError = trouble
    try process.run()
    // A failure is told as soon as it is there: something was done.
    #expect(!trouble.fileHandleForReading.availableData.isEmpty)
    process.interrupt()
    while !trouble.fileHandleForReading.availableData.isEmpty {}
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let summary = try Self.summary(folder)
    #expect(summary.interrupted)
    #expect(summary.repetitions?.scenarios.contains { $0.judged > 0 } == true)
  }
}
