import Foundation
import TestThreads
import Testing

/// Runs before a simulated bench that end otherwise than planned.
@Suite(.waits) struct BenchTroubles {
  private struct Summary: Decodable {
    struct Scenario: Decodable {
      var verdict: String
      var reason: String?
      var replay: String
      struct Attempt: Decodable { var verdict: String }
      var attempts: [Attempt]
      var recovery: String?
    }
    struct Bench: Decodable {
      struct Part: Decodable {
        var name: String
        var identity: String
      }
      var place: String
      var parts: [Part]
    }
    var bench: Bench
    var interrupted: Bool
    var scenarios: [Scenario]
  }

  /// A bench in a folder, on which setting the clock runs a script.
  private final class Rig {
    let folder: TemporaryFolder
    let bench: String
    let simulator: Process

    init(script body: String) throws {
      folder = try TemporaryFolder()
      let place = folder.url.path
      let script = try folder.write("clock", "#!/bin/sh\n\(body.replacing("$folder", with: place))\n")
      bench = try folder.write(
        "bench.yaml",
        """
        place: test
        tolerance: 5 s
        adapters: ["unix:\(place)/air"]
        recorders:
          - address: C6:05:04:03:02:01
            pico: {RawSerialPort: {port: \(place)/pico}, serial: E661}
            commands: [{for: set-clock, run: [/bin/sh, \(script)]}]
        """)
      simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
      _ = try folder.write("simulator", "\(simulator.processIdentifier)")
    }

    deinit {
      simulator.terminate()
      simulator.waitUntilExit()
    }

    func scenario(_ steps: String) throws -> String {
      try folder.write(
        "scenario.yaml", "scenario: tried by a test\nid: tried\nverifies: [DEV-6]\n\(steps)\n")
    }

    /// What a run of that scenario is started with.
    func words(_ steps: String) throws -> [String] {
      [
        "run", "--target", "hardware", "--bench", bench, "--out", folder.url.path + "/out", "--captures", "all",
        try scenario(steps),
      ]
    }

    func summary() throws -> Summary {
      try JSONDecoder().decode(Summary.self, from: Data(contentsOf: folder.url.appending(path: "out/summary.json")))
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.url.appending(path: name).path) }
  }

  @Test func anInterruptEndsAStepCleansUpAndGivesTheBenchBack() throws {
    // The clock is set when somebody reads the pipe, and again in the end.
    let rig = try Rig(
      script: "test -e $folder/told && touch $folder/cleaned || { touch $folder/told; echo > $folder/pipe; }")
    #expect(mkfifo(rig.folder.url.path + "/pipe", 0o600) == 0)
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = try rig.words(
      """
      steps:
        - phone: connect
        - device: {set-clock: 2030-01-01 00:00:00}
        - wait: 1 h
      always:
        - phone: disconnect
        - device: {set-clock: 2024-01-01 00:00:00}
      """)
    process.currentDirectoryURL = Tool.repository
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    _ = try FileHandle(forReadingFrom: rig.folder.url.appending(path: "pipe")).readToEnd()
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let summary = try rig.summary()
    #expect(summary.interrupted)
    #expect(summary.scenarios.map(\.verdict) == ["bench-error"])
    #expect(summary.scenarios.first?.reason?.hasPrefix("interrupted in `") == true, "\(summary)")
    #expect(rig.has("cleaned"))
    #expect(rig.has("out/junit.xml"))
    #expect(rig.has("out/captures/tried.btsnoop"))
    let again = try Tool.run(try rig.words("steps:\n  - phone: connect\nalways:\n  - phone: disconnect"))
    #expect(again.status == 0, "\(again.output)\(again.trouble)")
  }

  @Test func aControllerThatIsLostIsNamedWithItsReasonAndTheRestIsCleanedUp() throws {
    let rig = try Rig(
      script: "test -e $folder/told && touch $folder/cleaned || { touch $folder/told; kill `cat $folder/simulator`; }")
    let outcome = try Tool.run(
      try rig.words(
        """
        steps:
          - phone: connect
          - device: {set-clock: 2030-01-01 00:00:00}
          - wait: 1 h
        always:
          - phone: disconnect
          - device: {set-clock: 2024-01-01 00:00:00}
        """))
    #expect(outcome.status == 3, "\(outcome.output)")
    let scenario = try #require(try rig.summary().scenarios.first)
    #expect(
      scenario.reason?.hasPrefix("the controller of phone was lost: the other end closed the connection") == true,
      "\(scenario)")
    #expect(scenario.recovery?.contains("it could not be brought back: ") == true, "\(scenario)")
    #expect(rig.has("cleaned"))
    #expect(scenario.replay.contains("--target hardware --bench \(rig.bench) "))
    #expect(outcome.output.contains("dictobench check \(rig.folder.url.path)/out/captures/tried.btsnoop"))
    let replay = try Tool.run(["replay", rig.folder.url.path + "/out"])
    #expect(replay.status == 2)
    #expect(replay.trouble.contains("a run on a bench, which cannot be replayed"))
  }

  @Test func aBenchThatFailsIsBroughtBackOnceAndStillTold() throws {
    let rig = try Rig(script: "test -e $folder/told || { touch $folder/told; exit 1; }")
    let outcome = try Tool.run(
      try rig.words("steps:\n  - phone: connect\n  - device: {set-clock: 2030-01-01 00:00:00}"))
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
    let summary = try rig.summary()
    let scenario = try #require(summary.scenarios.first)
    #expect(scenario.verdict == "passed")
    #expect(scenario.attempts.map(\.verdict) == ["bench-error", "passed"])
    #expect(scenario.recovery?.contains("ended with exit code 1") == true, "\(scenario)")
    #expect(scenario.recovery?.hasSuffix("C6:05:04:03:02:01 was power-cycled") == true, "\(scenario)")
    #expect(summary.bench.place == "test")
    #expect(summary.bench.parts.contains { $0.name == "recorder" && $0.identity == "C6:05:04:03:02:01" })
    #expect(summary.bench.parts.contains { $0.name == "controller's address" })
    #expect(rig.has("out/captures/tried.btsnoop"))
    #expect(rig.has("out/captures/tried.again.btsnoop"))
    let junit = try String(contentsOf: rig.folder.url.appending(path: "out/junit.xml"), encoding: .utf8)
    #expect(junit.contains(#"<property name="bench" value="test"/>"#))
    #expect(junit.contains("<flakyError "))
  }

  @Test func aStepThatFailsIsTheDevicesAndIsCleanedUp() throws {
    let rig = try Rig(script: "touch $folder/cleaned")
    let outcome = try Tool.run(
      try rig.words(
        """
        steps:
          - phone: connect
          - phone: read-battery
            expect: {level: 1 %}
        always:
          - phone: read-battery
            expect: {level: 2 %}
          - device: {set-clock: 2024-01-01 00:00:00}
        """))
    #expect(outcome.status == 1, "\(outcome.output)\(outcome.trouble)")
    #expect(rig.has("cleaned"))
    let scenario = try #require(try rig.summary().scenarios.first)
    #expect(scenario.attempts.map(\.verdict) == ["failed"])
    #expect(scenario.recovery == nil)
  }
}
