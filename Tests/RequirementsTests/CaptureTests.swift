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

  private static func capture(_ script: PacketScript, adapter: UInt16 = 0) -> [UInt8] {
    let writer = BtsnoopWriter()
    var octets = BtsnoopWriter.fileHeader
    for line in script.lines {
      let packet = HCIPacket(line.packet.kind, line.covered.applied(to: line.packet.bytes))
      writer.append(
        line.direction == .toController ? .sent(packet) : .received(packet), adapter: adapter,
        unixMicroseconds: 1_700_000_000_000_000 + Int64(line.instant.nanoseconds / 1_000), to: &octets)
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
    #expect(throws: BtsnoopFailure.self) { try CaptureJudge.judge([1, 2, 3]) }
  }
}
