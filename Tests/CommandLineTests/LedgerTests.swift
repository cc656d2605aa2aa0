import Foundation
import TestThreads
import Testing

/// Runs that are written into a ledger, with the built tool. `ci/ledger` performs them on a server, too.
@Suite(.waits) struct LedgerRuns {
  private static let selection = ["scenarios/records/count.yaml", "scenarios/pairing/unpair.yaml"]

  @Test func aRunIsFoundAgainInItsHistory() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    let run = try Tool.run(
      ["run"] + Self.selection + ["--ledger", ledger, "--run-id", "first", "--operator", "Ada"])
    #expect(run.status == 0, "\(run.trouble)")
    let fault = ["--fault", "recorder:list-count-off-by-one", "--run-id", "second", "--operator", "Bea"]
    #expect(try Tool.run(["run"] + Self.selection + ["--ledger", ledger] + fault).status == 1)
    let runs = try Tool.run(["history", "--ledger", ledger])
    #expect(runs.status == 0, "\(runs.trouble)")
    #expect(runs.output.contains("first  profile:reference  0 of 7 failed, ended with exit code 0"), "\(runs.output)")
    #expect(runs.output.contains("second  profile:reference+recorder:list-count-off-by-one"))
    #expect(runs.output.contains("totals of each operator:\n  Ada  1 run, 0 of 7 failed\n  Bea  1 run, "))
    let scenario = try Tool.run(["history", "--scenario", "records-count[records=7]", "--ledger", ledger])
    #expect(scenario.output.contains("1 of 1, 20.7 % to 100.0 %  records-count[records=7] with profile:reference+"))
    let requirement = try Tool.run(["history", "--requirement", "APP-1.2.1", "--ledger", ledger])
    #expect(requirement.output.contains("  first  profile:reference  7 shown\n"), "\(requirement.output)")
    #expect(requirement.output.contains("0 of 7, 0.0 % to 35.4 %  APP-1.2.1 with profile:reference\n"))
    let json = try Tool.run(
      ["history", "--figure", "virtual-time", "--format", "json"], environment: ["DICTOBENCH_LEDGER": ledger])
    #expect(json.output.contains("\"points\":[{\"sequence\":1,\"run\":\"first\""), "\(json.output.prefix(200))")
    #expect(json.output.contains("\"operator\":\"Ada\""))
    let totals = try Tool.run(["history", "--format", "json", "--ledger", ledger])
    let ada = #""operators":[{"operator":"Ada","runs":1,"bad":0,"total":7},{"operator":"Bea","runs":1,"#
    #expect(totals.output.contains(ada), "\(totals.output.suffix(300))")
  }

  @Test func mistakesAreOneSentence() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    #expect(try Tool.run(["run"] + Self.selection + ["--ledger", ledger, "--run-id", "a"]).status == 0)
    let mistakes: [(words: [String], status: Int32, complaint: String)] = [
      (["history"], 2, "a ledger is needed: --ledger URL, or the variable DICTOBENCH_LEDGER"),
      (["history", "--ledger", folder.url.path + "/none"], 2, "cannot open the ledger"),
      (["history", "--ledger", ledger, "--scenario", "x", "--figure", "y"], 2, "exclude each other"),
      (["history", "--ledger", ledger, "--figure", "virtual-tim"], 4, "did you mean virtual-time?"),
      (["history", "--ledger", ledger, "--requirement", "DEV-99"], 4, "no run of the ledger says anything"),
      (["run"] + Self.selection + ["--run-id", "b"], 2, "--run-id needs --ledger"),
      (["run"] + Self.selection + ["--ledger", "mysql://x"], 2, "--ledger needs the path of a file or a URL"),
      (
        ["run"] + Self.selection + ["--ledger", ledger, "--run-id", "a", "--seed", "2"], 2,
        "give this run another --run-id"
      ),
    ]
    for (words, status, complaint) in mistakes {
      let outcome = try Tool.run(words)
      #expect(outcome.status == status, "\(words)")
      #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    }
  }

  /// A ledger of a later program is neither read nor changed, whoever asks.
  @Test func aLedgerOfALaterProgramIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    #expect(try Tool.run(["session", "start", "--ledger", ledger]).status == 0)
    try Self.change(ledger, "INSERT INTO ledger_migrations VALUES (99, 'later', 0)")
    let before = try Data(contentsOf: URL(filePath: ledger))
    let plan = try folder.write("plan.yaml", "seed: 1")
    let qualify = ["qualify", Self.selection[1], "--plan", plan, "--firmware", "profile:reference"]
    for words in [
      ["run", Self.selection[1], "--ledger", ledger], ["history", "--ledger", ledger],
      ["session", "end", "--ledger", ledger],
      qualify + ["--ledger", ledger, "--out", folder.url.path + "/out"],
      qualify + ["--merge", ledger, "--out", folder.url.path + "/merged"],
    ] {
      let outcome = try Tool.run(words)
      #expect(outcome.status == 2, "\(words)")
      #expect(outcome.trouble.contains("lab.sqlite has version 99, but this program knows"), "\(outcome.trouble)")
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    }
    #expect(try Data(contentsOf: URL(filePath: ledger)) == before)
    let missing = try Tool.run(qualify + ["--merge", folder.url.path + "/none", "--out", folder.url.path + "/merged"])
    #expect(missing.status == 2)
    #expect(missing.trouble.contains("cannot open the ledger"), "\(missing.trouble)")
    #expect(missing.trouble.hasSuffix("none: No such file or directory\n"), "\(missing.trouble)")
  }

  /// Performs a statement on a file, as another program would.
  private static func change(_ ledger: String, _ statement: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3,sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()", ledger, statement,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// A ledger that cannot be written ends the run: what nobody recorded has not been judged.
  @Test func aLedgerThatCannotBeWrittenIsABenchError() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    _ = try Tool.run(["run", Self.selection[1], "--ledger", ledger])
    // Every further row is refused.
    try Self.change(
      ledger, "CREATE TRIGGER full BEFORE INSERT ON ledger_attempts BEGIN SELECT RAISE(ABORT, 'no space'); END")
    let run = try Tool.run(["run"] + Self.selection + ["--ledger", ledger, "--jobs", "1"])
    #expect(run.status == 3)
    #expect(run.trouble.contains("refused a statement: no space"), "\(run.trouble)")
    #expect(run.output.hasPrefix("BENCH FAILED  1 of 7 scenarios: 1 bench-error"), "\(run.output)")
  }
}

