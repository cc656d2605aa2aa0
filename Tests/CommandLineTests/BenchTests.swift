import Foundation
import TestThreads
import Testing

/// A bench that is simulated in one process and driven by another, over pseudo-terminals and sockets.
@Suite(.waits) struct Benches {
  /// A bench file whose lines lie in a folder.
  static func benchFile(_ folder: URL) throws -> String {
    let text = """
      place: test
      tolerance: 5 s
      adapters: ["unix:\(folder.path)/air"]
      recorders:
        - address: C6:05:04:03:02:01
          console: {RawSerialPort: {port: \(folder.path)/console}, image: f934e997}
          pico: {RawSerialPort: {port: \(folder.path)/pico}, serial: E661}
      """
    let file = folder.appending(path: "bench.yaml")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test func aScenarioRunsBeforeASimulatedBench() throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    let scenario = folder.url.appending(path: "scenario.yaml")
    try Data(
      """
      scenario: a record made on a bench is fetched, and no other
      id: bench-fetch
      verifies: [DEV-6]
      given:
        phone: {bonded: true}
      steps:
        - device: {press: 300 ms}
        - phone: sync
          expect: {downloaded: 1}
      """.utf8
    ).write(to: scenario)
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run([
      "run", "--target", "hardware", "--bench", bench, "--out", out, scenario.path,
    ])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(FileManager.default.fileExists(atPath: out + "/junit.xml"))
  }

