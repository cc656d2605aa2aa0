import Foundation
import TestThreads
import Testing

/// `dictobench doctor`, what of it precedes a run, and the set-up that is remembered.
@Suite(.waits) struct Doctors {
  /// What `--format json` prints.
  struct Report: Decodable {
    struct Check: Decodable {
      let name: String
      let outcome: String
      let found: String
      let advice: String?
    }
    struct Change: Decodable {
      let name: String
      let before: String
      let now: String
    }
    struct Adapter: Decodable {
      let specification: String
      let way: String
      let isPermitted: Bool
      let links: [String]
    }

    let outcome: String
    let bench: String?
    let controller: String?
    let adapters: [Adapter]
    let checks: [Check]
    let lastGoodRun: Int?
    let changes: [Change]
  }

  private func report(_ outcome: Tool.Outcome) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
  }

  /// No adapter has these numbers.
  private static let absent = "usb:ffff:ffff"

  @Test func aControllerAndARecorderThatAreThereAreReady() throws {
    let simulation = try Simulation()
    let outcome = try Tool.run(["doctor", "--controller", simulation.controller, "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.trouble.isEmpty, "\(outcome.output)\(outcome.trouble)")
    let report = try report(outcome)
    #expect(report.outcome == "ready")
    #expect(report.controller == simulation.controller)
    #expect(report.checks.map(\.name) == ["adapter", "rules", "controller", "recorder", "space", "clock"])
    #expect(report.checks[3].found.hasPrefix(try #require(simulation.recorders.first)), "\(report.checks[3])")
    #expect(report.lastGoodRun == nil)
    #expect(report.changes.isEmpty)
  }

  @Test func whatIsMissingFailsAndTheRestIsNotKnown() throws {
    let outcome = try Tool.run(["doctor", "--controller", Self.absent, "--format", "json"])
    #expect(outcome.status == 3)
    let report = try report(outcome)
    #expect(report.outcome == "failed")
    #expect(report.checks[0].outcome == "failed")
    #expect(report.checks[0].found.contains("no such device is on USB"))
    #expect(report.checks[0].advice?.hasPrefix("plug it in") == true)
    #expect(report.checks.first { $0.name == "controller" }?.outcome == "checking")
    let human = try Tool.run(["doctor", "--controller", Self.absent])
    #expect(human.status == 3)
    #expect(human.output.hasPrefix("failed: usb:ffff:ffff: no such device is on USB"))
    #expect(human.output.components(separatedBy: "plug it in").count == 3, "in the answer, and at the check")
  }

  @Test(arguments: [false, true]) func aReportSaysWhatTheAdapterIsLike(_ hasAddress: Bool) throws {
    let simulation = try Simulation()
    let folder = try TemporaryFolder()
    let own = try folder.write(
      "own.yaml", "quirks:\n  - {company: 65535, quirks: [no-data-length], source: a test, seen: nothing}\n")
    let path = folder.url.appending(path: "report.json").path
    let outcome = try Tool.run(
      ["doctor", "--controller", simulation.controller, "--report", path, "--quirks", own]
        + (hasAddress ? ["--with-addresses"] : []))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.output.contains("is known for no-data-length ("), "\(outcome.output)")
    #expect(outcome.output.contains("\n  nothing deviates\n"), "\(outcome.output)")
    let octets = try Data(contentsOf: URL(filePath: path))
    try Documents.expect(Array(octets), toBe: "adapter-report")
    let report = String(decoding: octets, as: UTF8.self)
    #expect(report.contains("\"address\"") == hasAddress)
    #expect(report.contains("\"no-data-length\""))
  }

  @Test func aLibraryOfQuirksWithAMistakeIsRefusedAtItsPlace() throws {
    let folder = try TemporaryFolder()
    let own = try folder.write("own.yaml", "quirks:\n  - {company: 1, quirks: [no-data-lenght], source: a, seen: b}\n")
    for command in ["doctor", "scan"] {
      let outcome = try Tool.run([command, "--controller", "unix:/nowhere/air", "--quirks", own])
      #expect(outcome.status == 2)
      #expect(outcome.trouble.contains("own.yaml:2:27: error: "), "\(outcome.trouble)")
      #expect(outcome.trouble.contains("did you mean `no-data-length`?"), "\(outcome.trouble)")
    }
  }

  @Test func nobodyAtTheOtherEndFails() throws {
    let outcome = try Tool.run(["doctor", "--controller", "unix:/nowhere/air"])
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("do: start the other side first, or correct the address\n"), "\(outcome.output)")
  }

  @Test(arguments: ["hardware", "app"]) func aRunOnAMissingAdapterIsABenchErrorWithReports(_ target: String) throws {
    let folder = try TemporaryFolder()
    let bench = try folder.write(
      "bench.yaml",
      """
      place: a
      adapters: ["\(Self.absent)"]
      recorders: [{address: C6:05:04:03:02:01, commands: [{for: forget-bonds, run: [/bin/true]}]}]
      phone: {hooks: [{for: connect, run: [/bin/true]}, {for: reset, run: [/bin/true]}]}

      """)
    let scenario = try folder.write(
      "scenario.yaml", "scenario: a connection\nid: plain\nverifies: [DEV-6]\nsteps:\n  - phone: connect\n")
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run(["run", "--target", target, "--bench", bench, "--out", out, scenario])
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.output.contains("no such device is on USB: plug it in"), "\(outcome.output)")
    #expect(outcome.trouble.hasPrefix("bench: checking\nbench: failed: usb:ffff:ffff: no such device"))
    #expect(FileManager.default.fileExists(atPath: out + "/junit.xml"))
    #expect(outcome.output.split(separator: "\n").first?.contains("virtual") == false, "\(outcome.output)")
    #expect(outcome.output.contains("seed 1\(target == "app" ? ", our recorder's profile reference" : "")\n"))
  }

  @Test func aMissingAdapterIsToldAlsoWhenEverythingIsBlocked() throws {
    let folder = try TemporaryFolder()
    let scenario = try folder.write(
      "scenario.yaml", "scenario: a press\nid: pressed\nverifies: [DEV-6]\nsteps:\n  - device: {press: 1 s}\n")
    let outcome = try Tool.run(
      ["run", "--target", "hardware", "--controller", Self.absent, "--device", "C6:05:04:03:02:01", scenario])
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.trouble.contains("bench: failed: usb:ffff:ffff: no such device is on USB: plug it in"))
  }

  @Test func aGoodRunIsRememberedAndDifferencesAreTold() throws {
    let home = try TemporaryFolder()
    let bench = try home.write(
      "bench.yaml",
      """
      place: remembered
      tolerance: 5 s
      adapters: ["unix:\(home.url.path)/air"]
      recorders:
        - address: C6:05:04:03:02:01
          pico: {RawSerialPort: {port: \(home.url.path)/pico}}
          console: {RawSerialPort: {port: \(home.url.path)/console}}
          supply: {RawSerialPort: {port: \(home.url.path)/supply}, identity: DICTOBENCH}

      """)
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    let scenario = try home.write(
      "scenario.yaml", "scenario: a connection\nid: plain\nverifies: [DEV-6]\nsteps:\n  - phone: connect\n")
    let environment = ["DICTOBENCH_BENCH": bench]
    let run = try Tool.run(["run", "--target", "hardware", scenario], home: home, environment: environment)
    #expect(run.status == 0, "\(run.output)\(run.trouble)")
    #expect(run.trouble.hasPrefix("bench: checking\nbench: ready\n"), "\(run.output)\(run.trouble)")
    let file = home.url.appending(path: ".local/state/dictobench/benches/remembered")
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept.contains("controller's version\t"))
    #expect(kept.contains("pico of C6:05:04:03:02:01\tdictobench-pico"))
    let same = try report(Tool.run(["doctor", "--format", "json"], home: home, environment: environment))
    #expect(same.outcome == "ready")
    #expect(same.bench == "remembered")
    #expect(same.lastGoodRun != nil)
    #expect(same.changes.isEmpty)
    let instruments = same.checks.filter { $0.name.hasSuffix("C6:05:04:03:02:01") }
    #expect(instruments.map(\.found) == ["DICTOBENCH,SIMULATED,0,1.0", "dictobench-pico 2 simulated", "answers"])
    try Data(kept.replacing("dictobench-pico 2", with: "dictobench-pico 0").utf8).write(to: file)
    let changed = try Tool.run(["doctor"], home: home, environment: environment)
    #expect(changed.status == 0)
    #expect(changed.output.contains("  pico of C6:05:04:03:02:01: dictobench-pico 0"), "\(changed.output)")
  }
}

