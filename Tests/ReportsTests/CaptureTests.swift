import Bytes
import Foundation
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Reports

@Suite struct CaptureFiles {
  private static func temporaryFolder() throws -> URL {
    try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
  }

  private static func records(_ path: String) throws -> [BtsnoopRecord] {
    var reader = try BtsnoopReader(Array(try Data(contentsOf: URL(filePath: path))))
    var records: [BtsnoopRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  @Test func packetsAndRemarksStandInTheirOrder() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "run.btsnoop").path
    let address = BluetoothAddress(0xC001_0203_0405, .random)
    let sink = try CaptureSink(path, note: "seed 1", addresses: [(.recorder(), address)])
    let trace = TraceRecorder()
    trace.add(sink)
    sink.annotate("a.yaml:7 phone: sync\u{1B}[2J", at: .zero)
    trace.record(.hciCommand, from: .phone(), at: Instant(nanoseconds: 5_000), [3, 0x0C, 0])
    trace.record(.hciDataToController, from: .recorder(), at: Instant(nanoseconds: 6_999), [0x40, 0, 0, 0])
    trace.record(.hciEvent, from: .phone(1), at: Instant(nanoseconds: 7_000), [0x0E, 0])
    trace.record(.verdict, from: .runner, at: Instant(nanoseconds: 8_000), "passed")
    #expect(!FileManager.default.fileExists(atPath: path))
    trace.finish()
    try sink.close(keeping: true)
    let records = try Self.records(path)
    let contents = records.map { record in
      switch record.content {
      case .systemNote(let text): "note \(text)"
      case .newIndex(let adapter): "new \(record.adapter) \(adapter.name) \(Hexadecimal.string(adapter.address))"
      case .sent(let packet): "sent \(record.adapter) \(packet.kind)"
      case .received(let packet): "received \(record.adapter) \(packet.kind)"
      default: "?"
      }
    }
    #expect(
      contents == [
        "note seed 1; time 0 of the run is shown as 2024-01-01 00:00:00 UTC",
        "note a.yaml:7 phone: sync\\u{1B}[2J", "new 0 phone0 000000000000", "sent 0 command",
        "new 1 rec0 0504030201c0", "sent 1 acl", "new 2 phone1 000000000000", "received 2 event",
        "note passed",
      ])
    #expect(records[5].unixMicroseconds == VirtualCapture.beginning + 6)
  }

  @Test(arguments: [(false, false), (true, false), (true, true)])
  func capturesAreKeptOnlyWhenWantedAndPrivateWhenFull(isKept: Bool, isPrivate: Bool) throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "run.btsnoop").path
    let sink = try CaptureSink(path, note: "seed 1", isPrivate: isPrivate)
    try sink.close(keeping: isKept)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == (isKept ? ["run.btsnoop"] : []))
    guard isKept else { return }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 == 0 } == isPrivate)
    #expect(try Self.records(path).count == (isPrivate ? 2 : 1))
  }

  @Test func aFolderThatCannotBeMadeIsATypedFailure() throws {
    #expect(throws: ReportFailure.self) { try ReportFolder("/proc/none/such") }
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let taken = try ReportFolder(folder.path + "/taken").takeForOneRun()
    #expect(throws: ReportFailure.self, "two runs do not write into one folder") {
      try ReportFolder(folder.path + "/taken").takeForOneRun()
    }
    withExtendedLifetime(taken) {}
    let reports = try ReportFolder(folder.path + "/a/b")
    try reports.write("empty", [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["empty"])
  }

  @Test func aFileIsNoFolderForReports() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/file"
    try Data().write(to: URL(filePath: path))
    let failure = #expect(throws: ReportFailure.self) { try ReportFolder(path) }
    #expect(failure?.description == "cannot make the folder \(path): a file has this name, expected a folder")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path)
    #expect(throws: Never.self) { try ReportFolder(folder.path + "/link") }
  }

  /// What an earlier run reported would be taken for what a run says that is killed.
  @Test func reportsOfAnEarlierRunAreRemovedAndNobodyElses() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = try ReportFolder(folder.path + "/own")
    try ReportSet([], SampleRun.run, in: SampleRun.place(own)).finish(SampleRun.run)
    let names = ["events.ndjson", "junit.xml", "summary.json"]
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: own.path)).isSuperset(of: names))
    let events = try RecordedEvents.open(in: own.path)
    let logs = try RecordedEvents(in: own.path).scenarios
    own.removeReports()
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: own.path)).isDisjoint(with: names))
    #expect(try RecordedEvents(reading: events).scenarios == logs, "what was opened before can be read")
    let other = try ReportFolder(folder.path + "/other")
    for name in names { try other.write(name, Array("{\"mine\": true}".utf8)) }
    other.removeReports()
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() == names)
  }

  @Test func eventsStandInTheOrderOfTheScenariosWhateverOrderTheyEndIn() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try EventReport(SampleRun.run, in: SampleRun.place(ReportFolder(folder.path)))
    // The second and the last scenario never ran.
    for number in [4, 3, 0, 2] {
      var log = ScenarioEventLog("scenario \(number)")
      log.stepStarted("phone: sync", file: "a.yaml", line: number, at: .zero, wall: 0)
      try file.take(log, number: number)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/events.ndjson"))
    try file.finish(SampleRun.story)
    let lines = try String(contentsOfFile: folder.path + "/events.ndjson", encoding: .utf8).split(separator: "\n")
    #expect(lines.enumerated().allSatisfy { $1.hasPrefix("{\"seq\":\($0),") })
    let order = lines.compactMap { $0.firstMatch(of: /"scenario":"scenario (\d)"/)?.1 }
    #expect(order == ["0", "2", "3", "4"])
    #expect(lines.first?.contains("runStarted") == true)
    #expect(lines.last?.contains("runFinished") == true)
  }

  /// What a killed run left, or somebody planted, is neither followed nor replaced.
  @Test func aFileIsWrittenOnlyWhereAFileMayBe() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/planted-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/a.partial", withDestinationPath: folder + "/victim")
    let file = try ReportFile(folder + "/a")
    try file.write([1])
    try file.commit()
    #expect(!FileManager.default.fileExists(atPath: folder + "/victim"))
    #expect(FileManager.default.contents(atPath: folder + "/a") == Data([1]))
    try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: "/dev/null")
    #expect(throws: ReportFailure.self) { try ReportFile(folder + "/b") }
  }

  /// Files that belong together appear together, or not at all; what was there before stays.
  @Test func filesThatBelongTogetherAreAllWrittenOrNone() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/together-\(UUID().uuidString)"
    let reports = try ReportFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try reports.write("a", [0])
    try FileManager.default.createDirectory(atPath: folder + "/b", withIntermediateDirectories: true)
    #expect(throws: ReportFailure.self) { try reports.write([("a", [1]), ("c", [2]), ("b", [3])]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a", "b"])
    #expect(FileManager.default.contents(atPath: folder + "/a") == Data([0]))
    try FileManager.default.removeItem(atPath: folder + "/b")
    try reports.write([("a", [1]), ("b", [3])])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a", "b"])
    #expect(FileManager.default.contents(atPath: folder + "/a") == Data([1]))
  }

  /// Captures of health are called alike in every shard.
  @Test func capturesOfPartsDoNotOverwriteEachOther() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let out = try ReportFolder(folder.appending(path: "out").path)
    for number in 1...2 {
      let part = try ReportFolder(folder.appending(path: "part\(number)").path)
      var run = RunReport(
        tool: "dictobench 1", seed: 1, profile: nil, target: "hardware", host: "here", startedAt: 0,
        scenarios: [
          ScenarioReport(
            id: "s\(number)", title: "", file: "a.yaml", line: 1, verdict: .passed,
            capture: try part.capturePath("s\(number)"), replay: "")
        ])
      run.bench = BenchRecord(place: "lab", parts: [])
      run.furtherBenches = [BenchRecord(place: "attic", parts: [])]
      run.bench?.health = [HealthReport(.before, .passed, capture: try part.capturePath("health.1.a"))]
      run.furtherBenches[0].health = [HealthReport(.before, .passed, capture: try part.capturePath("health.2.a"))]
      #expect(run.captures.count == 3)
      for capture in run.captures { try part.write(capture, [UInt8(number)]) }
      try out.copyCaptures(of: run, from: part.path, ofPart: number)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: out.path + "/captures").sorted()
    #expect(
      names == [
        "part-1.health.1.a.btsnoop", "part-1.health.2.a.btsnoop", "part-2.health.1.a.btsnoop",
        "part-2.health.2.a.btsnoop", "s1.btsnoop", "s2.btsnoop",
      ])
    for name in names {
      let octets = try Data(contentsOf: URL(filePath: out.path + "/captures/" + name))
      #expect(octets == Data([name.contains("1.health") || name == "s1.btsnoop" ? 1 : 2]))
    }
  }
}
