import Foundation
import TestThreads
import Testing

@testable import dictobench

@Suite(.waits) struct Exploring {
  private static let options = ["explore", "--runs", "32", "--jobs", "1"]

  /// Two explorations of one seed find different things in the runs of the same number.
  @Test func nothingThatWasFoundBeforeIsReplaced() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "found things").path
    func found() throws -> [String: String] {
      let names = try FileManager.default.contentsOfDirectory(atPath: out)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(out)/\($0)", encoding: .utf8)) })
    }
    let first = try Tool.run(Self.options + ["--published", "pairing", "--out", out])
    #expect(first.status == 1, "\(first)")
    #expect(first.output.contains("dictobench run '\(out)/explored-1-"), "\(first.output)")
    let before = try found()
    #expect(!before.isEmpty)

    _ = try Tool.run(Self.options + ["--published", "pairing", "--out", out])
    #expect(try found() == before, "what is found again is the same")

    let second = try Tool.run(
      Self.options + ["--published", "pairing", "--published", "link-loss", "--published", "format", "--out", out])
    let after = try found()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    let added = after.filter { before[$0.key] == nil }
    let renamed = try #require(added.first { $0.key.hasSuffix("-2.yaml") }, "\(after.keys.sorted()) \(second.output)")
    #expect(renamed.value.contains("id: \(renamed.key.dropLast(5))\n"), "\(renamed.value)")
    #expect(second.output.contains(renamed.key))
  }

  /// A guest that only sleeps cannot be paired with. Where every schedule begins with a bond, nothing was searched.
  @Test func whereNothingCouldBeRunTheExitCodeSaysSo() throws {
    let folder = try TemporaryFolder()
    let sleeper = Images.guest.replacing(":02704000FEE769", with: ":0470400020BFFDE789")
    let image = ["--target", "image", "--image", try folder.write("sleeper.hex", sleeper)]
    let outcome = try Tool.run(["explore", "--runs", "1", "--seed", "1"] + image)
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.output.contains("\n1 run could not be made, the first for lack of actuators: bonds"), "\(outcome)")
    #expect(!outcome.output.contains("FOUND"), "\(outcome)")
  }

  /// One home reads them for all three, so all three refuse the same in the same words.
  @Test(arguments: ["explore", "turning-point", "prove"]) func whatIsPlantedIsReadInOnePlace(_ command: String) throws {
    let operands = command == "turning-point" ? ["scenarios/records/order.yaml"] : []
    let fault = try Tool.run([command] + operands + ["--fault", "recorder:deaf-after-brake"])
    #expect(fault.status == 2)
    #expect(
      fault.trouble.contains("unknown fault recorder:deaf-after-brake; did you mean recorder:deaf-after-break?"),
      "\(fault)")
    let profile = try Tool.run([command] + operands + ["--profile", "firmware-1.5"])
    #expect(profile.status == 2)
    #expect(profile.trouble.contains("--profile needs reference or firmware-1.4, not \"firmware-1.5\""), "\(profile)")
  }

  @Test(arguments: [ExploreCommand.declaration, TurningPointCommand.declaration, ProveCommand.declaration])
  func theOptionsOfARecorderReachItsRuns(_ command: CommandDeclaration) throws {
    let faults = ["recorder:deaf-after-break", "phone:skips-settling"]
    let words = ["--profile", "firmware-1.4"] + faults.flatMap { ["--fault", $0] }
    let settings = try ModelOptions.settings(try ParsedArguments(words, for: command))
    #expect(settings.profile.name == "firmware-1.4")
    #expect(settings.faults.map(\.text) == faults)
    let plain = try ModelOptions.settings(try ParsedArguments([], for: command))
    #expect(plain.profile.name == "reference")
    #expect(plain.faults.isEmpty)
  }

  /// Each attempt of a repetition has its own chances, and a turning point only where it failed.
  @Test func everyAttemptOfARepetitionCanBeNamed() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "lost.yaml",
      """
      scenario: more than half of all packets are lost
      id: lost
      verifies: [APP-1.2]
      steps:
        - air: {lose: 55 %}
        - phone: connect

      """)
    let out = folder.url.appending(path: "out").path
    _ = try Tool.run(["run", file, "--repeat", "20", "--retries", "3", "--captures", "none", "--out", out])
    let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/summary.json")))
    let scenarios = try #require((summary as? [String: Any])?["scenarios"] as? [[String: Any]])
    func verdicts(_ scenario: [String: Any]) -> [String] {
      (scenario["attempts"] as? [[String: Any]] ?? []).compactMap { $0["verdict"] as? String }
    }
    let tried = try #require(scenarios.first { verdicts($0).count > 2 && verdicts($0).last == "passed" })
    let repetition = try #require(tried["repetition"] as? Int) + 1
    for (retry, verdict) in verdicts(tried).enumerated() {
      let options = ["--repetition", "\(repetition)"] + (retry == 0 ? [] : ["--retry", "\(retry)"])
      let outcome = try Tool.run(["turning-point", file, "--draws", "1"] + options)
      #expect(outcome.status == (verdict == "failed" ? 0 : 2), "\(verdict), retry \(retry): \(outcome)")
    }
  }

  @Test func aRunThatIsLostFromTheBeginningSaysSo() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "lost.yaml",
      """
      scenario: lost at once
      id: lost-at-once
      verifies: [APP-1.2]
      steps:
        - phone: library
          expect: {count: 5}

      """)
    let outcome = try Tool.run(["turning-point", file, "--draws", "5", "--phone", "reference"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("lost from the beginning on: every future fails\n"), "\(outcome.output)")
  }
}
