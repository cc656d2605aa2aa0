import HostStack
import Phone
import Synchronization
import Timeline

/// The values that a recorder notified, with the instants at which the phone had them.
final class Hearing: Sendable {
  /// One value.
  struct Value: Sendable {
    var instant: Instant
    var attribute: AttributeHandle
    var octets: [UInt8]
  }

  /// More values than this are not kept; a recorder can send any number.
  private static let limit = 100_000
  private let values = Mutex<[Value]>([])

  func take(_ event: PhoneEvent, at instant: Instant) {
    guard case .valueReceived(let attribute, let octets, _) = event else { return }
    values.withLock { values in
      if values.count < Self.limit { values.append(Value(instant: instant, attribute: attribute, octets: octets)) }
    }
  }

  /// How many values came so far.
  var count: Int { values.withLock { $0.count } }

  /// The values after the first `count`.
  func values(after count: Int) -> [Value] { values.withLock { Array($0.dropFirst(count)) } }
}
