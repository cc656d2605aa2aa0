import Foundation
import TestThreads
import Testing

/// Controllers that are unplugged and plugged in again while they are used. `DICTOBENCH_UNPLUGGINGS` says how many times;
/// twice unless stated.
@Suite(.waits) struct HotPlugs {
  private static var count: Int { Int(ProcessInfo.processInfo.environment["DICTOBENCH_UNPLUGGINGS"] ?? "") ?? 2 }

  /// Two controllers on one air with a recorder, one of which can be unplugged: a process that serves it is killed.
  private final class Rig {
    let folder: TemporaryFolder
    private let air: Process
    private var plug: Process?
    private var chance: UInt64 = 7

    init() throws {
      folder = try TemporaryFolder()
      let place = folder.url.path
      air = try Tool.start(
        [
          "simulate", "--listen", "unix-server:\(place)/one", "--listen", "unix-server:\(place)/two", "--address",
          "C6:05:04:03:02:01",
        ], until: "ready")
      try plugIn()
    }

    func plugIn() throws {
      let place = folder.url.path
      plug = try Tool.start(
        ["serve-controller", "unix:\(place)/one", "--listen", "unix-server:\(place)/plug"], until: "ready")
    }

    func unplug() {
      guard let plug else { return }
      kill(plug.processIdentifier, SIGKILL)
      plug.waitUntilExit()
      self.plug = nil
    }

    /// Waits up to two seconds, each time as long as it happens to come.
    func waitForAWhile() {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      usleep(UInt32(chance >> 33) % 2_000_000)
    }

    deinit {
      unplug()
      air.terminate()
      air.waitUntilExit()
    }
  }

  @Test func aSimulatedRecorderIsBackWhenItsControllerIs() throws {
    let rig = try Rig()
    let place = rig.folder.url.path
    let recorder = try Tool.start(
      [
        "simulate", "--controller", "unix:\(place)/plug", "--address", "C6:05:04:03:02:09", "--state", place + "/state",
      ],
      until: "ready")
    defer {
      recorder.terminate()
      recorder.waitUntilExit()
    }
    for _ in 0..<Self.count {
      rig.waitForAWhile()
      rig.unplug()
      rig.waitForAWhile()
      try rig.plugIn()
      let seen = try Tool.run(["scan", "--controller", "unix:\(place)/two", "--for", "4s"])
      #expect(seen.output.contains("C6:05:04:03:02:09"), "\(seen.output)\(seen.trouble)")
      #expect(recorder.isRunning)
    }
  }

  @Test func aRunGoesOnWhenItsControllerIsBack() throws {
    let rig = try Rig()
    let place = rig.folder.url.path
    let bench = try rig.folder.write(
      "bench.yaml",
      "place: a\ntolerance: 2 s\nreplug-within: 20 s\nadapters: [\"unix:\(place)/plug\"]\n"
        + "recorders: [{address: \"C6:05:04:03:02:01\"}]\n")
    let scenario = try rig.folder.write(
      "s.yaml",
      "scenario: a phone connects\nid: s\nverifies: [DEV-6]\nsteps:\n  - phone: connect\n  - wait: 2 s\n"
        + "  - phone: disconnect\n")
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = [
      "run", "--target", "hardware", "--bench", bench, "--out", place + "/out", "--repeat", "\(3 * Self.count)",
      "--retries",
      "1", scenario,
    ]
    process.currentDirectoryURL = Tool.repository
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": place]
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.standardError = FileHandle.nullDevice
    try process.run()
    var unpluggings = 0
    while process.isRunning, unpluggings < Self.count {
      usleep(3_000_000)
      rig.waitForAWhile()
      rig.unplug()
      rig.waitForAWhile()
      try rig.plugIn()
      unpluggings += 1
    }
    process.waitUntilExit()
    struct Summary: Decodable {
      struct Scenario: Decodable {
        var verdict: String
        var reason: String?
        var recovery: String?
      }
      var totals: [String: Int]
      var scenarios: [Scenario]
    }
    let summary = try JSONDecoder().decode(
      Summary.self, from: Data(contentsOf: URL(filePath: place + "/out/summary.json")))
    // What was cut off is the bench's failure and never the recorder's, is tried again, and the rest passes.
    #expect(summary.scenarios.allSatisfy { ["passed", "flaky", "bench-error"].contains($0.verdict) }, "\(summary)")
    #expect(summary.scenarios.allSatisfy { $0.reason?.contains("blocked") != true }, "\(summary)")
    #expect(summary.scenarios.last?.verdict == "passed", "\(summary)")
    #expect(summary.scenarios.contains { $0.recovery?.contains("was opened again") == true }, "\(summary)")
    #expect(process.terminationStatus == 3)
  }
}
