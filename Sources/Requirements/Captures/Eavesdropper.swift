import HCI
import Sniffer
import Timeline
import Trace

/// Somebody who hears every packet on the air and knows no key: what he learns of pairings and recordings.
package struct Eavesdropper {
  private struct Central {
    var adapter: UInt16
    var interpreter: PacketInterpreter
    var collector = RecordCollector()
  }

  private var follower = AirFollower()
  private var centrals: [Central] = []

  /// Nothing heard yet.
  package init() {}

  /// Takes the next packet, and returns what it gave away.
  package mutating func hear(_ packet: RadioPacket, at instant: Instant) -> [OracleEvent.Overheard] {
    var outcomes: [AirFollower.Outcome] = []
    follower.hear(packet, at: instant.nanoseconds, &outcomes)
    var learnt: [OracleEvent.Overheard] = []
    for outcome in outcomes {
      switch outcome {
      case .learnt(.shortTerm): learnt.append(.pairing(isReadable: true))
      case .pairingIsSecure: learnt.append(.pairing(isReadable: false))
      case .packet(let adapter, let packet, let isSent):
        guard let record = record(adapter, packet, isSent ? .toController : .toHost, instant) else { break }
        learnt.append(.record(record.identifier, octets: UInt32(clamping: record.octets.count)))
      case .lost(let adapter, let handle):
        // What was under way on it does not go on.
        let end = Event.disconnectionComplete(.success, handle, reason: .connectionTimeout)
        _ = record(adapter, end.packet, .toHost, instant)
      case .learnt(.longTerm), .omitted: break
      }
    }
    return learnt
  }

  private mutating func record(
    _ adapter: UInt16, _ packet: HCIPacket, _ direction: PacketDirection, _ instant: Instant
  ) -> CapturedRecord? {
    let index: Int
    if let known = centrals.firstIndex(where: { $0.adapter == adapter }) {
      index = known
    } else {
      index = centrals.count
      centrals.append(Central(adapter: adapter, interpreter: PacketInterpreter(.phone(adapter))))
    }
    var events: [ProductEvent] = []
    _ = centrals[index].interpreter.interpret(packet, direction, at: instant, &events)
    return centrals[index].collector.observe(packet, direction, events)
  }
}
