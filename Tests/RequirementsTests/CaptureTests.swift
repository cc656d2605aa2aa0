import Bytes
import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace

@testable import Requirements

@Suite struct Captures {
  /// A meeting in which the phone asks for files before the battery, and the recorder lists a record twice.
  private static func meeting(_ source: TraceSource = .phone()) -> PacketScript {
    var script = PacketScript(source)
    script.connect()
    script.discover()
    script.encrypt()
    script.list([identifier(1), identifier(2), identifier(1)])
    script.inform(identifier(1), size: 300)
    script.download(identifier(1), size: 300)
    script.readBattery(84)
    script.wait(.seconds(70))
    script.disconnect()
    return script
  }

  /// A capture of a script; the packet `late.index` is stamped `late.microseconds` too late.
  private static func capture(
    _ script: PacketScript, adapter: UInt16 = 0, late: (index: Int, microseconds: Int64)? = nil
  ) -> [UInt8] {
    let writer = BtsnoopWriter()
    var octets = BtsnoopWriter.fileHeader
    for (index, line) in script.lines.enumerated() {
      let error = late.flatMap { $0.index == index ? $0.microseconds : nil } ?? 0
      let packet = HCIPacket(line.packet.kind, line.covered.applied(to: line.packet.bytes))
      writer.append(
        line.direction == .toController ? .sent(packet) : .received(packet), adapter: adapter,
        unixMicroseconds: 1_700_000_000_000_000 + Int64(line.instant.nanoseconds / 1_000) + error, to: &octets)
    }
    return octets
  }

