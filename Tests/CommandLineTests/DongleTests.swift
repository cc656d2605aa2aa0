import Foundation
import TestThreads
import Testing

/// A dongle that umockdev pretends, whose radio is a virtual controller next to a simulated recorder.
private enum Dongle {
  /// What the tool did with the dongle.
  struct Report: Decodable {
    let commands: Int
    /// In hexadecimal digits.
    let lastCommand: String
    let dataIn: Int
    let dataOut: Int
    /// Most transfers for events that waited at a time.
    let mostWaiting: Int
    /// Endpoints that were told to go on.
    let haltsCleared: [Int]
    let claimed: Bool
    let driverDetached: Bool
    let driverAttached: Bool
    /// Requests that the dongle did not understand.
    let unknown: [String]
  }

  static let python = "/usr/bin/python3"
  static let script = Tool.repository.appending(path: "Tests/Interoperability/usb_dongle.py").path

  /// Whether umockdev and its Python binding are there.
  static let isAvailable: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", "import gi; gi.require_version('UMockdev', '1.0')"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Runs the tool where a dongle is plugged in that does what `fault` says.
  static func run(_ arguments: [String], fault: String = "none", in folder: TemporaryFolder, port: Int? = nil) throws
    -> (outcome: Tool.Outcome, report: Report)
  {
    let file = folder.url.appending(path: "report.json")
    let radio = port.map { ["--controller", "127.0.0.1:\($0)"] } ?? []
    let state = arguments.first == "run" ? [] : ["--state", folder.url.appending(path: "state").path]
    let outcome = try Tool.run(
      arguments + state,
      within: [python, script, "--fault", fault] + radio + ["--report", file.path, "--"])
    let data = try #require(try? Data(contentsOf: file), "\(outcome.trouble)")
    return (outcome, try JSONDecoder().decode(Report.self, from: data))
  }
}

/// The transport of USB dongles, from the command line down to the requests of usbfs. umockdev has neither the links that
/// the kernel keeps over an adapter nor the hang-up of usbfs; `ci/hardware-paths` shows both with a real kernel.
@Suite(
  .waits,
  .enabled(if: Dongle.isAvailable, "umockdev or its Python binding is not installed; `ci/packages --tests` does that"))
struct Dongles {
  @Test(arguments: [("none", []), ("stall", [0x81]), ("stall-data", [0x02, 0x86])] as [(String, [Int])])
  func carryAWholeSession(_ fault: String, _ halted: [Int]) throws {
    let folder = try TemporaryFolder()
    let record = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let records = folder.url.appending(path: "placed")
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    try Data(record).write(to: records.appending(path: "2024010112000000.record"))
    let simulation = try Simulation(records: records.path)
    let fetched = folder.url.appending(path: "fetched")
    let (outcome, report) = try Dongle.run(
      ["pull", "--controller", "usb:0", "--out", fetched.path], fault: fault, in: folder, port: simulation.port)
    #expect(outcome.status == 0, "\(outcome.trouble)")
    #expect(try Array(Data(contentsOf: fetched.appending(path: "2024010112000000.record"))) == record)
    #expect(report.haltsCleared.sorted() == halted)
    #expect(report.dataIn > 10)
    #expect(report.dataOut > 10)
    #expect(report.mostWaiting == 8)
    // Whatever the controller was doing has ended.
    #expect(report.lastCommand == "030c00")
    // The kernel's driver lost its device for the session, and has it again.
    #expect(report.claimed)
    #expect(report.driverDetached)
    #expect(report.driverAttached)
    #expect(report.unknown == [])
  }

