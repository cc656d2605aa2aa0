import Foundation
import TestThreads
import Testing

/// Captures that are streamed to standard output.
@Suite(.waits) struct LiveCaptures {
  /// How a stream begins, and its link type: libpcap's savefile, of a Linux Bluetooth monitor.
  private static let beginning: [UInt8] =
    [0xA1, 0xB2, 0xC3, 0xD4, 0, 2, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    + [0, 0, 0, 254]
  /// A shell that gives the tool a reader, and ends as the tool ends.
  private static func shell(readBy reader: String) -> [String] {
    ["/bin/bash", "-c", #""$@" | \#(reader); exit ${PIPESTATUS[0]}"#, "shell"]
  }

  @Test func whatACommandSaysGoesBesideThem() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let file = folder.url.appending(path: "battery.pcap").path
    let outcome = try Tool.run(
      ["battery", "--controller", simulation.controller, "--state", folder.url.path, "--capture", "-"],
      within: Self.shell(readBy: "cat > \(file)"))
    #expect(outcome.status == 0)
    #expect(outcome.trouble == "96 %\n")
    #expect(outcome.output.isEmpty)
    #expect(try Array(Data(contentsOf: URL(filePath: file))).starts(with: Self.beginning))
  }

  @Test func aReaderThatLeavesTakesNothingWithIt() throws {
    let folder = try TemporaryFolder()
    let records = folder.url.appending(path: "placed")
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    let record = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    try Data(record).write(to: records.appending(path: "0000240112101112.record"))
    let simulation = try Simulation(records: records.path)
    let out = folder.url.appending(path: "out")
    let outcome = try Tool.run(
      [
        "pull", "--controller", simulation.controller, "--state", folder.url.appending(path: "state").path,
        "--out", out.path, "--capture", "-",
      ], within: Self.shell(readBy: "head -c 100 > /dev/null"))
    #expect(outcome.status == 0)
    let pieces = outcome.trouble.components(separatedBy: "the capture reader closed the pipe")
    #expect(pieces.count == 2, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("1 listed, 1 fetched, 5000 octets"))
    #expect(try Array(Data(contentsOf: out.appending(path: "0000240112101112.record"))) == record)
  }

  @Test func packetsOfASimulationComeWhileItServes() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = Tool.executable
    let socket = folder.url.appending(path: "air").path
    process.arguments = ["simulate", "--listen", "unix-server:\(socket)", "--capture", "-"]
    let (output, trouble) = (Pipe(), Pipe())
    process.standardInput = Pipe()
    process.standardOutput = output
    process.standardError = trouble
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var said = ""
    while !said.contains("ready\n") {
      let more = trouble.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
    }
    #expect(said.contains("recorder "))
    #expect(said.hasSuffix("ready\n"))
    var heard = Array(output.fileHandleForReading.availableData)
    // The recorder's first command resets its controller.
    let reset: [UInt8] = [0x03, 0x0C, 0x00]
    while heard.firstRange(of: reset) == nil {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      heard += more
    }
    #expect(heard.starts(with: Self.beginning))
    #expect(process.isRunning)
  }

  @Test func standardOutputIsNotSharedWithADocument() throws {
    let outcome = try Tool.run(["battery", "--controller", "usb:0", "--capture", "-", "--format", "json"])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.trouble.hasPrefix("dictobench: --capture - and --format json both need standard output"))
  }

  @Test func aCaptureWithNothingCoveredWarnsAndIsPrivate() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let outcome = try Tool.run([
      "battery", "--controller", simulation.controller, "--state", folder.url.appending(path: "state").path,
      "--capture", folder.url.appending(path: "full.btsnoop").path, "--capture-content", "full",
    ])
    #expect(outcome.status == 0)
    #expect(outcome.trouble == "WARNING: the capture contains keys and recordings\n")
    #expect(try folder.files.first { $0.name == "full.btsnoop" }?.mode == 0o600)
  }
}
