import Bytes
import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

/// What a capture lacks, and what can then be said of it.
@Suite struct CaptureGaps {
  private static let start: Int64 = 1_700_000_000_000_000

  private struct Record {
    var content: BtsnoopRecord.Content
    var microseconds: Int64
    var adapter: UInt16 = 0
    var drops: UInt32 = 0

    init(_ content: BtsnoopRecord.Content, at microseconds: Int64, adapter: UInt16 = 0) {
      self.content = content
      self.microseconds = microseconds
      self.adapter = adapter
    }

    init(_ line: PacketScript.Line) {
      content = line.direction == .toController ? .sent(line.packet) : .received(line.packet)
      microseconds = CaptureGaps.start + Int64(line.instant.nanoseconds / 1_000)
    }
  }

  private static func judge(_ records: [Record]) throws -> CaptureReport {
    var octets = BtsnoopWriter.fileHeader
    var drops: UInt32 = 0
    for record in records {
      let start = octets.count
      BtsnoopWriter().append(
        record.content, adapter: record.adapter, unixMicroseconds: record.microseconds, to: &octets)
      drops += record.drops
      octets[start + 15] = UInt8(drops)
    }
    return try CaptureJudge.judge(octets)
  }

  private static func word(_ requirement: String, in report: CaptureReport) -> String? {
    report.findings.first { $0.declaration.requirement == requirement }?.outcome.word
  }

  /// The phone uses the file transfer, and then asks for the battery.
  private static func lateQuestion() -> (lines: [Record], used: Range<Int>) {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.encrypt()
    let first = script.lines.count
    script.list([identifier(1)])
    let end = script.lines.count
    script.readBattery(84)
    script.list([identifier(1)])
    script.disconnect()
    return (script.lines.map { Record($0) }, first..<end)
  }

  /// That something came before everything else cannot be shown where what came before is missing.
  @Test func whatIsMetAfterAGapIsNotShown() throws {
    let (lines, used) = Self.lateQuestion()
    #expect(Self.word("APP-1.3.1.1", in: try Self.judge(lines)) == "violated")
    var silent = lines
    silent.removeSubrange(used)
    #expect(Self.word("APP-1.3.1.1", in: try Self.judge(silent)) == "shown")
    silent[used.lowerBound].drops = UInt32(used.count)
    let report = try Self.judge(silent)
    #expect(Self.word("APP-1.3.1.1", in: report) == "notObservable")
    #expect(report.notJudged.contains { $0.contains("requirements first met from there on") })
    // What was shown before the gap stays shown.
    silent[used.lowerBound].drops = 0
    silent[silent.count - 1].drops = 1
    #expect(Self.word("APP-1.3.1.1", in: try Self.judge(silent)) == "shown")
  }

  /// A packet may be cut without a word: its own header says how long it was.
  @Test func packetsShorterThanTheirHeaderAreMissing() throws {
    let (lines, used) = Self.lateQuestion()
    var cut = lines
    for index in used {
      guard case .sent(let packet) = cut[index].content else { continue }
      cut[index].content = .sent(HCIPacket(packet.kind, Array(packet.bytes.prefix(9))))
    }
    let report = try Self.judge(cut)
    #expect(!report.isViolated)
    #expect(report.omitted == ["1 packet cut short when captured"])
    var event = lines
    event[0].content = .received(HCIPacket(.event, [0x3E]))
    #expect(try Self.judge(event).omitted == ["1 packet cut short when captured"])
  }

  @Test func paddingIsNotPartOfAPacket() throws {
    let (lines, _) = Self.lateQuestion()
    var padded = lines
    for index in padded.indices {
      switch padded[index].content {
      case .sent(let packet): padded[index].content = .sent(HCIPacket(packet.kind, packet.bytes + [0, 0, 0]))
      case .received(let packet): padded[index].content = .received(HCIPacket(packet.kind, packet.bytes + [0, 0, 0]))
      default: break
      }
    }
    #expect(try Self.judge(padded).findings == Self.judge(lines).findings)
  }

  @Test func whatIsNotUnderstoodIsNamed() throws {
    var (lines, _) = Self.lateQuestion()
    // An Encryption Change without its last octet.
    lines.append(Record(.received(HCIPacket(.event, [0x08, 3, 0, 0x40, 0])), at: lines[lines.count - 1].microseconds))
    let report = try Self.judge(lines)
    #expect(report.notJudged.count == 1)
    #expect(report.notJudged.first?.hasPrefix("1 packet not understood, the first at ") == true, "\(report.notJudged)")
    #expect(report.notJudged.first?.contains("HCI event: ") == true)
  }

  @Test func theSecondVersionOfTheConnectionEventIsUnderstood() throws {
    let (lines, _) = Self.lateQuestion()
    guard case .received(let plain) = lines[0].content else {
      Issue.record("the script does not begin with a connection")
      return
    }
    var octets: [UInt8] = [0x3E, 34, 0x29]
    octets += plain.bytes[3..<14]
    // Resolvable addresses, and behind what both versions have, the handles of periodic advertising.
    octets += [UInt8](repeating: 0, count: 12)
    octets += plain.bytes[14...]
    octets += [0xFF, 0xFF, 0xFF]
    var second = lines
    second[0].content = .received(HCIPacket(.event, octets))
    let report = try Self.judge(second)
    #expect(report.notJudged.isEmpty, "\(report.notJudged)")
    #expect(report.findings == (try Self.judge(lines).findings))
  }

