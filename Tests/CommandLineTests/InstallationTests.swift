import Foundation
import TestThreads
import Testing

/// The program away from its checkout.
@Suite(.waits) struct Installations {
  /// A program in a folder of its own, as a package installs it.
  private struct Installation {
    let folder: TemporaryFolder

    /// Copies the program, and its data if it shall have them.
    init(withData: Bool, commit: String? = nil) throws {
      folder = try TemporaryFolder()
      let files = FileManager.default
      let (program, data) = (folder.url.appending(path: "bin"), folder.url.appending(path: "share/dictobench"))
      for place in [program, data] { try files.createDirectory(at: place, withIntermediateDirectories: true) }
      try files.createDirectory(at: folder.url.appending(path: "work"), withIntermediateDirectories: true)
      try files.copyItem(at: Tool.executable, to: program.appending(path: "dictobench"))
      guard withData else { return }
      for name in ["scenarios", "firmware-images", "bench"] {
        try files.copyItem(at: Tool.repository.appending(path: name), to: data.appending(path: name))
      }
      if let commit { try Data(commit.utf8).write(to: data.appending(path: "commit")) }
    }

    /// Runs it in an empty working directory.
    func run(_ arguments: [String]) throws -> Tool.Outcome {
      let script = #"cd "$1" && exec "$2" "${@:4}""#
      let (work, program) = (folder.url.appending(path: "work").path, folder.url.appending(path: "bin/dictobench").path)
      return try Tool.run(arguments, within: ["/bin/bash", "-c", script, "bash", work, program])
    }
  }

  @Test func itFindsItsDataFromAnywhere() throws {
    let installed = try Installation(withData: true)
    let lint = try installed.run(["lint"])
    #expect(lint.status == 0, "\(lint.trouble)")
    #expect(lint.output == (try Tool.run(["lint"])).output)
    let out = ["--out", installed.folder.url.appending(path: "out").path]
    // A sound, a firmware package, a fragment, a folder and a file, by their usual names.
    let run = try installed.run(
      ["run", "scenarios/update/boards.yaml", "scenarios/pairing", "scenarios/recording"] + out)
    #expect(run.status == 0, "\(run.output)\(run.trouble)")
    let junit = try String(contentsOf: installed.folder.url.appending(path: "out/junit.xml"), encoding: .utf8)
    #expect(junit.contains(#"name="scenarios/pairing/once.yaml""#), "reports name files as in the repository")
    let replay = try installed.run(["replay", out[1], "pairing-once"])
    #expect(replay.status == 0, "\(replay.trouble)")
    let forecast = try installed.run(["list", "--bench", "bench/simulated.yaml", "--name", "pairing-once"])
    #expect(forecast.status == 0, "\(forecast.trouble)")
    #expect(try installed.run(["dfu", "releases"]).output == (try Tool.run(["dfu", "releases"])).output)
  }

  @Test func withoutItsDataItSaysWhereItLookedForReleases() throws {
    let outcome = try Installation(withData: false).run(["dfu", "releases"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("cannot find firmware-images/catalogue.json: "), "\(outcome.trouble)")
    #expect(outcome.trouble.contains("share/dictobench"), "\(outcome.trouble)")
  }

  @Test func scenariosOfTheWorkingDirectoryComeFirst() throws {
    let installed = try Installation(withData: true)
    let own = installed.folder.url.appending(path: "work/scenarios")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    try Data("scenario: my own\nid: own\nverifies: [DEV-6]\nsteps:\n  - phone: sync\n".utf8)
      .write(to: own.appending(path: "own.yaml"))
    let list = try installed.run(["list", "--format", "json"])
    #expect(list.output.contains(#""id":"own""#), "\(list.output)\(list.trouble)")
    #expect(!list.output.contains("pairing-once"))
  }

  @Test func withoutItsDataItSaysSo() throws {
    let installed = try Installation(withData: false)
    for words in [["run"], ["lint"], ["schema"], ["mutate"]] {
      let outcome = try installed.run(words)
      #expect(outcome.status == 2)
      #expect(outcome.trouble.hasPrefix("dictobench: cannot find scenarios/"), "\(outcome.trouble)")
      #expect(outcome.trouble.contains("install the package again"))
      #expect(outcome.trouble.split(separator: "\n").count == 1)
    }
    #expect(try installed.run(["--version"]).output.contains("data: not found"))
  }

  @Test func aProgramOfACheckoutFindsItsTop() throws {
    let words = ["/bin/bash", "-c", #"cd / && exec "$@""#, "bash"]
    #expect(try Tool.run(["lint"], within: words).output == (try Tool.run(["lint"])).output)
    let version = try Tool.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.contains("\ndata: \(Tool.repository.standardizedFileURL.path)\n"), "\(version.output)")
    #expect(version.output.contains("\ncommit: unknown"))
  }

  @Test(arguments: [
    ("0123456789abcdef0123456789abcdef01234567\n", true), ("0123456789abcdef\n", false), ("unknown\n", false),
    ("\u{1B}[31m789abcdef0123456789abcdef0123456789a\n", false), ("", false),
  ]) func aPackageKnowsItsCommit(file: String, isKnown: Bool) throws {
    let version = try Installation(withData: true, commit: file).run(["--version"]).output
    #expect(version.hasPrefix("dictobench 0.1.0\n"))
    let commit = isKnown ? "\ncommit: \(file)" : "\ncommit: unknown"
    #expect(version.contains(commit), "\(version)")
  }
}
