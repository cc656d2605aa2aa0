import HCI
import Synchronization

@testable import Transports

/// The server of a controller that turns its first visitors away, because it has not noticed that the host before them left.
struct BusyTransport: Transport {
  static let schemes = ["busy"]
  static let examples = ["2"]

  private let refusals: Int
  private let visits = Visits()

  init(turningAway refusals: Int) { self.refusals = refusals }
  init(parsing rest: String, after scheme: String) { self.init(turningAway: Int(rest) ?? 0) }

  var rest: String { String(refusals) }
  var specification: TransportSpecification { TransportSpecification(self) }
  /// How many came.
  var visitCount: Int { visits.count.withLock { $0 } }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    let visit = visits.count.withLock { count in
      count += 1
      return count
    }
    guard visit <= refusals else { return try QuirkyTransport(nil).begin(request) }
    request.loop.schedule(after: .zero) { request.finish(.success(ShutDoor())) }
    return Attempt()
  }
}

/// Counts those who come; one place is not another.
private final class Visits: Hashable, Sendable {
  let count = Mutex(0)

  static func == (left: Visits, right: Visits) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A pipe that is closed before anything comes through it.
private final class ShutDoor: PacketPipe {
  weak var receiver: (any PacketReceiver)?

  func send(_ packet: HCIPacket) { receiver?.pipeClosed(.closedByPeer) }
  func close() {}
}

/// Nothing is held while such a pipe is opened.
private final class Attempt: OpeningAttempt {
  let listeningAt: TransportSpecification? = nil
  let exposure: String? = nil

  func cancel() {}
}