@Suite(.waits) struct Setups {
  @Test func aConversationIsRememberedByEveryCommand() throws {
    let home = try TemporaryFolder()
    let simulation = try Simulation()
    let setup = try Tool.run(
      ["setup", "--controller", simulation.controller], typed: "\n\n\nno\ndesk\n\n", home: home)
    let file = home.url.appending(path: ".config/dictobench/bench.yaml").path
    #expect(setup.status == 0, "\(setup.output)\(setup.trouble)")
    #expect(setup.output == file + "\n", "\(setup.output)\(setup.trouble)")
    let scan = try Tool.run(["scan", "--for", "1"], home: home)
    #expect(scan.status == 0, "\(scan.trouble)")
    #expect(scan.output.hasPrefix(simulation.recorders[0]), "\(scan.trouble)")
    let doctor = try Tool.run(["doctor"], home: home)
    #expect(doctor.status == 0, "\(doctor.output)")
    #expect(doctor.output.contains(simulation.controller), "\(doctor.output)")
    let list = try Tool.run(["list", "--bench", file, "scenarios/pairing"], home: home)
    #expect(list.status == 0, "\(list.trouble)")
    // Nothing is selected, which is found out after the bench.
    let run = try Tool.run(["run", "--target", "hardware", "--name", "no-such-scenario"], home: home)
    #expect(run.status == 4, "\(run.trouble)")
    // What is said on the command line comes before what is remembered, and is not mixed with it.
    let elsewhere = try Tool.run(
      [
        "run", "--target", "hardware", "--controller", "usb:0", "--device", "C6:05:04:03:02:99", "--name",
        "no-such-scenario",
      ], home: home)
    #expect(elsewhere.status == 4, "\(elsewhere.trouble)")
    let named = try Tool.run(["battery", "--controller", "unix:/nowhere/air"], home: home)
    #expect(named.status == 3, "\(named.trouble)")
    #expect(named.trouble.contains("/nowhere/air"), "\(named.trouble)")
  }

