import HCI
import Requirements
import Timeline
import Trace

extension TraceRecorder {
  /// Writes a packet that crossed between a host and its controller, with `covered` zeroed.
  func record(
    _ packet: borrowing HCIPacket, _ direction: PacketDirection, covering covered: Range<Int>, from source: TraceSource,
    at instant: Instant
  ) {
    let kind: TraceKind
    switch (packet.kind, direction) {
    case (.command, .toController): kind = .hciCommand
    case (.acl, .toController): kind = .hciDataToController
    case (.acl, .toHost): kind = .hciDataToHost
    case (.event, .toHost): kind = .hciEvent
    case (_, .toController): return record(.hciOtherToController, from: source, at: instant, packet.withIndicator)
    case (_, .toHost): return record(.hciOtherToHost, from: source, at: instant, packet.withIndicator)
    }
    record(packet: packet.bytes, covering: covered, kind, from: source, at: instant)
  }
}

extension HCIPacket {
  /// The packet behind its H4 indicator (Vol 4, Part A, 2).
  fileprivate var withIndicator: [UInt8] { [kind.rawValue] + bytes }
}
