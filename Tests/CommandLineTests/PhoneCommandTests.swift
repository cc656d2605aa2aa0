import Foundation
import TestThreads
import Testing

/// The commands that stand our phone before a recorder, each a process of its own before a simulated one.
@Suite(.waits) struct PhoneCommands {
  /// A recorder with two records, and the phone's state over several commands.
  private struct Bench {
    let folder: TemporaryFolder
    let simulation: Simulation

    init(_ more: [String] = []) throws {
      folder = try TemporaryFolder()
      let records = folder.url.appending(path: "placed")
      try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
      for (name, count) in [("0000240112101112", 640), ("0000240112101113", 1_280)] {
        try Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }).write(
          to: records.appending(path: name + ".record"))
      }
      simulation = try Simulation(records: records.path, more)
    }

    func run(_ words: String...) throws -> Tool.Outcome {
      try Tool.run(
        words + ["--controller", simulation.controller, "--state", folder.url.appending(path: "state").path])
    }
  }

  @Test func aScanTellsStrengthAndAgeInBothFormats() throws {
    let bench = try Bench()
    let address = try #require(bench.simulation.recorders.first)
    let human = try bench.run("scan", "--for", "3s")
    #expect(human.status == 0)
    let line = try Regex("^\(address)  dict  -[0-9]+ dBm  heard 0\\.[0-9] s ago\n$")
    #expect(try line.wholeMatch(in: human.output) != nil, "\(human.output)")
    let json = try bench.run("scan", "--for", "3.0", "--format", "json")
    #expect(json.output.contains("\"address\":\"\(address)\""))
    #expect(json.output.contains("\"ageSeconds\":0."))
    #expect(json.output.contains("\"isBootloader\":false"))
    let other = try bench.run("scan", "--for", "100ms", "--device", "C0:00:00:00:00:01")
    #expect(other.status == 1)
    #expect(other.output.isEmpty)
    #expect(other.trouble == "dictobench: no recorder found\n")
  }

  @Test func aBondLastsFromPairingToUnpairing() throws {
    let bench = try Bench()
    let address = try #require(bench.simulation.recorders.first)
    let early = try bench.run("records")
    #expect(early.status == 1)
    #expect(early.trouble.contains("requires an encrypted link for this; pair first"))
    let stranger = try bench.run("unpair")
    #expect(stranger.status == 2)
    #expect(stranger.trouble == "dictobench: no recorder is paired\n")
    #expect(try bench.run("pair").output == "\(address) is paired\n")
    #expect(
      try bench.run("pair", "--format", "json").output
        == "{\"schemaVersion\":1,\"schema\":\"pair\",\"paired\":\"\(address)\",\"isNew\":false,\"keySize\":16}\n")
    let wrong = try bench.run("pair", "--device", "C0:00:00:00:00:01")
    #expect(wrong.status == 2)
    #expect(wrong.trouble == "dictobench: already paired with \(address); unpair it first\n")
    let time = try bench.run("time")
    #expect(time.status == 0)
    #expect(time.output.hasPrefix("the recorder read the time and got 20"))
    #expect(time.output.contains("names 2024-01-12 10:11:13"))
    #expect(time.output.contains("cannot be read over Bluetooth"))
    let unpaired = try bench.run("unpair")
    #expect(unpaired.status == 0)
    #expect(unpaired.output.hasPrefix("\(address) is unpaired: it forgot"))
    #expect(
      try bench.run("battery", "--format", "json").output
        == "{\"schemaVersion\":1,\"schema\":\"battery\",\"percent\":96,\"octet\":96,\"isLow\":false}\n")
  }

  @Test func recordsAreNewUntilTheyWerePulled() throws {
    let bench = try Bench()
    #expect(try bench.run("pair").status == 0)
    let before = try bench.run("records")
    #expect(
      before.output == """
        0000240112101112  2024-01-12 10:11:12  640 octets  0.0 s  new
        0000240112101113  2024-01-12 10:11:13  1280 octets  0.1 s  new
        2 records, 2 new

        """)
    let out = bench.folder.url.appending(path: "out")
    let pulled = try bench.run("pull", "--out", out.path)
    #expect(pulled.status == 0, "\(pulled.trouble)")
    #expect(pulled.output.hasPrefix("2 listed, 2 fetched, 1920 octets"), "\(pulled.trouble)")
    #expect(pulled.trouble.contains("0000240112101113  1280 octets, record 1 of this pull"))
    #expect(FileManager.default.fileExists(atPath: out.appending(path: "0000240112101112.wav").path))
    let after = try bench.run("records", "--format", "json")
    #expect(after.output.components(separatedBy: "\"state\":\"here\"").count == 3)
  }

  @Test func attributesAreShownReadWrittenAndHeard() throws {
    let bench = try Bench()
    let table = try bench.run("gatt", "--compare", "reference")
    #expect(table.status == 0, "\(table.trouble)")
    #expect(table.output.hasSuffix("identical to reference\n"), "\(table.trouble)")
    #expect(
      table.output.contains("  0x0013  1003  files list  [read, notify]  configured at 0x0014  = refused with 0x05"))
    #expect(try bench.run("gatt", "read", "0x0003").output.hasSuffix("  \"dictofun_v1.4\"\n"))
    #expect(try bench.run("gatt", "subscribe", "41", "--for", "100ms").trouble == "0 values in 0.100000 s\n")
    let closed = try bench.run("gatt", "read", "16")
    #expect(closed.status == 1)
    #expect(closed.trouble.hasSuffix("requires an encrypted link for this; pair first\n"))
    let unknown = try bench.run("gatt", "read", "0x99")
    #expect(unknown.status == 1)
    #expect(unknown.trouble == "dictobench: the recorder refused: no such attribute (0x01)\n")
    // Only an owner gives it a name.
    #expect(try bench.run("gatt", "write", "3", "4142").status == 1)
    #expect(try bench.run("pair").status == 0)
    #expect(try bench.run("gatt", "write", "3", "4142").output == "2 octets written and acknowledged\n")
    #expect(
      try bench.run("gatt", "read", "3", "--format", "json").output
        == "{\"schemaVersion\":1,\"schema\":\"gatt\",\"handle\":3,\"value\":\"4142\"}\n")
  }

  @Test func requestsAreShownWithWhatTheyBring() throws {
    let bench = try Bench()
    #expect(try bench.run("pair").status == 0)
    let list = try bench.run("fts", "list")
    #expect(list.status == 0, "\(list.trouble)")
    #expect(list.output.hasPrefix("request  01  list files\n"), "\(list.trouble)")
    #expect(list.output.contains("  2 records: 0000240112101112 0000240112101113\nend after 0."))
    #expect(try bench.run("fts", "info", "0000240112101113").output.contains("  1280 octets\nend after"))
    let data = try bench.run("fts", "data", "0000240112101112", "--for", "500ms")
    #expect(data.output.contains(" octets, 640 so far\n"))
    #expect(data.output.contains("no notification came for 0.500000 s"))
    let none = try bench.run("fts", "info", "0000000000000001")
    #expect(none.status == 1)
    #expect(none.output.contains("general status  02"))
    let raw = try bench.run("fts", "raw", "05", "--for", "100ms", "--format", "json")
    #expect(raw.status == 0)
    #expect(raw.output.contains("\"notifications\":0"))
    let over = try bench.run("fts", "complete")
    #expect(over.status == 0)
    #expect(over.output.contains("the recorder disconnected"))
  }

  @Test(arguments: [["gatt"], ["gatt", "read", "3"], ["fts", "status"]])
  func attributesAreUsedAsAnApplicationMust(words: [String]) throws {
    let bench = try Bench()
    #expect(try bench.run("pair").status == 0)
    let file = bench.folder.url.appending(path: "session.btsnoop").path
    let outcome = try Tool.run(
      words + [
        "--controller", bench.simulation.controller, "--state", bench.folder.url.appending(path: "state").path,
        "--capture", file,
      ])
    #expect(outcome.status == 0)
    #expect(outcome.trouble.isEmpty)
    let judgement = try Tool.run(["check", file])
    #expect(judgement.status == 0, "\(judgement.output)")
    #expect(judgement.output.contains("APP-1.3.1.1  shown"), "\(judgement.output)")
  }

  /// Events and violations come as objects with a version, and a client that leaves takes its orders with it.
  @Test func theControlSocketSpeaksEventsAndNobodyBlocksIt() throws {
    let control = try TemporaryFolder()
    let socket = control.url.appending(path: "control").path
    let bench = try Bench(["--control", "unix:\(socket)"])
    let listener = try Steering(socket)
    #expect(try listener.answer(to: "events") == "{\"ok\":true}")
    _ = try bench.run("battery")
    let line = try listener.nextLine()
    let members = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    let event = try #require(members["event"] as? [String: Any])
    #expect(event["name"] as? String != nil)
    #expect(members["virtualSeconds"] as? Double != nil)
    do {
      let hog = try Steering(socket)
      try hog.send("{\"press\": \"2 h\"}")
      try hog.send("inspect")
    }
    let other = try Steering(socket)
    #expect(try other.answer(to: "battery: 3.15 V") == "{\"ok\":true}")
  }

  @Test func aLowBatteryIsSaid() throws {
    let control = try TemporaryFolder()
    let socket = control.url.appending(path: "control").path
    let bench = try Bench(["--control", "unix:\(socket)"])
    let steering = try Steering(socket)
    #expect(try steering.answer(to: "battery: 3.15 V") == "{\"ok\":true}")
    // The level is that of a mean over minutes, which begins anew.
    #expect(try steering.answer(to: "reboot") == "{\"ok\":true}")
    let outcome = try bench.run("gatt", "read", "3")
    #expect(outcome.status == 0)
    #expect(outcome.trouble == "the recorder's battery is at 12 %: an application would request nothing else\n")
  }

  @Test func aPullGoesOnAfterABreakWithWhatIsMissing() throws {
    let folder = try TemporaryFolder()
    let records = folder.url.appending(path: "placed")
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    let contents = [("0000240112101112", 20_000), ("0000240112101113", 640)].map { name, count in
      (name, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 11) })
    }
    for (name, octets) in contents { try Data(octets).write(to: records.appending(path: name + ".record")) }
    let socket = folder.url.appending(path: "control").path
    let simulation = try Simulation(records: records.path, ["--control", "unix:\(socket)"])
    let steering = try Steering(socket)
    let process = Process()
    process.executableURL = Tool.executable
    let out = folder.url.appending(path: "out")
    process.arguments = [
      "pull", "--controller", simulation.controller, "--state", folder.url.appending(path: "state").path, "--out",
      out.path,
    ]
    process.standardInput = FileHandle.nullDevice
    let (output, trouble) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, trouble)
    try process.run()
    // The newest comes first; once it is there, the long one is on its way.
    var said = ""
    while !said.contains("record 1 of this pull\n") {
      let more = trouble.fileHandleForReading.availableData
      try #require(!more.isEmpty, "\(said)")
      said += String(decoding: more, as: UTF8.self)
    }
    #expect(try steering.answer(to: "break") == "{\"ok\":true}")
    said += String(decoding: trouble.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let result = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said)")
    #expect(said.contains("lost the connection"), "\(said)")
    #expect(said.contains("attempt 2 of 4"), "\(said)")
    #expect(result.hasPrefix("2 listed, 2 fetched, 20640 octets"), "\(result)")
    for (name, octets) in contents {
      // Nothing is fetched twice.
      #expect(said.components(separatedBy: "\(name)  \(octets.count) octets, record").count == 2, "\(said)")
      #expect(try Array(Data(contentsOf: out.appending(path: name + ".record"))) == octets)
    }
  }

  @Test func aCaptureCanBeJudged() throws {
    let bench = try Bench()
    let file = bench.folder.url.appending(path: "battery.btsnoop").path
    #expect(try bench.run("battery", "--capture", file).output == "96 %\n")
    #expect(try Tool.run(["check", file]).status == 0)
    let nowhere = try bench.run("battery", "--capture", "/nowhere/battery.btsnoop")
    #expect(nowhere.status == 3)
    #expect(nowhere.trouble.hasPrefix("dictobench: cannot create /nowhere/"))
  }

  @Test func severalRecordersMustBeNamed() throws {
    let bench = try Bench(["--count", "2"])
    let several = try bench.run("battery")
    #expect(several.status == 2)
    #expect(several.trouble.hasPrefix("dictobench: found several recorders, choose one"))
    for address in bench.simulation.recorders { #expect(several.trouble.contains(address)) }
    let second = try #require(bench.simulation.recorders.last)
    #expect(try bench.run("battery", "--device", second).output == "96 %\n")
    let nobody = try bench.run("battery", "--device", "C0:00:00:00:00:01")
    #expect(nobody.status == 1)
    #expect(nobody.trouble.hasPrefix("dictobench: that recorder was not found, only "))
  }

  @Test func aControllerThatIsNotThereIsTheBench() throws {
    let port = try ClosingServer().port
    let outcome = try Tool.run(["battery", "--controller", "tcp-client:127.0.0.1:\(port)"])
    #expect(outcome.status == 3, "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("refused"))
  }

  @Test func aControllerThatGoesIsTheBench() throws {
    let server = try ClosingServer()
    server.acceptOnce()
    let outcome = try Tool.run(["battery", "--controller", "tcp-client:127.0.0.1:\(server.port)"])
    #expect(outcome.status == 3, "\(outcome.trouble)")
    #expect(
      outcome.trouble == "dictobench: the phone's controller was lost: the other end closed the connection\n")
    server.acceptOnce()
    let json = try Tool.run(["scan", "--controller", "tcp-client:127.0.0.1:\(server.port)", "--format", "json"])
    #expect(json.status == 3)
    #expect(json.output.contains("\"failure\":\"the phone's controller was lost"))
  }
}

/// A port of the loopback interface behind which somebody answers, hears one packet, and hangs up.
private final class ClosingServer {
  let port: Int
  private let descriptor: Int32

  init() throws {
    let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = opened
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(opened, generic, length) == 0 && listen(opened, 1) == 0 && getsockname(opened, generic, &length) == 0
      }
    }
    try #require(status)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  func acceptOnce() {
    let listener = descriptor
    Thread.detachNewThread {
      let peer = accept(listener, nil, nil)
      var octets = [UInt8](repeating: 0, count: 4)
      _ = recv(peer, &octets, octets.count, 0)
      close(peer)
    }
  }

  deinit { close(descriptor) }
}
