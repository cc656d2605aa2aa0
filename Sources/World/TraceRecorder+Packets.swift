import HCI
import Requirements
import Timeline
import Trace

extension TraceRecorder {
  /// Writes a packet that crossed between a host and its controller; `bytes` is the masked content.
  func record(
    _ kind: HCIPacket.Kind, _ direction: PacketDirection, from source: TraceSource, at instant: Instant,
    _ bytes: [UInt8]
  ) {
    switch (kind, direction) {
    case (.command, .toController): record(.hciCommand, from: source, at: instant, bytes)
    case (.acl, .toController): record(.hciDataToController, from: source, at: instant, bytes)
    case (.acl, .toHost): record(.hciDataToHost, from: source, at: instant, bytes)
    case (.event, .toHost): record(.hciEvent, from: source, at: instant, bytes)
    case (_, .toController): record(.hciOtherToController, from: source, at: instant, [kind.rawValue] + bytes)
    case (_, .toHost): record(.hciOtherToHost, from: source, at: instant, [kind.rawValue] + bytes)
    }
  }
}
