import Bytes
import DictofunProtocol
import Foundation
import HCI
import SecureDFU
import TestThreads
import Testing

@testable import dictobench

/// tshark with the dissector that the tool makes.
private struct Reader {
  static let tshark = "/usr/bin/tshark"
  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tshark) }

  private let folder: TemporaryFolder

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    #expect(try Tool.run(["dissector", "--out", folder.url.appending(path: "dictofun.lua").path]).status == 0)
  }

  /// What tshark says about a capture; nothing may go wrong in the dissector.
  func read(_ capture: String, _ more: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: Self.tshark)
    process.arguments = ["-X", "lua_script:" + folder.url.appending(path: "dictofun.lua").path, "-r", capture] + more
    let said = folder.url.appending(path: "said")
    try Data().write(to: said)
    process.standardOutput = try FileHandle(forWritingTo: said)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: said), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text.prefix(2_000))")
    #expect(!text.contains("Lua"), "\(text.prefix(2_000))")
    #expect(!text.contains("lua:"), "\(text.prefix(2_000))")
    return text
  }
}

/// Values that a recorder notifies over a connection that began before the capture.
private enum Notifications {
  static func capture(_ values: [(handle: UInt16, value: [UInt8])], at url: URL) throws {
    let writer = BtsnoopWriter()
    var octets = writer.header
    let adapter = BtsnoopAdapter(address: [0, 0, 0, 0, 0, 0], name: "phone")
    writer.append(.newIndex(adapter), adapter: 0, unixMicroseconds: 0, to: &octets)
    for (index, notification) in values.enumerated() {
      var attribute = ByteWriter()
      attribute.write(UInt8(0x1B))
      attribute.write(notification.handle)
      attribute.write(notification.value)
      var data = ByteWriter()
      for number in [0x2040, UInt16(attribute.bytes.count + 4), UInt16(attribute.bytes.count), 4] { data.write(number) }
      data.write(attribute.bytes)
      writer.append(
        .received(HCIPacket(.acl, data.bytes)), adapter: 0, unixMicroseconds: Int64(index) * 1_000, to: &octets)
    }
    try Data(octets).write(to: url)
  }
}

@Suite(.waits) struct DissectorTexts {
  @Test func everyCharacteristicAndItsHandleStandInIt() throws {
    let text = try Tool.run(["dissector"]).output
    for characteristic in LuaDissector.characteristics {
      let name = characteristic.name
      #expect(text.contains("name = \"\(name)\", uuid = \"\(characteristic.uuid.description.lowercased())\""))
      if let handle = LuaDissector.handle(of: characteristic) {
        #expect(text.contains("handle = 0x\(Hexadecimal.digits(handle)),"))
      }
    }
    for opcode in ControlPointRequest.Opcode.allCases {
      #expect(text.contains("[0x\(Hexadecimal.digits(opcode.rawValue))]"))
    }
  }

  @Test func aPlaceThatCannotBeWrittenIsAMistake() throws {
    let outcome = try Tool.run(["dissector", "--out", "/nowhere/dictofun.lua"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.hasPrefix("dictobench: cannot create /nowhere/dictofun.lua"))
  }
}

@Suite(.waits, .enabled(if: Reader.isAvailable, "tshark is not installed; `ci/packages --tests` does that"))
struct Dissectors {
  private static let identifier = RecordIdentifier(repeating: UInt8(ascii: "7"))