  /// A file may be full of recorders; what is kept of them is bounded.
  @Test func theRecordersThatAreRememberedAreBounded() {
    let data = DictofunAdvertisement.advertisingData
    let limit = 1 << 14
    func address(_ number: Int) -> BluetoothAddress { BluetoothAddress(UInt64(number), .random) }
    func concern(_ number: Int, _ links: RecorderLinks) -> Bool {
      links.concern(ProductEvent(at: .zero, from: .phone(), link: 1, peer: address(number), .encrypted), at: 0)
    }
    var links = RecorderLinks()
    for number in 0...limit {
      var octets: [UInt8] = [0x3E, UInt8(12 + data.count), 0x02, 1, 0, 1]
      octets += address(number).littleEndian + [UInt8(data.count)] + data + [0xC8]
      let packet = CapturePackets.Packet(
        adapter: 0, packet: HCIPacket(.event, octets), direction: .toHost, instant: .zero)
      links.observe(packet, at: 0)
    }
    #expect(concern(0, links))
    #expect(concern(limit - 1, links))
    #expect(!concern(limit, links))
  }

  // MARK: Adapters that end

  /// The beginning of a transfer, and two minutes of another adapter.
  private static func interrupted(_ end: BtsnoopRecord.Content?) -> [Record] {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.encrypt()
    script.readBattery(84)
    script.enableAnswers()
    script.list([identifier(1)])
    script.inform(identifier(1), size: 300)
    script.request(.fileData(identifier(1)))
    let records = script.lines.map { Record($0) }
    let last = records[records.count - 1].microseconds
    let end = end.map { [Record($0, at: last)] } ?? []
    let others = (1...120).map {
      Record(.received(HCIPacket(.event, [0x10, 1, 0])), at: last + Int64($0) * 1_000_000, adapter: 5)
    }
    return records + end + others
  }

  @Test(arguments: [BtsnoopRecord.Content.closeIndex, .deletedIndex])
  func whatAClosedAdapterOwesIsNotKnown(end: BtsnoopRecord.Content) throws {
    let report = try Self.judge(Self.interrupted(end))
    #expect(!report.isViolated)
    #expect(report.open.isEmpty)
    #expect(
      report.notJudged.first == "a connection of \(TraceSource.phone()): the packets lack the end of a connection")
    // One monitor saw all adapters, so the silence of one that stays open is its own.
    #expect(try Self.judge(Self.interrupted(nil)).isViolated)
  }

  /// Two captures merged into one file, of which one is shorter.
  @Test func whatAnInterfaceOwesThatEndedIsNotKnown() throws {
    let records = Self.interrupted(nil)
    let report = try CaptureJudge.judge(Self.pcapng(records) { $0 == 0 ? 0 : 1 })
    #expect(!report.isViolated)
    #expect(report.notJudged.first?.hasSuffix("the packets lack the end of a connection") == true)
    // On one interface the same packets are whole.
    let first = records.filter { $0.adapter == 0 }
    #expect(try CaptureJudge.judge(Self.pcapng(first) { _ in 0 }).notJudged.isEmpty)
  }

  /// Records as a pcapng file of two interfaces has them, H4 with a direction.
  private static func pcapng(_ records: [Record], _ interface: (UInt16) -> UInt8) -> [UInt8] {
    func block(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
      let length: [UInt8] = [0, 0, UInt8((body.count + 12) >> 8), UInt8((body.count + 12) & 0xFF)]
      return [0, 0, 0, type] + length + body + length
    }
    var octets: [UInt8] =
      [0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D, 0, 1, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
      + [0, 0, 0, 28]
    octets += block(1, [0, 201, 0, 0, 0, 0, 0, 0]) + block(1, [0, 201, 0, 0, 0, 0, 0, 0])
    for record in records {
      var data: [UInt8]
      switch record.content {
      case .sent(let packet): data = [0, 0, 0, 0] + packet.framed
      case .received(let packet): data = [0, 0, 0, 1] + packet.framed
      default: continue
      }
      let length = [0, 0, 0, UInt8(data.count)]
      data += [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      let stamp = (0..<8).reversed().map { UInt8(truncatingIfNeeded: record.microseconds >> (Int64($0) * 8)) }
      octets += block(6, [0, 0, 0, interface(record.adapter)] + stamp + length + length + data)
    }
    return octets
  }

  // MARK: Clocks

  /// What one adapter sent or received is stamped in order, or nobody knows which came first.
  @Test func disorderOnOneAdapterIsNamed() throws {
    let (lines, used) = Self.lateQuestion()
    var early = lines
    // The list of files, before the write that asked for it was acknowledged: both were received.
    early[used.upperBound - 1].microseconds = early[used.lowerBound].microseconds
    let report = try Self.judge(early)
    #expect(report.notJudged.count == 1)
    #expect(report.notJudged.first?.hasSuffix("because the capture's clock goes back there") == true)
    // What was sent may be told a little after what was received since.
    var late = lines
    late[used.lowerBound + 1].microseconds = late[used.lowerBound].microseconds - 10_000
    #expect(try Self.judge(late).notJudged.isEmpty)
  }

  @Test func packetsWithoutATimeBlameNobodyAndShowNothing() throws {
    var (lines, _) = Self.lateQuestion()
    for index in lines.indices { lines[index].microseconds = 0 }
    let report = try Self.judge(lines)
    #expect(!report.isViolated)
    #expect(!report.findings.contains { $0.outcome == .shown })
    #expect(report.notJudged.first?.hasSuffix("because packets have no time there") == true)
  }
}
