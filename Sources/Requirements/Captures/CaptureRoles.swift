import HCI
import Packets
import Trace
import Verdicts

/// Finds out which adapter of a capture is whose host.
///
/// A connection says it by its role. Where there is none, a host that advertises is a recorder. A recorder is never central,
/// while a phone may advertise and be connected to by other things. Where the capture begins inside a connection, what is said
/// on it tells: recorders notify, and centrals begin pairings and encryption.
struct CaptureRoles {
  private struct Adapter {
    var index: UInt16
    var part: TraceSource.Part?
    var hint: TraceSource.Part?
  }

  private var adapters: [Adapter] = []

  /// Takes the next packet, of the adapter at `place`. An adapter that is new has the place behind all others.
  mutating func observe(_ packet: CapturePackets.Packet, at place: Int) {
    if place == adapters.count { adapters.append(Adapter(index: packet.adapter)) }
    guard adapters[place].part != .phone else { return }
    adapters[place].part = Self.part(packet.packet) ?? adapters[place].part
    if adapters[place].hint == nil { adapters[place].hint = Self.hint(packet) }
  }

  /// The adapters in order of their first packet; one that tells nothing of itself is taken for a phone's.
  var result: [CaptureReport.Adapter] {
    var (phones, recorders) = (UInt16(0), UInt16(0))
    return adapters.map { adapter in
      if adapter.part ?? adapter.hint == .recorder {
        defer { recorders += 1 }
        return CaptureReport.Adapter(index: adapter.index, source: .recorder(recorders))
      }
      defer { phones += 1 }
      return CaptureReport.Adapter(index: adapter.index, source: .phone(phones))
    }
  }

  /// The adapters that told nothing of themselves.
  var unknown: [UInt16] { adapters.filter { $0.part == nil && $0.hint == nil }.map(\.index) }

  /// Returns what a packet says about its host; `nil` if nothing.
  private static func part(_ packet: HCIPacket) -> TraceSource.Part? {
    switch packet.kind {
    case .command:
      switch opcode(packet) {
      case .leCreateConnection: return .phone
      // What stands behind opcode and length is whether.
      case .leSetAdvertisingEnable: return packet.bytes.count > 3 && packet.bytes[3] != 0 ? .recorder : nil
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

  /// Returns what a packet inside a connection lets suppose about its host; `nil` if nothing.
  private static func hint(_ packet: CapturePackets.Packet) -> TraceSource.Part? {
    let isSent = packet.direction == .toController
    let bytes = packet.packet.bytes
    switch packet.packet.kind {
    case .command: return opcode(packet.packet) == .leEnableEncryption ? .phone : nil
    case .event:
      if case .leLongTermKeyRequest = try? Event(decoding: bytes) { return .recorder }
      return nil
    case .acl:
      let code = ACLPacket.headerLength + L2CAPHeader.length
      guard bytes.count > code, bytes[code - 1] == 0 else { return nil }
      switch (bytes[code - 2], bytes[code]) {
      case (4, ATTOpcode.handleValueNotification.rawValue): return isSent ? .recorder : .phone
      case (6, SMPCommand.Code.pairingRequest.rawValue): return isSent ? .phone : .recorder
      default: return nil
      }
    case .synchronous, .isochronous: return nil
    }
  }

  private static func opcode(_ packet: HCIPacket) -> Opcode {
    Opcode(rawValue: packet.bytes.count < 2 ? 0 : UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8)
  }
}
