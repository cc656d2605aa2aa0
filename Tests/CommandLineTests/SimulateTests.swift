import Foundation
import Recorder
import TestThreads
import Testing

@Suite(.waits) struct Simulations {
  @Test func aControllerThatCannotBeReachedEndsWithThreeAndOneSentence() throws {
    let outcome = try Tool.run(["simulate", "--controller", "unix:/nowhere/controller"])
    #expect(outcome.status == 3)
    #expect(outcome.output.isEmpty)
    #expect(outcome.trouble.hasPrefix("dictobench: unix:/nowhere/controller: "), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
  }

  /// Standard input that never ends: octets without an end of line, and orders that are none.
  static let endless: [(command: [String], words: String)] = [
    (["/usr/bin/cat", "/dev/zero"], "sent more than 4096 octets without an end of line; it is no longer read"),
    (["/usr/bin/yes"], "the last 100 orders were refused; standard input is no longer read"),
  ]

  @Test(arguments: endless.indices) func inputThatNeverEndsIsRefused(_ index: Int) throws {
    let (command, words) = Self.endless[index]
    let folder = try TemporaryFolder()
    let (writer, process) = (Process(), Process())
    let (typed, trouble) = (Pipe(), Pipe())
    process.executableURL = Tool.executable
    process.arguments = ["simulate", "--listen", "unix-server:\(folder.url.appending(path: "air").path)"]
    (process.standardInput, process.standardOutput, process.standardError) = (typed, FileHandle.nullDevice, trouble)
    try process.run()
    writer.executableURL = URL(filePath: command[0])
    writer.arguments = Array(command.dropFirst())
    (writer.standardOutput, writer.standardError) = (typed, FileHandle.nullDevice)
    try writer.run()
    var said = ""
    while !said.contains(words) {
      let more = trouble.fileHandleForReading.availableData
      try #require(!more.isEmpty, "\(said)")
      said += String(decoding: more, as: UTF8.self)
    }
    // Nothing more is read: the process has nothing to do any more.
    let before = try Self.processorTicks(of: process)
    Thread.sleep(forTimeInterval: 1)
    #expect(try Self.processorTicks(of: process) - before < 20)
    writer.terminate()
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }

  /// What a process has used of the processors, in hundredths of a second (proc(5), fields 14 and 15 of stat).
  private static func processorTicks(of process: Process) throws -> Int {
    let text = try String(contentsOf: URL(filePath: "/proc/\(process.processIdentifier)/stat"), encoding: .utf8)
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
  }

  @Test func aDamagedStateIsRefusedAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "recorder-0")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    _ = try folder.write("recorder-0/recorder.memory", "nothing of ours")
    let outcome = try Tool.run(["simulate", "--listen", "tcp-server:127.0.0.1:0", "--state", folder.url.path])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.trouble.contains("is damaged and is left as it is"), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
    #expect(try folder.files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["nothing of ours"])
  }

  @Test func onAControllerCapturesAndMonitorsWorkAsOnOurAir() throws {
    let folder = try TemporaryFolder()
    let (place, capture) = (folder.url.appending(path: "air").path, folder.url.appending(path: "recorder.btsnoop").path)
    let air = try Simulation(["--listen", "unix-server:\(place)"])
    let address = "C0:00:00:00:00:77"
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = [
      "simulate", "--controller", "unix:\(place)", "--address", address, "--capture", capture,
    ]
    let (output, trouble) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, trouble)
    try process.run()
    var said = ""
    while !said.hasSuffix("ready\n") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "\(said)")
      said += String(decoding: more, as: UTF8.self)
    }
    #expect(said.contains("recorder \(address)\n"))
    let battery = try Tool.run([
      "battery", "--controller", air.controller, "--device", address, "--state",
      folder.url.appending(path: "state").path,
    ])
    #expect(battery.status == 0, "\(battery.trouble)")
    #expect(battery.output == "96 %\n", "\(battery.trouble)")
    process.terminate()
    let found = String(decoding: trouble.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130, "\(found)")
    #expect(found.contains("APP-1.3.1.1  shown"), "\(found)")
    #expect(try Tool.run(["check", capture]).output.contains("APP-1.3.1.1  shown"))
  }

  @Test func keysInATerminalSteerIt() throws {
    let terminal = try Terminal()
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["simulate", "--listen", "tcp-server:127.0.0.1:0"]
    (process.standardInput, process.standardOutput, process.standardError) = (
      terminal.inside, terminal.inside, terminal.inside
    )
    try process.run()
    terminal.closeInside()
    try terminal.hear("q quit")
    let faults = RecorderFault.all.map { #"{"fault":"\#($0.name)"}"# }
    for (key, words) in [
      ("f", faults[0]), ("f", faults[1]),
      (":fault: none\n", #"{"fault":"none"}"#), ("i", #""profile":"reference""#), ("p", "passed"), ("p", "passed"),
      ("b", "passed"), ("x", "passed"), ("r", "passed"), (":battery: 9 V\n", "is out of range for"),
    ] {
      terminal.type(key)
      try terminal.hear(words)
    }
    terminal.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
