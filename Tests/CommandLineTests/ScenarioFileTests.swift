import Foundation
import TestThreads
import Testing

/// Which scenarios operands and options choose, and what is said where they choose none.
@Suite(.waits) struct ScenarioChoice {
  @Test func aFileThatIsNamedTwiceIsReadOnce() throws {
    let once = try Tool.run(["list", "scenarios/library"])
    let file = "scenarios/library/restart-in-transfer.yaml"
    for other in [file, Tool.repository.appending(path: file).path, "scenarios/library/../library"] {
      let twice = try Tool.run(["list", "scenarios/library", other])
      #expect((twice.output, twice.trouble) == (once.output, once.trouble), "\(other)")
    }
  }

  /// Even root cannot read below a folder whose path is longer than any may be.
  @Test func aFolderThatCannotBeReadIsNamed() throws {
    let folder = try TemporaryFolder()
    let dig = #"cd "$0"; n=$(printf 'd%.0s' {1..250}); for i in {1..17}; do mkdir $n && cd $n || exit 1; done"#
    #expect(try Tool.run([], within: ["/bin/bash", "-c", dig, folder.url.path]).status == 0)
    for command in ["lint", "run", "list"] {
      let outcome = try Tool.run([command, folder.url.path])
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.trouble.hasPrefix("dictobench: cannot read the folder \(folder.url.path)/ddd"))
    }
    // Whoever removes a folder by its path gets no deeper than the tool.
    _ = try Tool.run([], within: ["/bin/bash", "-c", #"rm -rf "$0"/*"#, folder.url.path])
  }

  /// Nobody may ever write into a pipe, and the first interrupt would only ask for reports.
  @Test(arguments: [[], ["scenarios/records/order.yaml", "--known"]]) func aPipeIsRefused(before: [String]) throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe.yaml").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let outcome = try Tool.run(["run"] + before + [pipe], within: ["/usr/bin/timeout", "-s", "KILL", "60"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble == "dictobench: cannot read \(pipe): it is not a regular file\n")
  }

  @Test func aShardOfTheEnvironmentThatIsNoneIsRefused() throws {
    let environment = ["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "2"]
    let outcome = try Tool.run(["list", "scenarios/records"], environment: environment)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("CI_NODE_INDEX=3 and CI_NODE_TOTAL=2 name no part of a run"), "\(outcome.trouble)")
  }

  @Test func lintCountsWhatWasNamed() throws {
    let problems = "(each matrix cell counts): no problems found\n"
    let file = try Tool.run(["lint", "scenarios/records/order.yaml"])
    #expect((file.status, file.output) == (0, "1 file, 1 scenario \(problems)"))
    let fragments = try Tool.run(["lint", "scenarios/fragments/meet.yaml", "scenarios/fragments/pair.yaml"])
    #expect((fragments.status, fragments.output) == (0, "2 files, 0 scenarios \(problems)"))
    let whole = try Tool.run(["lint", "scenarios"])
    #expect(whole.output == (try Tool.run(["lint"])).output)
  }

  @Test func lintCountsAllProblems() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "many.yaml").path
    let steps = String(repeating: "  - phone: sycn\n", count: 250)
    try Data("scenario: x\nid: x\nverifies: APP-1.2\nsteps:\n\(steps)".utf8).write(to: URL(filePath: path))
    let outcome = try Tool.run(["lint", path, "--format", "json"])
    #expect(outcome.status == 2)
    #expect(outcome.output.contains(#""errors":250,"warnings":0}"#), "\(outcome.output.suffix(200))")
  }

  @Test func aFolderWithoutScenariosIsSaid() throws {
    let folder = try TemporaryFolder()
    for command in ["lint", "run", "list"] {
      let outcome = try Tool.run([command, folder.url.path])
      #expect((outcome.status, outcome.output) == (4, ""), "\(command)")
      #expect(outcome.trouble == "there is no scenario in \(folder.url.path)\n", "\(command)")
    }
    // Its broken fragments are told all the same.
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "fragments"), withIntermediateDirectories: true)
    _ = try folder.write("fragments/wrong.yaml", "fragment: wrong\n")
    #expect(try Tool.run(["lint", folder.url.path]).status == 2)
  }

  /// Options that choose nothing, and what is said of them.
  static let empty: [(words: [String], reason: String)] = [
    (["--tag", "smok"], "no scenario has the tag smok; did you mean smoke?"),
    (["--tag", "smoke and smok"], "no scenario has the tag smok; did you mean smoke?"),
    (["--tag", "smoke and not smoke"], "no scenario's tags fit --tag"),
    (["--requirement", "DEV-99"], "no scenario verifies DEV-99; did you mean DEV-9?"),
    (["--requirement", "smoke", "--requirement", "APP-77.x"], "no scenario verifies smoke or APP-77.x"),
    (["--name", "nothing*"], "no scenario's id fits \"nothing*\""),
    (["--name", "record-order*"], "no scenario's id fits \"record-order*\"; did you mean records-order?"),
    (["--name", "records-order", "--requirement", "APP-1.4.1"], "no scenario fits all options at once"),
  ]

  @Test(arguments: empty.indices) func theOptionThatChoosesNothingIsNamed(_ index: Int) throws {
    let (words, reason) = Self.empty[index]
    for command in ["run", "list"] {
      let outcome = try Tool.run([command] + words)
      #expect((outcome.status, outcome.output) == (4, ""))
      #expect(outcome.trouble.hasPrefix("none of "), "\(outcome.trouble)")
      #expect(outcome.trouble.contains(" scenarios was selected: \(reason)"), "\(outcome.trouble)")
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    }
  }

  @Test func aRunInWhichNothingFailedIsNotRepeated() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out").path
    #expect(try Tool.run(["run", "-q", "scenarios/records/order.yaml", "--out", out]).status == 0)
    let again = try Tool.run(["run", "--last-failed", out])
    #expect(again.status == 4)
    #expect(
      again.trouble.hasSuffix(" scenarios was selected: nothing failed in the run of \(out)\n"), "\(again.trouble)")
  }

  @Test func numbersThatOverflowAreOutOfRange() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "wrong.yaml",
      """
      scenario: numbers with too many digits
      id: wrong-numbers
      verifies: [DEV-6]
      given: {device: {records: 99999999999999999999999}}
      steps:
        - wait: 99999999999999999999 d
        - fone: sync

      """)
    let outcome = try Tool.run(["lint", file])
    #expect(outcome.status == 2)
    let messages = outcome.trouble.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for words in [
      "error: `99999999999999999999999` is out of range for `count`", "expected: 0 to 253",
      "error: `99999999999999999999 d` is out of range", "expected: from -3660 d to 3660 d", "did you mean `phone`?",
    ] {
      #expect(messages.contains { $0.hasSuffix(words) }, "\(words): \(outcome.trouble)")
    }
  }
}
