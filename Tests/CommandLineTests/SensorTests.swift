import Foundation
import TestThreads
import Testing

/// What the sensors of a bench tell of recorders that are in order, and of faulty ones: a simulator in one process, the bench
/// in another.
@Suite(.waits) struct Sensors {
  /// A bench whose second adapter listens.
  private static func benchFile(_ folder: URL, scanner: Bool = true) throws -> String {
    let text = """
      place: sensors
      tolerance: 100 ms
      adapters: ["unix:\(folder.path)/air"\(scanner ? ", \"unix:\(folder.path)/ear\"" : "")]
      recorders:
        - address: C6:05:04:03:02:01
          console: {RawSerialPort: {port: \(folder.path)/console}}
          pico: {RawSerialPort: {port: \(folder.path)/pico}, serial: E661}
          commands: [{for: install-firmware, run: [/bin/true]}]
          firmware: [{version: 1, banner: " simulated "}, {version: 0, banner: 134f425d}]
      """
    let file = folder.appending(path: scanner ? "bench.yaml" : "deaf.yaml")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test(
    arguments: [
      (nil, "discovery-after-release?hold=200 ms?", Int32(0), "seen by"),
      ("wakes-late", "discovery-after-release?hold=200 ms?", 1, "advertising: did not happen by"),
      ("never-sleeps", "power-no-record", 1, "device.power: did not happen by"),
      ("bootloader-accepts-downgrade", "update-refused-phone-tells", 1, "refused-version"),
      (nil, "update-refused-phone-tells", 0, "the console"),
      ("time-off-by-six-seconds", "clock-set-at-meeting?clock=2031*", 1, "clock-error: expected at most 1 s"),
    ] as [(String?, String, Int32, String)])
  func aFaultThatOnlySensorsSeeIsTheRecorders(
    _ fault: String?, _ scenario: String, _ status: Int32, _ words: String
  ) throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let options = ["simulate", "--bench", bench, "--power", "real", "--pairing", "real"]
    let simulator = try Tool.start(options + (fault.map { ["--fault", $0] } ?? []), until: "ready")
    defer { simulator.terminate() }
    let out = folder.url.appending(path: "out").path
    let outcome = try Tool.run(
      ["run", "--target", "hardware", "--bench", bench, "--out", out, "--name", scenario, "scenarios"])
    #expect(outcome.status == status, "\(outcome.output)\(outcome.trouble)")
    let summary = try String(contentsOfFile: out + "/summary.json", encoding: .utf8)
    #expect((outcome.output + summary.replacing("\"seenBy\"", with: "seen by")).contains(words), "\(outcome.output)")
  }

  @Test func aScannerThatIsNotThereIsTheBenchs() throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let simulator = try Tool.start(
      ["simulate", "--bench", try Self.benchFile(folder.url, scanner: false)], until: "ready")
    defer { simulator.terminate() }
    let outcome = try Tool.run(
      ["run", "--target", "hardware", "--bench", bench, "--name", "discovery-boot-time", "scenarios"])
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
  }

  @Test func aBudgetChoosesWhatFits() throws {
    let folder = try TemporaryFolder()
    let bench = try Self.benchFile(folder.url)
    let outcome = try Tool.run(
      ["run", "--target", "hardware", "--bench", bench, "--budget", "1s", "scenarios/discovery"])
    #expect(outcome.trouble.contains("scenarios fit into the budget"), "\(outcome.trouble)")
    let simulated = try Tool.run(["run", "--budget", "1s", "scenarios/discovery"])
    #expect(simulated.status == 2)
    #expect(simulated.trouble.contains("--budget needs --target hardware"), "\(simulated.trouble)")
  }
}
