import HCI
import Timeline
import Trace
import Verdicts

/// Judges a btsnoop capture, made here or elsewhere, with the interpreter and the monitors of live runs.
package enum CaptureJudge {
  /// Adapters that are followed; records of further ones are passed over.
  package static let adapterLimit = 32

  private struct Packet {
    var adapter: UInt16
    var packet: HCIPacket
    var direction: PacketDirection
    var instant: Instant
  }

  /// Judges the octets of a file. `observer` gets every event, in order. Throws if it is not a btsnoop file.
  package static func judge(
    _ bytes: [UInt8], observer: (ProductEvent) -> Void = { _ in }
  ) throws(BtsnoopFailure) -> CaptureReport {
    var reader = try BtsnoopReader(bytes)
    var brokenBy: BtsnoopFailure?
    var packets: [Packet] = []
    var base: Int64?
    var last = Instant.zero
    while true {
      let record: BtsnoopRecord?
      do {
        record = try reader.next()
      } catch {
        brokenBy = error
        break
      }
      guard let record else { break }
      guard let (packet, direction) = content(record) else { continue }
      let first = base ?? record.unixMicroseconds
      base = first
      // Clocks are set while captures run; time never goes back here.
      let (elapsed, isBroken) = record.unixMicroseconds.subtractingReportingOverflow(first)
      let microseconds = isBroken ? 0 : min(max(elapsed, 0), Int64.max / 2_000)
      last = max(last, Instant(nanoseconds: UInt64(microseconds) * 1_000))
      packets.append(Packet(adapter: record.adapter, packet: packet, direction: direction, instant: last))
    }
    return judge(packets, brokenBy: brokenBy, span: Instant.zero.duration(to: last), observer)
  }

  private static func content(_ record: BtsnoopRecord) -> (HCIPacket, PacketDirection)? {
    switch record.content {
    case .sent(let packet): (packet, .toController)
    case .received(let packet): (packet, .toHost)
    default: nil
    }
  }

  private static func judge(
    _ packets: [Packet], brokenBy: BtsnoopFailure?, span: Duration, _ observer: (ProductEvent) -> Void
  ) -> CaptureReport {
    let adapters = adapters(packets)
    let viewpoint: TraceSource.Part = adapters.contains { $0.source.part == .phone } ? .phone : .recorder
    var interpreters = adapters.map { PacketInterpreter($0.source) }
    var monitors = MonitorSet(from: viewpoint, isCapture: true)
    var conversation = Conversation(from: viewpoint)
    var events: [ProductEvent] = []
    var count = 0
    for packet in packets {
      guard let index = adapters.firstIndex(where: { $0.index == packet.adapter }) else { continue }
      events.removeAll(keepingCapacity: true)
      _ = interpreters[index].interpret(packet.packet, packet.direction, at: packet.instant, &events)
      count += events.count
      for event in events {
        monitors.observe(event)
        conversation.observe(event)
        observer(event)
      }
    }
    let end = packets.last?.instant ?? .zero
    let findings = monitors.finish(at: end)
    return CaptureReport(
      adapters: adapters, viewpoint: viewpoint, packets: packets.count, events: count, span: span,
      brokenBy: brokenBy?.description, findings: findings, open: conversation.openObligations(at: end))
  }

  /// Which adapter is which host, by the role in its first connection. Where there is none, a host that advertises is a
  /// recorder.
  private static func adapters(_ packets: [Packet]) -> [CaptureReport.Adapter] {
    var indices: [UInt16] = []
    var parts: [TraceSource.Part?] = []
    for packet in packets {
      if !indices.contains(packet.adapter) {
        guard indices.count < adapterLimit else { continue }
        indices.append(packet.adapter)
        parts.append(nil)
      }
      guard let position = indices.firstIndex(of: packet.adapter), parts[position] == nil else { continue }
      parts[position] = part(packet.packet)
    }
    var phones: UInt16 = 0
    var recorders: UInt16 = 0
    return zip(indices, parts).map { index, part in
      if part == .recorder {
        defer { recorders += 1 }
        return CaptureReport.Adapter(index: index, source: .recorder(recorders))
      }
      defer { phones += 1 }
      return CaptureReport.Adapter(index: index, source: .phone(phones))
    }
  }

  /// Returns what a packet reveals about its host; `nil` if nothing.
  private static func part(_ packet: HCIPacket) -> TraceSource.Part? {
    switch packet.kind {
    case .command:
      let opcode = packet.bytes.count < 2 ? 0 : UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8
      switch Opcode(rawValue: opcode) {
      case .leCreateConnection: return .phone
      case .leSetAdvertisingEnable: return .recorder
      default: return nil
      }
    case .event where packet.bytes.first == EventCode.leMeta.rawValue:
      switch try? Event(decoding: packet.bytes) {
      case .leConnectionComplete(let connection) where connection.status == .success:
        return connection.role == .central ? .phone : .recorder
      case .leEnhancedConnectionComplete(let enhanced) where enhanced.connection.status == .success:
        return enhanced.connection.role == .central ? .phone : .recorder
      default: return nil
      }
    default: return nil
    }
  }
}
