import Bytes
import DictofunProtocol
import Timeline
import Trace

/// Octets of a record whose size was told, within that size: what nearly all events of a transfer are.
///
/// Who needs only the last of a row keeps this in place of its event, which is expensive to copy.
struct PlainPacket {
  fileprivate let instant: Instant
  fileprivate let source: TraceSource
  fileprivate let link: UInt32
  fileprivate let peer: BluetoothAddress?
  fileprivate let record: RecordIdentifier?
  fileprivate let octets: UInt32
  fileprivate let received: UInt32
  fileprivate let size: UInt32

  /// Whether the packet of an event went the same way.
  func isOfRow(_ event: ProductEvent) -> Bool { source == event.source && link == event.link }

  /// The event that told of it.
  var event: ProductEvent {
    ProductEvent(
      at: instant, from: source, link: link, peer: peer,
      .fileTransfer(.data(record, octets: octets, received: received, size: size)))
  }
}

extension ProductEvent {
  /// The packet that it tells of; `nil` for any other event. Asked of the event, which an initializer would copy.
  var plainPacket: PlainPacket? {
    guard case .fileTransfer(.data(let record, let octets, let received, let size?)) = happening, octets > 0,
      received <= size
    else { return nil }
    return PlainPacket(
      instant: instant, source: source, link: link, peer: peer, record: record, octets: octets, received: received,
      size: size)
  }
}