  /// The recorder runs the firmware that was measured, another one, or nobody measured it.
  @Test(arguments: [
    ("f934e997", "is 12000 ms ± 30 ms instead of 14648.4375 ms (-18.1 %), on which depends: bench-silence", "current"),
    ("037be77e", "is out of date: it was measured with", "stale"),
    (nil, "no measured profile: cannot read", "missing"),
  ]) func aRunTellsHowFarTheMeasuredRecorderIsFromItsTwin(
    _ build: String?, _ sentence: String, _ standing: String
  ) throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    try Data((String(contentsOfFile: bench, encoding: .utf8) + "\n    profile: measured.yaml\n").utf8).write(
      to: URL(filePath: bench))
    if let build {
      _ = try folder.write(
        "measured.yaml",
        """
        profile: measured
        twin: reference
        recorder: C6:05:04:03:02:01
        firmware: "Dictofun FW. \(build) 2024-01-01. branch: simulated. Built at: simulated"
        measured:
          keep-alive: {value: 12000 ms, spread: 30 ms, samples: 1, how: once}
        """)
    }
    let scenario = try folder.write(
      "scenario.yaml",
      """
      scenario: a link without traffic lasts for 13 s
      id: bench-silence
      verifies: [DEV-6]
      given:
        device: {timeouts: field}
        phone: {bonded: true}
      steps:
        - device: {press: 300 ms}
        - phone: connect
        - never: {link: down}
          for: 13 s
      """)
    let listed = try Tool.run(["list", "--bench", bench, scenario])
    let simulator = try Tool.start(["simulate", "--bench", bench, "--power", "real"], until: "ready")
    defer { simulator.terminate() }
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run(["run", "--target", "hardware", "--bench", bench, "--out", out, scenario])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.trouble.contains(sentence), "\(outcome.trouble)")
    #expect(listed.trouble.contains("12000 ms") == (build != nil), "\(listed.trouble)")
    let summary = try String(contentsOfFile: out + "/summary.json", encoding: .utf8)
    #expect(summary.contains("\"standing\": \"\(standing)\""), "\(summary.prefix(3_000))")
  }

  @Test(arguments: [(true, Int32(0)), (false, 3)])
  func theHealthScenarioOfABenchComesBeforeAndAfterEverythingElse(_ isWell: Bool, _ status: Int32) throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let health = folder.url.appending(path: "health.yaml").path
    try Data((String(contentsOfFile: bench, encoding: .utf8) + "\nhealth: \(health)\n").utf8).write(
      to: URL(filePath: bench))
    try Data(
      """
      scenario: the bench is in order
      id: bench-health
      verifies: [DEV-7]
      steps:
        - phone: connect
        - phone: disconnect
        - phone: {\(isWell ? "scan: 1 s" : "connect: somebody")}
      """.replacing("{connect: somebody}", with: "list").utf8
    ).write(to: URL(filePath: health))
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run([
      "run", "--target", "hardware", "--bench", bench, "--out", out, "--name", "discovery-nothing-in-sight",
      "scenarios",
    ])
    #expect(outcome.status == status, "\(outcome.output)\(outcome.trouble)")
    let summary = try String(contentsOfFile: out + "/summary.json", encoding: .utf8)
    #expect(summary.contains(#""occasion": "before""#), "\(summary)")
    #expect(summary.contains(#""occasion": "after""#) == isWell, "\(summary)")
    #expect(outcome.trouble.contains("the health scenario bench-health ended failed") == !isWell, "\(outcome.trouble)")
  }

  /// Runs a file on a bench whose instruments are not there, which ends with 3; what it said, and where its reports are.
  private static func runWithoutInstruments(
    _ file: String, in folder: TemporaryFolder
  ) throws -> (outcome: Tool.Outcome, out: String) {
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run([
      "run", "--target", "hardware", "--bench", try benchFile(folder.url), "--out", out, file,
    ])
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
    return (outcome, out)
  }

  @Test func aBenchThatIsNotThereIsABenchErrorWithReports() throws {
    let folder = try TemporaryFolder()
    let (outcome, out) = try Self.runWithoutInstruments("scenarios/protocol/too-long.yaml", in: folder)
    #expect(outcome.output.contains("/pico does not exist: plug it in"), "\(outcome.output)")
    #expect(FileManager.default.fileExists(atPath: out + "/summary.json"))
  }

  @Test func aBenchThatIsNotThereIsToldWhereNothingCouldRunOnIt() throws {
    let folder = try TemporaryFolder()
    let (outcome, out) = try Self.runWithoutInstruments("scenarios/battery/recovers.yaml", in: folder)
    #expect(outcome.output.components(separatedBy: "pico does not exist: plug it in").count == 2, "\(outcome.output)")
    let summary = try String(contentsOfFile: out + "/summary.json", encoding: .utf8)
    #expect(summary.components(separatedBy: "pico does not exist: plug it in").count == 2, "\(summary)")
    let junit = try String(contentsOfFile: out + "/junit.xml", encoding: .utf8)
    #expect(junit.components(separatedBy: "pico does not exist: plug it in").count == 2, "\(junit)")
  }

  @Test func theListForetellsWhatABenchCanRun() throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let outcome = try Tool.run(["list", "--bench", bench, "--format", "json", "scenarios/battery/recovers.yaml"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\"blockedBy\":\"actuators: battery\""), "\(outcome.output)")
    let human = try Tool.run(["list", "--bench", bench, "scenarios/protocol/second-request.yaml"])
    #expect(human.output.hasPrefix("runnable, "), "\(human.output)")
    #expect(human.trouble.contains(/2 runnable, (\d+\.\d s|\d+ min \d\d s), 0 prompts/), "\(human.trouble)")
  }

  @Test func fragmentsAreFoundBesideScenariosThatLieElsewhere() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    for name in ["fragments", "mine"] {
      try manager.createDirectory(at: folder.url.appending(path: name), withIntermediateDirectories: true)
    }
    _ = try folder.write(
      "fragments/greet.yaml", "fragment: greet\ndescription: Connects.\nsteps:\n  - phone: connect\n")
    let scenario = try folder.write(
      "mine/one.yaml", "scenario: a scenario elsewhere\nid: elsewhere\nverifies: [DEV-6]\nsteps:\n  - use: greet\n")
    for operand in [scenario, folder.url.appending(path: "mine").path, folder.url.path] {
      let outcome = try Tool.run(["run", operand])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    }
    // One of the repository by its full path.
    let full = Tool.repository.appending(path: "scenarios/discovery/after-boot.yaml").path
    #expect(try Tool.run(["list", full]).status == 0)
  }

  @Test(arguments: ["bench/example.yaml", "bench/simulated.yaml"]) func theExamplesAreRead(_ path: String) throws {
    #expect(try Tool.run(["list", "--bench", path, "scenarios/battery/levels.yaml"]).status == 0)
  }

  @Test func aMistakeInAFileOfLabgridIsShownWithItsLine() throws {
    let folder = try TemporaryFolder()
    let line = "  console: {cls: RawSerialPort, port: /dev/ttyS0, speed: fast}"
    _ = try folder.write("lab.yaml", "shelf:\n\(line)\n")
    let bench = try folder.write(
      "bench.yaml",
      "place: a\nlabgrid: lab.yaml\nadapters: [\"usb:0\"]\nrecorders:\n"
        + "  - {address: C6:05:04:03:02:01, console: {resource: console}}\n")
    let outcome = try Tool.run(["list", "--bench", bench])
    #expect(outcome.trouble.contains("lab.yaml:2:"), "\(outcome.trouble)")
    #expect(outcome.trouble.contains(line), "\(outcome.trouble)")
  }

  @Test func aProbeBlamesTheInstrumentThatFailsAndNotTheController() throws {
    let folder = try TemporaryFolder()
    let simulator = try Tool.start(["simulate", "--listen", "unix-server:\(folder.url.path)/air"], until: "ready")
    defer { simulator.terminate() }
    let outcome = try Tool.run(
      ["probe", "--bench", try Self.benchFile(folder.url), "--out", folder.url.path + "/measured.yaml"],
      environment: ["DICTOBENCH_BENCH": folder.url.path + "/bench.yaml"])
    #expect(outcome.status == 3)
    #expect(outcome.trouble.contains("does not exist: plug it in"), "\(outcome.trouble)")
    #expect(!outcome.trouble.contains("controller failed"), "\(outcome.trouble)")
  }

  @Test func aWrongBenchFileEndsWithTwoAndThePlace() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "bench.yaml")
    try Data("place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - {adress: C6:05:04:03:02:01}\n".utf8).write(to: file)
    let outcome = try Tool.run(["list", "--bench", file.path])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("bench.yaml:4:6: error:"))
    #expect(outcome.trouble.contains("did you mean `address`?"))
  }
}