  @Test func withoutAnswersItEndsAtOnceAndChangesNothing() throws {
    let home = try TemporaryFolder()
    for typed in [nil, "", "1", "\nquit\n"] {
      let outcome = try Tool.run(["setup", "--controller", "usb:0"], typed: typed, home: home)
      #expect(outcome.status == (typed == "\nquit\n" ? 130 : 2), "\(outcome.trouble)")
    }
    let integration = try Tool.run(["setup"], typed: "\n", home: home, environment: ["CI": "true"])
    #expect(integration.status == 2)
    #expect(integration.trouble.contains("in CI nobody answers"))
    #expect(!FileManager.default.fileExists(atPath: home.url.path + "/.config"))
  }

  @Test func aRememberedBenchThatIsWrongEndsWithTwoAndThePlace() throws {
    let folder = try TemporaryFolder()
    let bench = try folder.write("bench.yaml", "place: a\nadapters: [\"usb\"]\nphone: {}\n")
    let outcome = try Tool.run(["scan"], environment: ["DICTOBENCH_BENCH": bench])
    #expect(outcome.status == 2, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("bench.yaml:2:"), "\(outcome.trouble)")
    let missing = try Tool.run(["doctor"], environment: ["DICTOBENCH_BENCH": "/nowhere/bench.yaml"])
    #expect(missing.status == 2)
    #expect(missing.trouble.contains("cannot read /nowhere/bench.yaml: no such file"))
  }
}
