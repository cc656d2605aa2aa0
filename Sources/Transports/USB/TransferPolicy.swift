import HCI

/// The ways that packets take over USB.
enum USBWay: Hashable, Sendable, CaseIterable {
  /// Commands, to the controller.
  case commands
  /// Events, from the controller.
  case events
  /// ACL data from the controller.
  case incoming
  /// ACL data to the controller.
  case outgoing

  var isIncoming: Bool { self == .events || self == .incoming }
}

/// How a transfer ended.
enum TransferOutcome: Hashable, Sendable {
  case completed
  /// The endpoint refuses to go on until it is told to.
  case stalled
  /// The device sent more than its endpoint's packets hold.
  case overflow
  /// The device is gone.
  case gone
  /// We took it back.
  case cancelled
  /// The bus failed: no answer, or a broken one.
  case failed
}

/// What follows from the end of a transfer.
enum TransferAction: Hashable, Sendable {
  /// Take what it brought, and go on.
  case take
  /// The same again.
  case again
  /// The same again, after the endpoint's halt is cleared.
  case clearHalt
  /// The command got no further, and no answer will come; the host notices by its time-out.
  case pass
  /// Nothing: we are closing.
  case stop
  /// The device cannot be used any longer; the text says why.
  case giveUp(String)
}

/// Decides about one way's transfers; a disturbance is passed over, a row of them is not.
struct TransferPolicy: Sendable {
  /// Failures in a row after which a device is given up.
  static let limit = 3

  let way: USBWay
  private var failures = 0

  init(_ way: USBWay) { self.way = way }

  mutating func judge(_ outcome: TransferOutcome) -> TransferAction {
    switch outcome {
    case .completed:
      failures = 0
      return .take
    case .cancelled: return .stop
    case .gone: return .giveUp("unplugged")
    case .overflow: return .giveUp("the device sent more than fits into a packet of its endpoint for \(way)")
    // The next command makes the control endpoint go on by itself (USB 2.0, 8.5.3.4).
    case .stalled where way == .commands: return .pass
    case .stalled, .failed:
      failures += 1
      guard failures <= Self.limit else {
        return .giveUp("\(Self.limit + 1) transfers of \(way) failed in a row")
      }
      return outcome == .stalled ? .clearHalt : .again
    }
  }
}

/// Puts what one round of transfers brought into the order in which a host expects it.
///
/// Events and data travel on endpoints of their own, and which one the bus asks first says nothing about what happened
/// first. What lets data flow (a connection, its encryption) comes before the data; the end of a connection comes
/// after it.
enum RoundOrder {
  static func sorted(events: [HCIPacket], data: [HCIPacket]) -> [HCIPacket] {
    guard !data.isEmpty else { return events }
    let firstEnd = events.firstIndex { $0.bytes.first == disconnectionComplete } ?? events.endIndex
    return events[..<firstEnd] + data + events[firstEnd...]
  }

  /// Disconnection_Complete (Core Specification Vol 4, Part E, 7.7.5).
  private static let disconnectionComplete: UInt8 = 0x05
}