  @Test func leaveARecorderItsBondBeforeAScenarioBegins() throws {
    let folder = try TemporaryFolder()
    let port = try #require(Self.freePort())
    let bench = folder.url.appending(path: "bench.yaml")
    let place = """
      place: test
      tolerance: 5 s
      adapters: ["tcp-client:127.0.0.1:\(port)"]
      recorders:
        - address: C6:05:04:03:02:01
          console: {RawSerialPort: {port: \(folder.url.path)/console}}
          pico: {RawSerialPort: {port: \(folder.url.path)/pico}}
      """
    try Data(place.utf8).write(to: bench)
    let scenario = folder.url.appending(path: "scenario.yaml")
    let text = """
      scenario: a phone that was paired before meets its recorder
      id: dongle-bonded
      verifies: [DEV-6]
      given:
        phone: {bonded: true}
      steps:
        - phone: connect
      """
    try Data(text.utf8).write(to: scenario)
    let simulator = try Tool.start(["simulate", "--bench", bench.path], until: "ready")
    defer { simulator.terminate() }
    let (outcome, _) = try Dongle.run(
      ["run", "--target", "hardware", "--bench", bench.path, "--controller", "usb:0", scenario.path], in: folder,
      port: port)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
  }

  /// A port at which nobody listens now.
  private static func freePort() -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, length) == 0 ? getsockname(descriptor, name, &length) : -1
      }
    }
    return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  @Test func areLookedAtAndGivenBack() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let (outcome, report) = try Dongle.run(["doctor"], in: folder, port: simulation.port)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(outcome.output.contains("usb:0a12:0001/NUMBER-1 (0a12:0001, serial number NUMBER-1, at 1-1)"))
    #expect(report.lastCommand == "030c00")
    #expect(report.driverAttached)
    #expect(report.unknown == [])
  }

  @Test func thatMayNotBeOpenedAreReportedAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    let (outcome, report) = try Dongle.run(["doctor"], fault: "denied", in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.output.hasPrefix("failed: "))
    #expect(outcome.output.contains("do: install ci/60-dictobench.rules into /etc/udev/rules.d"), "\(outcome.output)")
    #expect(report.commands == 0)
    #expect(!report.claimed)
  }

  @Test func areNotChosenByChance() throws {
    let folder = try TemporaryFolder()
    let (outcome, report) = try Dongle.run(["doctor"], fault: "two", in: folder)
    #expect(outcome.output.contains("do: choose one with --controller"), "\(outcome.output)")
    #expect(report.commands == 0)
    #expect(!report.claimed)
  }

  @Test func thatArePulledOutEndTheSessionWithTheReason() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let (outcome, report) = try Dongle.run(
      ["scan", "--controller", "usb:0"], fault: "unplug", in: folder, port: simulation.port)
    #expect(outcome.status == 3)
    #expect(
      outcome.trouble.hasSuffix(
        "dictobench: the phone's controller was lost: 0a12:0001, serial number NUMBER-1, at 1-1: unplugged\n"))
    #expect(report.commands == 5)
    #expect(report.unknown == [])
  }

  @Test func thatAreProbablyImitationsAreCalledThat() throws {
    let folder = try TemporaryFolder()
    let simulation = try Simulation()
    let (outcome, _) = try Dongle.run(
      ["scan", "--controller", "usb:0", "--for", "1"], fault: "imitation", in: folder, port: simulation.port)
    #expect(outcome.trouble.contains("CSR8510: this is one of the imitations"))
  }

  static let refusals: [(fault: String, controller: String, words: String)] = [
    (
      "two", "usb:0a12:0001",
      "several match: usb:0 (0a12:0001, serial number NUMBER-1, at 1-1), "
        + "usb:1 (0a12:0001, serial number NUMBER-2, at 1-2)"
    ),
    ("two", "usb:2", "no adapter has this number; there are: usb:0 ("),
    ("none", "usb:0a12:0001/NUMBER-7", "no such device is on USB; there are: usb:0 ("),
    ("none", "usb:1d6b:0002", "this device is not a Bluetooth controller"),
    ("denied", "usb:0", "permission denied: the device node belongs to root: install ci/60-dictobench.rules"),
    ("busy", "usb:0", "in use: another program, or a virtual machine, has claimed the interface"),
  ]

  @Test(arguments: refusals) func areRefusedWithTheReason(_ fault: String, _ controller: String, _ words: String) throws
  {
    let folder = try TemporaryFolder()
    let (outcome, report) = try Dongle.run(["scan", "--controller", controller], fault: fault, in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.trouble.contains("dictobench: \(controller): \(words)"), "\(outcome.trouble)")
    #expect(!report.claimed)
    #expect(report.unknown == [])
  }
}
