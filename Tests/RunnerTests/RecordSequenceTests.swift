import Bench
import ScenarioLanguage
import Testing
import YAML

@testable import Runner

/// Which records a bench is predicted to make only once.
@Suite struct RecordSequences {
  private static func saved(_ bodies: [String]) throws -> [Int64] {
    let text =
      "place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n"
      + "    console: {RawSerialPort: /dev/a}\n    supply: {RawSerialPort: /dev/b, identity: A}\n    pico: {RawSerialPort: /dev/c}\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    let target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    var sequence = RecordSequence()
    return try bodies.map { body in
      let scenario = try Playing.scenarios(body)[0]
      let outlook = BenchOutlook(scenario, on: target)
      #expect(outlook.missingCapability == nil)
      let watcher = outlook.recordWatcher
      let run = ScenarioRun(scenario, RunSettings(), sounds: Silence(), firmware: NoFirmware())
      let report = run.run(observer: watcher)
      #expect(report.verdict == .passed, "\(report.verdict)")
      return sequence.saving(by: outlook.records(seenBy: watcher)).components.seconds
    }
  }

  private static func begin(_ records: Int, clock: String = "2024-01-01 12:00:00", _ steps: String...) -> String {
    "given:\n  device: {records: {count: \(records), seconds: 1 s}}\n  phone: {bonded: true, clock: \"\(clock)\"}\n"
      + "steps:\n  - phone: connect\n" + steps.map { "  - \($0)\n" }.joined()
  }

  @Test func whatNobodyTouchedIsNotMadeAgain() throws {
    let (list, many) = (Self.begin(2, "phone: list"), Self.begin(3, "phone: list"))
    #expect(try Self.saved([list, list, list, many, list]) == [0, 11, 11, 0, 0])
  }

  @Test func whatWasFetchedOrJoinedByAnotherIsMadeAgain() throws {
    let list = Self.begin(2, "phone: list")
    for touching in ["phone: sync", "device: {press: 1 s}"] {
      #expect(try Self.saved([list, Self.begin(2, touching), list]) == [0, 11, 0], "\(touching)")
    }
  }

  @Test func recordsOfTheFutureAreMadeAgain() throws {
    let (now, before) = (Self.begin(1, "phone: list"), Self.begin(1, clock: "2023-01-01 12:00:00", "phone: list"))
    #expect(try Self.saved([now, before, now]) == [0, 0, 9])
  }

  @Test func anErasedFlashIsErasedOnce() throws {
    let stranger = "steps:\n  - phone: connect\n  - phone: pair\n  - phone: list"
    let owner = Self.begin(0, "phone: list")
    #expect(try Self.saved([stranger, owner, owner, stranger]) == [0, 6, 6, 0])
  }
}
