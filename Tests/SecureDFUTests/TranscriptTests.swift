import Bytes
import SecureDFU
import Testing

/// What the bootloader does, against the transcripts of Nordic's own.
@Suite struct TranscriptTests {
  /// A section of `transcripts.txt`: its letter and its lines.
  struct Section {
    let name: String
    var lines: [Substring] = []
  }

  private static func sections() throws -> [Section] {
    var sections: [Section] = []
    for line in try Vectors.text("transcripts.txt").split(separator: "\n") {
      if line.hasPrefix("### ") {
        sections.append(Section(name: String(line.dropFirst(4).prefix { $0.isLetter || $0.isNumber })))
      } else if !line.hasPrefix("#"), !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  @Test func everySectionIsAnsweredAsNordicDoes() throws {
    let sections = try Self.sections()
    #expect(
      sections.map(\.name) == [
        "A", "B", "B2", "C", "D", "E", "F", "J", "K", "V", "V2", "N", "N2", "O", "P", "P2", "P3", "Q", "T", "U", "U2",
        "AH", "AG", "AC",
      ])
    var answers = 0
    for section in sections {
      var script = try TranscriptScript(section.name)
      for (number, line) in section.lines.enumerated() { answers += try script.check(line, number) }
    }
    #expect(answers == 157)
  }

  /// The exchanges, byte for byte.
  @Test(arguments: ["exchange_mtu247_prn0.txt", "exchange_mtu23_prn12.txt"])
  func theExchangesAreTheSame(_ file: String) throws {
    var rig = BootloaderRig.ready()
    var notifications: [String] = []
    var last = ""
    for line in try Vectors.text(file).split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 2 else { continue }
      switch (words[0], words[1]) {
      case (">", "CP"): last = rig.write(String(words[2]))
      case (">", "PKT"): last = rig.perform(.packetWritten(octets(words[2])))
      case ("<", "CP"):
        #expect(notifications.first == String(words[2]), "\(line)")
        notifications = Array(notifications.dropFirst())
        continue
      default: continue
      }
      #expect(notifications.isEmpty, "before \(line)")
      notifications = last.split(separator: " | ").filter { $0.hasPrefix("N ") }.map { String($0.dropFirst(2)) }
    }
    #expect(notifications.isEmpty)
    #expect(last.hasSuffix("DISC 0x13 | DELAY 200 | SD_DISABLED | RESET"))
    #expect(rig.perform(.started(.normal)) == "RESET")
    #expect(rig.perform(.started(.normal)) == "APPSTART")
    #expect(rig.bootloader.flash.application == (try Vectors.bytes("app_5000.bin")))
    #expect(rig.bootloader.settings.applicationVersion == 2)
  }
}

/// Plays a section: the lines say what was asked and answered, the script adds what the harness did without a word.
private struct TranscriptScript {
  private let name: String
  private let packet: [UInt8]
  private let image: [UInt8]
  private var rig: BootloaderRig

  init(_ name: String) throws {
    self.name = name
    packet = try Vectors.bytes("app_s132_v2.dat")
    image = try Vectors.bytes("app_5000.bin")
    rig = .ready()
    switch name {
    case "A": _ = rig.perform(.notificationsChanged(false))
    case "K", "O", "P": _ = rig.uploadInitPacket(packet)
    case "P2":
      _ = rig.write("01018c000000")
      rig.send(Array(packet.prefix(100)))
    case "P3":
      _ = rig.uploadInitPacket(packet)
      _ = rig.write("01018c000000")
      let other = try FirmwarePackage(decoding: try Vectors.bytes("packages/app_bootval_none.zip")).images[0]
      rig.send(Array(other.initPacket.prefix(100)))
    case "Q":
      _ = rig.uploadInitPacket(packet)
      _ = rig.write("010200100000")
      rig.send(Array(image.prefix(1000)))
    case "V":
      _ = rig.uploadInitPacket(packet)
      _ = rig.write("010200100000")
      rig.send(Array(image.prefix(4096)))
    case "V2": _ = rig.write("0602")
    case "U2":
      rig = BootloaderRig(application: nil)
      _ = rig.perform(.started(.normal))
    default: break
    }
    if name == "P" {
      _ = rig.write("010200100000")
      rig.send(Array(image.prefix(4096)))
      _ = rig.write("04")
      _ = rig.write("010288030000")
      rig.send(Array(image[4096..<4340]))
    }
  }