  @Test func understandASessionFromItsDiscovery() throws {
    let folder = try TemporaryFolder()
    let records = folder.url.appending(path: "placed")
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 640).write(to: records.appending(path: "0000240112101112.record"))
    let simulation = try Simulation(records: records.path)
    let capture = folder.url.appending(path: "pull.btsnoop").path
    let pull = try Tool.run([
      "pull", "--controller", simulation.controller, "--state", folder.url.appending(path: "state").path, "--out",
      folder.url.appending(path: "out").path, "--capture", capture,
    ])
    #expect(pull.status == 0, "\(pull.trouble)")
    let text = try Reader(in: folder).read(capture, "-Y", "dictofun || btatt.battery_level", "-V")
    for line in [
      "Dictofun control point: list files", "number of files: 1", "identifier: 0000240112101112",
      "Dictofun control point: file information", "size: 640", "Dictofun file data: 200 octets",
      "Dictofun control point: file system status", "free: 16764288 octets", "Battery Level: 96%",
    ] { #expect(text.contains(line), "\(line)") }
    #expect(!text.contains("Expert Info"))
    let column = try Reader(in: folder).read(capture)
    for fact in [
      "Dictofun files list: number of files 1, 1 identifier present | ", "Dictofun control point: list files | ",
      "Dictofun file data: 200 octets | ", "time 0 of the run is shown as 2024-01-01 00:00:00 UTC",
    ] { #expect(column.contains(fact), "\(fact)") }
    #expect(!column.contains("User Logging"))
  }

  @Test func understandAStreamAsTheyDoAFile() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let file = folder.url.appending(path: "battery.pcap").path
    let outcome = try Tool.run(
      [
        "battery", "--controller", simulation.controller, "--state", folder.url.appending(path: "state").path,
        "--capture", "-",
      ], within: ["/bin/bash", "-c", #""$@" | cat > \#(file); exit ${PIPESTATUS[0]}"#, "shell"])
    #expect(outcome.status == 0)
    let text = try Reader(in: folder).read(file, "-Y", "btatt.battery_level", "-V")
    #expect(text.contains("Encapsulation type: Bluetooth Linux Monitor"))
    #expect(text.contains("Battery Level: 96%"))
  }

  @Test func knowHandlesWhenTold() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "late.btsnoop")
    let status = FileSystemStatus(freeBytes: 1, occupiedBytes: 70_000, fileCount: 3)
    try Notifications.capture(
      [
        (DictofunHandle.fileSystemStatus, status.encoded),
        (DictofunHandle.generalStatus, GeneralStatus.fileNotFound(Self.identifier).encoded),
        (DictofunHandle.fileInformation, FileInformation(size: 4_000_000_000, sampleRate: 16_000).encoded),
        (DictofunHandle.batteryLevel, [84]), (0x0050, ControlPointRequest.fileData(Self.identifier).encoded),
      ], at: file)
    let reader = try Reader(in: folder)
    #expect(try reader.read(file.path, "-Y", "dictofun").split(separator: "\n").allSatisfy { !$0.contains("ATT") })
    let text = try reader.read(
      file.path, "-Y", "dictofun", "-V", "-o", "dictofun.by_handle:TRUE", "-o", "dictofun.control_point:80")
    for line in [
      "free: 1 octets", "occupied: 70000 octets", "files: 3", "status: file not found (0x02)",
      "identifier: 7777777777777777", "size: 4000000000", "sample rate: 16000", "level: 84 %",
      "request: file data (0x03)",
    ] { #expect(text.contains(line), "\(line)") }
    let fields = try reader.read(
      file.path, "-o", "dictofun.by_handle:TRUE", "-Y", "dictofun.fs_status.occupied > 65535", "-T", "fields", "-e",
      "dictofun.fs_status.files")
    #expect(fields.split(separator: "\n").last == "3")
  }

  @Test func survivePayloadsThatAreWrongInEveryWay() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "hostile.btsnoop")
    let identifiers = [Self.identifier, Self.identifier]
    let honest: [[UInt8]] = [
      ControlPointRequest.fileData(Self.identifier).encoded, FilesList.firstPart(count: 2, identifiers: identifiers),
      FilesList.continuation(identifiers), FileInformation(size: 1, sampleRate: 2, codec: 3).encoded,
      FileSystemStatus(freeBytes: 1, occupiedBytes: 2, fileCount: 3).encoded,
      GeneralStatus.fileNotFound(Self.identifier).encoded, [PairingControl.unpair], [84],
      CurrentTime(.latest).encoded, [DFUOpCode.response, DFUOpCode.selectObject.rawValue, 1] + Array(0..<12),
      [DFUOpCode.response, DFUOpCode.executeObject.rawValue, 0x0B, 0x05],
    ]
    var hostile: [[UInt8]] = [[], [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0xFF, count: 244)]
    for text in ["{\"s\":99999999999}", "{\"s\":4294967296,\"s\":", "%d%s\0\"s\":1", "{{{{"] {
      hostile.append([UInt8(text.utf8.count), 0] + Array(text.utf8))
    }
    for value in honest {
      hostile += [value + [0], value + value]
      for place in value.indices {
        var changed = value
        changed[place] = ~value[place]
        hostile += [Array(value.prefix(place)), changed]
      }
    }
    // Every characteristic gets them all; those that the firmware does not hold stand at handles of the test.
    let places = LuaDissector.characteristics.enumerated().map { index, characteristic in
      LuaDissector.handle(of: characteristic) ?? UInt16(0x0100 + index)
    }
    try Notifications.capture(places.flatMap { place in hostile.map { (place, $0) } }, at: file)
    let decoded = LuaDissector.characteristics.enumerated().filter { LuaDissector.handle(of: $0.element) == nil }.map {
      index, other in
      "btatt.handle==\(places[index]),dictofun." + LuaDissector.key(of: other)
    }
    let text = try Reader(in: folder).read(
      file.path, "-V", "-o", "dictofun.by_handle:TRUE", "-d", decoded[0], "-d", decoded[1], "-d", decoded[2])
    #expect(decoded.count == 3)
    #expect(!text.contains("Malformed Packet"))
    for words in [
      "identifier needs 16 octets", "1 octets are left over", "a value that the firmware does not know",
      "length is 65535 instead of", "month is 243, more than 12",
    ] { #expect(text.contains(words), "\(words)") }
    for characteristic in LuaDissector.characteristics {
      let name = characteristic.name
      #expect(text.components(separatedBy: "Dictofun \(name): ").count > hostile.count, "\(name)")
    }
  }
}
