import DictofunProtocol
import HCI
import Packets

/// A record whose every octet passed in a capture.
package struct CapturedRecord: Hashable, Sendable {
  /// Its identifier; `nil` where the request for it was not heard.
  package var identifier: RecordIdentifier?
  /// Its octets. All are zero where the capture covers recordings.
  package var octets: [UInt8]

  /// Whether the capture covers what was recorded.
  package var isCovered: Bool { octets.allSatisfy { $0 == 0 } }
}

/// Collects the records that pass between one host and its controller. The interpreter tells when octets of a record came;
/// here they are taken out of their packets.
struct RecordCollector {
  /// Octets of a record that are kept while it is under way.
  private static let limit = 16 << 20

  private struct Stream {
    var handle: UInt16
    var direction: PacketDirection
    var assembly = FrameAssembly()
    var octets: [UInt8] = []
  }

  private var streams: [Stream] = []

  /// Takes a packet and what it meant. Returns the record that it completes.
  mutating func observe(
    _ packet: HCIPacket, _ direction: PacketDirection, _ events: [ProductEvent]
  ) -> CapturedRecord? {
    guard packet.kind == .acl, packet.bytes.count >= ACLPacket.headerLength else { return nil }
    let head = UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8
    let index = place(head & 0x0FFF, direction)
    let fragment = packet.bytes[ACLPacket.headerLength...]
    if (head >> 12) & 0b11 == 0b01 {
      if streams[index].assembly.isRunning { streams[index].assembly.append(fragment) }
    } else {
      streams[index].assembly.begin(fragment)
    }
    for event in events {
      switch event.happening {
      case .fileTransfer(.data(_, let octets, let received, _)):
        let frame = streams[index].assembly.octets
        guard frame.count >= Int(octets) else { break }
        if received == octets { streams[index].octets.removeAll(keepingCapacity: true) }
        guard streams[index].octets.count + Int(octets) <= Self.limit else { break }
        streams[index].octets += frame.suffix(Int(octets))
      case .fileTransfer(.completed(let identifier, let octets)) where streams[index].octets.count == Int(octets):
        defer { streams[index].octets = [] }
        return CapturedRecord(identifier: identifier, octets: streams[index].octets)
      default: break
      }
    }
    return nil
  }

  private mutating func place(_ handle: UInt16, _ direction: PacketDirection) -> Int {
    if let known = streams.firstIndex(where: { $0.handle == handle && $0.direction == direction }) { return known }
    if streams.count == 2 * PacketInterpreter.linkLimit { streams.removeFirst() }
    streams.append(Stream(handle: handle, direction: direction))
    return streams.count - 1
  }
}
