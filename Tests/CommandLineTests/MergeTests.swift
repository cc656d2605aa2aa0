import Foundation
import TestThreads
import Testing

@Suite(.waits) struct Merges {
  private struct Summary: Decodable {
    struct Requirement: Decodable, Equatable {
      struct Clause: Decodable, Equatable {
        var clause: String
        var evidence: [String]
      }
      var id: String
      var outcome: String
      var reason: String?
      var evidence: [String]
      var shownBy: [Clause]
    }
    struct Scenario: Decodable, Equatable {
      var id: String
      var cell: String
      var verdict: String
      var traceHash: String?
    }
    var exitCode: Int
    var traceHash: String
    var requirements: [Requirement]
    var scenarios: [Scenario]
  }

  private static let selection = ["scenarios/records/count.yaml", "scenarios/pairing/unpair.yaml"]

  private static func summary(_ folder: String) throws -> Summary {
    try JSONDecoder().decode(Summary.self, from: Data(contentsOf: URL(filePath: folder + "/summary.json")))
  }

  /// Runs a selection in shards. Returns their folders, in an order that is not theirs.
  private static func shards(_ count: Int, in folder: TemporaryFolder, _ options: [String] = []) throws -> [String] {
    try (1...count).reversed().map { index in
      let out = folder.url.path + "/shard-\(index)"
      let run = try Tool.run(["run"] + selection + ["--shard", "\(index)/\(count)", "--out", out] + options)
      #expect(run.status == (options.isEmpty ? 0 : 1) || run.status == 4, "\(run.trouble)")
      return out
    }
  }

  @Test(arguments: [[], ["--fault", "recorder:list-count-off-by-one"]])
  func shardsMergedAreTheRunThatTheyArePartsOf(options: [String]) throws {
    let folder = try TemporaryFolder()
    let (whole, out) = (folder.url.path + "/whole", folder.url.path + "/merged")
    let run = try Tool.run(["run"] + Self.selection + ["--out", whole] + options)
    let merge = try Tool.run(["merge"] + Self.shards(2, in: folder, options) + ["--out", out])
    #expect(merge.status == run.status, "\(merge.trouble)")
    let (one, other) = (try Self.summary(whole), try Self.summary(out))
    #expect(one.requirements == other.requirements)
    #expect(one.requirements.contains { $0.outcome == "shown" } || !options.isEmpty)
    #expect(one.scenarios == other.scenarios)
    #expect(one.traceHash == other.traceHash)
    #expect(one.exitCode == other.exitCode)
    // So do the event logs, numbered anew.
    let events = try [whole, out].map {
      try Data(contentsOf: URL(filePath: $0 + "/events.ndjson")).split(separator: 0x0A)
    }
    #expect(events[0].count == events[1].count)
    for (number, line) in events[1].enumerated() {
      try Documents.expect(Array(line), toBe: "event")
      #expect(line.starts(with: Data("{\"seq\":\(number),".utf8)))
    }
    // Captures of failures come along, and a merged run can be replayed.
    let captures = try? FileManager.default.contentsOfDirectory(atPath: out + "/captures")
    #expect((captures ?? []).isEmpty == options.isEmpty)
    #expect(try Tool.run(["replay", out]).status == 0)
  }

  @Test func whatDoesNotFitIsRefusedInOneSentence() throws {
    let folder = try TemporaryFolder()
    let shards = try Self.shards(2, in: folder)
    let other = folder.url.path + "/other"
    _ = try Tool.run(["run"] + Self.selection + ["--seed", "2", "--out", other])
    for (folders, sentence) in [
      ([shards[0]], "shard 1/2 is missing"), (shards + [shards[0]], "shard 2/2 is there twice"),
      ([shards[0], other], "has the seed 1, \(other) has 2"), ([other, other], "the runs overlap: "),
      ([folder.url.path], "cannot read"), ([], "merge needs the folders"),
    ] {
      let merge = try Tool.run(["merge"] + folders)
      #expect(merge.status == 2, "\(folders)")
      #expect(merge.trouble.contains(sentence), "\(merge.trouble)")
      #expect(merge.trouble.split(separator: "\n").count == 1, "\(merge.trouble)")
    }
  }

  @Test func attestationsShowWhatTheHarnessOwesAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.path + "/run"
    _ = try Tool.run(["run", "scenarios/pairing/unpair.yaml", "--out", out])
    let version = String(try #require(Tool.run(["--version"]).output.split(separator: "\n").first))
    func merge(_ requirement: String, _ clause: String, tool: String? = nil) throws -> Tool.Outcome {
      let attested = try TemporaryFolder()
      let text = """
        {"schemaVersion": 1, "requirement": "\(requirement)", "clause": \(clause), "check": "a check",
         "measured": "2 of 2", "tool": "\(tool ?? version)"}
        """
      _ = try attested.write("one.json", text)
      return try Tool.run(["merge", out, "--attestations", attested.url.path, "--out", out + "-merged"])
    }
    let merged = try merge("HIL-10", "null")
    #expect(merged.status == 0, "\(merged.trouble)")
    let result = try Self.summary(out + "-merged").requirements.first { $0.id == "HIL-10" }
    #expect(result?.outcome == "shown")
    #expect(result?.evidence == ["check a check: 2 of 2"])
    for (outcome, sentence) in [
      (try merge("DEV-6", "null"), "attests DEV-6, which only a run can show"),
      (try merge("HIL-99", "null"), "the unknown requirement HIL-99"),
      (try merge("HIL-9", "null"), "attests no clause of HIL-9, expected covered, hostile"),
      (try merge("HIL-10", "\"a\""), "attests the clause a of HIL-10, expected none"),
      (try merge("HIL-10", "null", tool: "dictobench 0"), "is about dictobench 0"),
      (try merge("HIL-10", "3"), "is not an attestation: clause"),
    ] {
      #expect(outcome.status == 2)
      #expect(outcome.trouble.contains(sentence), "\(outcome.trouble)")
    }
  }

  @Test func whatFailedLastIsRunAgain() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.path + "/run"
    let failed = try Tool.run(
      ["run"] + Self.selection + ["--seed", "7", "--out", out, "--fault", "recorder:list-count-off-by-one", "-q"])
    #expect(failed.status == 1)
    #expect(failed.output.hasPrefix("FAILED  7 scenarios: "))
    #expect(!failed.output.contains("replay:"))
    let names = try Self.summary(out).scenarios.filter { $0.verdict == "failed" }.map { $0.id + $0.cell }
    let again = try Tool.run(["run", "--last-failed", out, "-v"])
    #expect(again.status == 0, "\(again.output)")
    #expect(again.output.contains("seed 7"))
    for name in names { #expect(again.trouble.contains("passed  \(name)"), "\(again.trouble)") }
    #expect(again.trouble.split(separator: "\n").count == names.count)
    #expect(try Tool.run(["run", "-q", "-v"]).status == 2)
  }
}