/// Kills a run at instants that nobody chose, starts it again under the same name, and compares what the ledger holds in
/// the end with that of an undisturbed run.
@Suite(.waits) struct LedgerKills {
  private static let kills = ProcessInfo.processInfo.environment["DICTOBENCH_TEST_KILLS"].flatMap(Int.init) ?? 6

  /// What a ledger says, without times.
  private static func content(_ ledger: String) throws -> [String] {
    var lines: [String] = []
    for subject in [[], ["--scenario", "records-count"], ["--requirement", "DEV-5"]] {
      let history = try Tool.run(["history", "--format", "json", "--ledger", ledger] + subject)
      #expect(history.status == 0 || history.status == 4, "\(history.trouble)")
      // Scenarios end in another order each time, so the objects of the lists are compared in an order of their own.
      let objects = history.output.replacing(#/"(started|sequence)":\d+/#, with: "").split(separator: "{")
      lines += objects.map { String($0.prefix { $0 != "}" }) }
    }
    return lines.sorted()
  }

  private static func start(_ ledger: String) throws -> Process {
    try start(["run", "scenarios/records", "scenarios/pairing", "--ledger", ledger, "--run-id", "killed", "-q"])
  }

  private static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = arguments
    process.currentDirectoryURL = Tool.repository
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Two ledgers: files, or schemas of the server that `ci/ledger` started.
  private static func places(_ folder: TemporaryFolder, onServer: Bool) throws -> (calm: String, disturbed: String) {
    guard onServer, let server = ProcessInfo.processInfo.environment["DICTOBENCH_TEST_POSTGRESQL"] else {
      return (folder.url.path + "/calm.sqlite", folder.url.path + "/killed.sqlite")
    }
    let names = ["calm", "killed"].map { "\($0)_\(folder.url.lastPathComponent.suffix(6).lowercased())" }
    for name in names {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/psql")
      process.arguments = ["--quiet", "--command", "CREATE SCHEMA \(name)", server]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let urls = names.map { "\(server)&options=-csearch_path%3D\($0)" }
    return (urls[0], urls[1])
  }

  private static var databases: [Bool] {
    ProcessInfo.processInfo.environment["DICTOBENCH_TEST_POSTGRESQL"] == nil ? [false] : [false, true]
  }

  @Test(arguments: databases) func noVerdictIsLostOrDoubled(onServer: Bool) throws {
    let folder = try TemporaryFolder()
    let (calm, disturbed) = try Self.places(folder, onServer: onServer)
    try Self.start(calm).waitUntilExit()
    try Self.disturb { try Self.start(disturbed) }
    try Self.start(disturbed).waitUntilExit()
    let (left, right) = (try Self.content(disturbed), try Self.content(calm))
    #expect(left == right, "\(Set(left).symmetricDifference(right).sorted())")
  }

  /// A qualification goes on where it was killed, and comes to the same.
  @Test(arguments: databases) func aQualificationGoesOn(onServer: Bool) throws {
    let folder = try TemporaryFolder()
    let (calm, disturbed) = try Self.places(folder, onServer: onServer)
    let plan = try folder.write(
      "plan.yaml", "repeat:\n  - {scenarios: [pairing-unpair], below: 10 %, confidence: 95 %}\n")
    func start(_ ledger: String, _ out: String) throws -> Process {
      try Self.start([
        "qualify", "scenarios/records", "scenarios/pairing", "--plan", plan, "--firmware",
        "profile:reference+recorder:list-reversed", "--ledger", ledger, "--out", folder.url.path + "/" + out,
      ])
    }
    let began = DispatchTime.now().uptimeNanoseconds
    try start(calm, "calm").waitUntilExit()
    // Kills meet every part of a qualification, however fast the machine is.
    var spread = min(4_000_000, max(1_000_000, (DispatchTime.now().uptimeNanoseconds - began) / 1_000))
    let undisturbed = try Data(contentsOf: folder.url.appending(path: "calm/qualification.json"))
    // A ledger grows with each start, so there is a new one as soon as nothing is left to be killed in.
    var (kills, rounds) = (0, 0)
    while kills < Self.kills {
      rounds += 1
      let further = try TemporaryFolder()
      let ledger = rounds == 1 ? disturbed : try Self.places(further, onServer: onServer).disturbed
      while kills < Self.kills {
        let process = try start(ledger, "killed")
        usleep(UInt32(10_000 + UInt64(kills * 7_919 % 1_000) * spread / 1_000))
        guard process.isRunning else {
          // The machine was busier before, and may stay as fast as it is now.
          spread -= spread / 4
          break
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        kills += 1
      }
      try start(ledger, "killed").waitUntilExit()
      let disturbed = try Data(contentsOf: folder.url.appending(path: "killed/qualification.json"))
      #expect(disturbed == undisturbed, "round \(rounds)")
      // What was judged once was not judged again.
      let history = try Tool.run(["history", "--scenario", "records-count", "--ledger", ledger])
      #expect(history.output.matches(of: #/0 of 1, /#).count == 6, "\(history.output)")
      withExtendedLifetime(further) {}
    }
    print("\(kills) kills in \(rounds) qualifications")
  }

  /// A bench session goes on where a killed run was last: its times only grow, and no time counts twice.
  @Test(arguments: databases) func aBenchSessionGoesOn(onServer: Bool) throws {
    let folder = try TemporaryFolder()
    let ledger = try Self.places(folder, onServer: onServer).disturbed
    func session(_ action: String) throws -> [Double] {
      let outcome = try Tool.run(
        ["session", action, "--session", "killed", "--format", "json"], environment: ["DICTOBENCH_LEDGER": ledger])
      #expect(outcome.status == 0, "\(outcome.trouble)")
      return try ["session", "scenario", "recording"].map { name in
        let member = try Regex("\"\(name)Seconds\":([0-9.]+)", as: (Substring, Substring).self)
        return try #require(outcome.output.firstMatch(of: member).flatMap { Double($0.1) })
      }
    }
    let began = Date()
    _ = try session("start")
    var last = [0.0, 0, 0]
    for number in 0..<Self.kills {
      let process = try Self.start([
        "run", "scenarios/recording", "--repeat", "1000", "--ledger", ledger, "--session", "killed", "-q",
      ])
      // Some kills meet the start, others come after a beat, whenever a busy machine comes to that.
      var looks = number % 2 * 300
      while looks > 0, try session("show")[2] <= last[2] {
        usleep(100_000)
        looks -= 1
      }
      usleep(UInt32(50_000 + number * 7_919 % 400 * 1_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let times = try session("show")
      for (earlier, later) in zip(last, times) { #expect(later >= earlier) }
      last = times
    }
    let ended = try session("end")
    #expect(ended[0] >= last[0])
    #expect(ended[0] <= Date().timeIntervalSince(began))
    #expect(ended[1] > 0)
    #expect(ended[1] <= ended[0])
    #expect(ended[2] > 0)
  }

  /// Starts something again and again, and kills it later and later, so that kills meet the start, the scenarios and the
  /// end.
  private static func disturb(_ start: () throws -> Process) throws {
    for number in 0..<kills {
      let process = try start()
      usleep(UInt32(20_000 + number * 2_500_000 / kills))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
}