  @Test func aCaptureIsJudgedAsTheRunWas() throws {
    let script = Self.meeting()
    var live = MonitorSet(isCapture: true)
    for event in script.events { live.observe(event) }
    let report = try CaptureJudge.judge(Self.capture(script))
    let offset = script.lines[0].instant
    let expected = live.finish(at: script.now)
    #expect(report.findings.map(\.outcome) == expected.map(\.outcome))
    #expect(report.findings.map(\.met) == expected.map(\.met))
    #expect(
      report.findings.flatMap(\.violations).map { $0.instant.advanced(by: Instant.zero.duration(to: offset)) }
        == expected.flatMap(\.violations).map(\.instant))
    #expect(report.isViolated)
    #expect(report.adapters.map(\.source) == [.phone()])
    let violated = report.findings.filter { $0.outcome.word == "violated" }.map(\.declaration.requirement)
    #expect(violated == ["APP-1.3.1.1", "APP-1.3.1", "DEV-4"])
  }

  @Test func everyPartOfACaptureIsJudgedWithoutATrap() throws {
    let whole = Self.capture(Self.meeting())
    for length in stride(from: 16, to: whole.count, by: 7) {
      let report = try CaptureJudge.judge(Array(whole[..<length]))
      #expect(report.packets <= 40 + Self.meeting().lines.count)
    }
    #expect(throws: CaptureFailure.unknownFormat) { try CaptureJudge.judge([1, 2, 3]) }
  }

  @Test(arguments: ForeignCapture.Format.allCases)
  func aCaptureOfEveryFormatIsJudgedAsTheRunWas(_ format: ForeignCapture.Format) throws {
    let script = Self.meeting()
    let expected = try CaptureJudge.judge(Self.capture(script))
    let report = try CaptureJudge.judge(Self.foreign(script).octets(format))
    #expect(report.findings == expected.findings)
    #expect(report.packets == script.lines.count)
    #expect(report.span == expected.span)
    #expect(report.open == expected.open)
    #expect(report.brokenBy == nil)
    #expect(report.notJudged == (format == .pcapng ? ["1 packet of a link that is not Bluetooth LE"] : []))
  }

  @Test(arguments: ForeignCapture.Format.allCases)
  func everyPartOfAForeignCaptureIsJudgedWithoutATrap(_ format: ForeignCapture.Format) throws {
    let whole = Self.foreign(Self.meeting()).octets(format)
    for length in stride(from: 64, to: whole.count, by: 13) {
      let report = try CaptureJudge.judge(Array(whole[..<length]))
      #expect(report.packets <= Self.meeting().lines.count)
    }
  }

  /// Android writes only the beginning of packets into its usual log. Here one packet is cut, of a meeting that breaks rules.
  @Test func packetsThatWereCutAreNamedAndNobodyIsBlamed() throws {
    let script = Self.meeting()
    var hasCut = false
    var octets = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    for line in Self.foreign(script).lines {
      let data = line.packet.framed
      let kept = line.packet.kind == .acl && !hasCut ? Array(data.prefix(6)) : data
      hasCut = hasCut || line.packet.kind == .acl
      octets += [0, 0, 0, UInt8(data.count), 0, 0, 0, UInt8(kept.count), 0, 0, 0, line.isReceived ? 1 : 0]
      octets += [UInt8](repeating: 0, count: 12) + kept
    }
    let report = try CaptureJudge.judge(octets)
    #expect(!report.isViolated)
    #expect(report.notJudged.first == "1 packet cut short when captured")
    #expect(report.notJudged.contains { $0.hasPrefix("violations from ") })
    let doubtful = report.findings.filter { $0.outcome.reason?.hasPrefix("packets are missing from ") == true }
    #expect(!doubtful.isEmpty)
  }

  /// A clock that is set back, and packets that the file says were lost, leave nobody to blame.
  @Test func whatTheFileSaysOfItsClockAndItsLossesIsHeard() throws {
    let script = Self.meeting()
    let whole = Self.capture(script)
    let records = Self.foreign(script).lines.indices.dropFirst(4).first ?? 0
    var offset = BtsnoopWriter.fileHeader.count
    var starts: [Int] = []
    while offset < whole.count {
      starts.append(offset)
      offset += 24 + Int(whole[offset + 6]) << 8 + Int(whole[offset + 7])
    }
    var (early, lossy) = (whole, whole)
    for start in starts[records...] {
      // An hour, 3.6 thousand million microseconds, back.
      var stamp = whole[(start + 16)..<(start + 24)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } - 3_600_000_000
      for index in (0..<8).reversed() {
        early[start + 16 + index] = UInt8(truncatingIfNeeded: stamp)
        stamp >>= 8
      }
      lossy[start + 15] = 2
    }
    let steppedBack = try CaptureJudge.judge(early)
    #expect(!steppedBack.isViolated)
    #expect(steppedBack.notJudged.count == 1)
    #expect(steppedBack.notJudged.first?.hasSuffix("because the capture's clock goes back there") == true)
    let lost = try CaptureJudge.judge(lossy)
    #expect(!lost.isViolated)
    #expect(lost.omitted == ["2 packets lost while capturing, as the file says"])
    #expect(try CaptureJudge.judge(whole).isViolated)
  }

  /// The question for the battery is stamped too late, by an hour or for ever, and answered at once or after a while. Nobody
  /// knows that it came in time, nor that it did not.
  @Test(arguments: [(3_600_000_000, 0), (1 << 60, 0), (3_600_000_000, 20)])
  func aPacketThatIsStampedTooLateBlamesNobody(microseconds: Int64, pause: Int) throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.encrypt()
    let question = script.lines.count
    script.ask([0x0A, 0x29, 0x00])
    script.wait(.seconds(pause))
    script.hear([0x0B, 84])
    script.list([identifier(1)])
    script.wait(.seconds(10))
    script.disconnect()
    #expect(!(try CaptureJudge.judge(Self.capture(script))).isViolated)
    let report = try CaptureJudge.judge(Self.capture(script, late: (question, microseconds)))
    #expect(!report.isViolated)
    #expect(report.notJudged.count == 1)
    #expect(report.notJudged.first?.hasSuffix("because the capture's clock goes back there") == true)
    // What was violated before stays violated.
    let guilty = Self.meeting()
    let last = guilty.lines.count - 2
    #expect(try CaptureJudge.judge(Self.capture(guilty, late: (last, microseconds))).isViolated)
  }

  /// Telephones advertise too, and watches connect to them.
  @Test func aHostThatIsCentralIsAPhoneWhateverItWasBefore() throws {
    let writer = BtsnoopWriter()
    for enable in [UInt8(0), 1] {
      var octets = BtsnoopWriter.fileHeader
      writer.append(
        .sent(HCIPacket(.command, [0x0A, 0x20, 1, enable])), adapter: 0, unixMicroseconds: 1_700_000_000_000_000,
        to: &octets)
      let alone = try CaptureJudge.judge(octets)
      #expect(alone.adapters.map(\.source) == [enable == 1 ? .recorder() : .phone()])
      octets += Self.capture(Self.meeting())[BtsnoopWriter.fileHeader.count...]
      #expect(try CaptureJudge.judge(octets).adapters.map(\.source) == [.phone()])
    }
  }

  /// There is a limit to those that are followed. Each of them keeps its own place, in whatever order they come.
  @Test func furtherAdaptersAreNamedAndNotJudged() throws {
    let script = Self.meeting()
    var octets = BtsnoopWriter.fileHeader
    for adapter in (0...UInt16(CaptureJudge.adapterLimit)).reversed() {
      octets += Self.capture(script, adapter: adapter)[BtsnoopWriter.fileHeader.count...]
    }
    let report = try CaptureJudge.judge(octets)
    #expect(report.adapters.map(\.index) == Array((1...UInt16(CaptureJudge.adapterLimit)).reversed()))
    #expect(report.adapters.map(\.source) == (0..<UInt16(CaptureJudge.adapterLimit)).map { TraceSource.phone($0) })
    #expect(report.omitted == ["\(script.lines.count) packets of further adapters"])
    #expect(!report.notJudged.contains { $0.contains("no service of a recorder was found") }, "\(report.notJudged)")
  }

  @Test func aCaptureThatBeginsInsideAConnectionSaysSo() throws {
    for source in [TraceSource.phone(), .recorder()] {
      var lines = Self.foreign(Self.meeting()).lines.filter { $0.packet.kind == .acl }
      // The recorder's host receives what the phone's sends.
      if source.part == .recorder { for index in lines.indices { lines[index].isReceived.toggle() } }
      let rest = ForeignCapture(lines: Array(lines[(lines.count / 2)...]))
      let report = try CaptureJudge.judge(rest.octets(.btsnoopH4))
      #expect(report.adapters.map(\.source) == [source])
      #expect(report.notJudged == ["a connection of \(source): the packets begin inside a connection"])
      #expect(!report.isViolated)
    }
  }

  /// A mouse has a battery and asks to be paired, and promised nothing of what a recorder promises.
  @Test(arguments: [false, true]) func onlyARecorderIsJudgedAsOne(isAdvertised: Bool) throws {
    var script = PacketScript()
    if isAdvertised {
      let data = DictofunAdvertisement.advertisingData
      script.get(
        .event,
        [0x3E, UInt8(12 + data.count), 0x02, 1, 0, 1] + PacketScript.recorderAddress.littleEndian + [UInt8(data.count)]
          + data + [0xC8])
    }
    script.connect()
    script.encrypt()
    script.ask([0x08, 0x28, 0x00, 0xFF, 0xFF, 0x03, 0x28])
    script.hear([0x09, 7, 0x28, 0, 0x12, 0x29, 0, 0x19, 0x2A])
    script.wait(.seconds(120))
    script.notify(0x29, [200])
    script.disconnect()
    let report = try CaptureJudge.judge(Self.capture(script))
    let foreign = "1 connection of \(TraceSource.phone()): no service of a recorder was found there"
    #expect(report.isViolated == isAdvertised)
    #expect(report.notJudged == (isAdvertised ? [] : [foreign]))
  }

  private static func foreign(_ script: PacketScript) -> ForeignCapture {
    ForeignCapture(
      lines: script.lines.map { line in
        ForeignCapture.Line(
          packet: HCIPacket(line.packet.kind, line.covered.applied(to: line.packet.bytes)),
          isReceived: line.direction == .toHost,
          microseconds: 1_700_000_000_000_000 + Int64(line.instant.nanoseconds / 1_000))
      })
  }
}
