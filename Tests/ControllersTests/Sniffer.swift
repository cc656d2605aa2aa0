import Controllers
import Timeline

/// Keeps what is on the air, and lets a test interfere right after a packet.
final class Sniffer {
  private(set) var observations: [AirObservation] = []
  var afterEach: ((AirObservation) -> Void)?

  init(_ air: Air) {
    air.observer = { [unowned self] observation in
      observations.append(observation)
      afterEach?(observation)
    }
  }

  func forget() { observations.removeAll() }

  var packets: [(observation: AirObservation, packet: ConnectionPacketObservation)] {
    observations.compactMap { observation in
      guard case .connection(let packet) = observation.content else { return nil }
      return (observation, packet)
    }
  }

  /// Beginnings of connection events, in order.
  var anchors: [(instant: Instant, event: UInt16)] {
    var result: [(Instant, UInt16)] = []
    for (observation, packet) in packets where packet.fromCentral && result.last?.1 != packet.eventCounter {
      result.append((observation.instant, packet.eventCounter))
    }
    return result
  }

  /// Opcodes of control PDUs in the order they were first sent.
  var controls: [(opcode: UInt8, fromCentral: Bool, isEncrypted: Bool)] {
    packets.compactMap { _, packet in
      guard case .control(let opcode) = packet.payload, !packet.isRetransmission else { return nil }
      return (opcode, packet.fromCentral, packet.isEncrypted)
    }
  }

  /// Beginnings of advertising PDUs with their channels.
  var advertising: [(instant: Instant, channel: Int)] {
    observations.compactMap { observation in
      guard case .advertising(_, _, let channel) = observation.content else { return nil }
      return (observation.instant, channel)
    }
  }
}

extension Pair {
  /// A chance of loss so small that nothing is lost, but every idle connection event is played.
  func playEveryEvent() {
    air.setLoss(from: central.controller, to: peripheral.controller, lostPartsPerMillion: 1)
  }

  /// Loses everything in one direction, or nothing.
  func lose(_ all: Bool, fromCentral: Bool, corrupting: Bool = false) {
    let (sender, receiver) =
      fromCentral
      ? (central.controller, peripheral.controller) : (peripheral.controller, central.controller)
    air.setLoss(
      from: sender, to: receiver, lostPartsPerMillion: all && !corrupting ? 1_000_000 : 0,
      corruptedPartsPerMillion: all && corrupting ? 1_000_000 : 0)
  }
}