  /// Does what a line says and compares; the number of answers compared.
  mutating func check(_ line: Substring, _ number: Int) throws -> Int {
    guard let arrow = line.range(of: "->") else {
      return try checkRemark(line)
    }
    let label = line[..<arrow.lowerBound].trimming(" ")
    let expected = Self.normal(line[arrow.upperBound...].trimming(" "))
    prepare(number)
    guard let answer = try answer(label) else { return 0 }
    #expect(answer == expected, "\(name): \(label)")
    return 1
  }

  /// Lines that compare nothing but tell of a build or of a count.
  private mutating func checkRemark(_ line: Substring) throws -> Int {
    if line.contains("no-assert build") {
      var build = BootloaderBuild.s132Debug
      build.asserts = false
      rig = .ready(build)
      return 0
    }
    guard line.contains("NOBUF") else { return 0 }
    if name == "V2" {
      #expect(rig.write("0602") == "ATT 0x0 | N 600601001000000000000000000000")
    }
    let first = (1...20).first { _ in rig.perform(.packetWritten([0xAA, 0xBB, 0xCC, 0xDD])) == "NOBUF" }
    #expect(first == 18, "\(name)")
    return 1
  }

  /// What the harness did before a line without telling.
  private mutating func prepare(_ number: Int) {
    switch (name, number) {
    case ("J", 1): _ = rig.uploadInitPacket(packet)
    case ("J", 8), ("K", 1): rig.send(Array(image.prefix(4096)))
    case ("Q", 3), ("P2", 2), ("AH", 3): rig.connect()
    case ("P3", 3): rig.connect()
    default: break
    }
  }

  private mutating func answer(_ label: String) throws -> String? {
    let words = label.split(separator: " ")
    switch words.first {
    case "cp"? where words[1] == "create": return rig.write("010288030000")
    case "cp"?: return rig.write(String(words[1]))
    case "data"?: return rig.write("010200100000")
    case "pkt"?: return rig.perform(.packetWritten(packet(words[1])))
    case "state"?: return rig.state
    case "disc"?: return rig.perform(.disconnected)
    case "conn"?: return rig.perform(.connected)
    case "cccd"?: return rig.perform(.notificationsChanged(true))
    case "timeout"?: return rig.perform(.timerFired(.inactivity))
    case "pair"?: return rig.perform(.pairingRequested)
    case "final"?: return rig.uploadImage([image[0] ^ 1] + image.dropFirst())
    case "re-upload"?, nil: return rig.uploadImage(image)
    case "die"?:
      rig.bootloader.cutPower()
      return "POWERLOSS"
    case "boot"?: return boot()
    case "req"?:
      let size = try #require(Int(words[1]))
      return "['MTUREPLY \(Bootloader.maximumTransmissionUnit(requested: size))']"
    // An answer to a request for a key, which a bond would have: nothing of it reaches the machine.
    case "enc"?: return nil
    default:
      Issue.record("\(name): \(label) is not understood")
      return nil
    }
  }

  private var boots = 0

  private mutating func boot() -> String {
    boots += 1
    // In Q the second start is one that the application asked for.
    let reason: BootReason = name == "Q" && boots == 2 ? .updateRequested : .normal
    return "BOOT sizeof(settings)=896 | " + rig.perform(.started(reason))
  }

  /// A packet of which the transcript shows the beginning and the length.
  private func packet(_ text: Substring) -> [UInt8] {
    let parts = text.split(separator: ".", omittingEmptySubsequences: true)
    let head = octets(parts[0])
    guard parts.count == 2, let count = Int(parts[1].dropFirst().dropLast()) else { return head }
    for source in [packet, image] {
      for start in source.indices where source[start...].starts(with: head) {
        return Array(source[start..<min(source.count, start + count)])
      }
    }
    return [UInt8](repeating: head[0], count: count)
  }

  /// An expectation without the places in Nordic's source, which are not ours.
  private static func normal(_ text: String) -> String {
    text.split(separator: "|").map { part in
      let part = part.trimming(" ")
      return part.hasPrefix("ASSERT") || part.hasPrefix("APPERR") ? "ASSERT" : part
    }.joined(separator: " | ")
  }
}

extension StringProtocol {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }

  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
