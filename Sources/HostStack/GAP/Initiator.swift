import Bytes
import HCI

/// Making a connection as central (Core Specification Vol 4, Part E, 7.8.12 and 7.8.13).
///
///     idle ──connect──▶ connecting ──Connection_Complete──▶ idle
///                          │ cancel                          ▲
///                          ╰──▶ cancelling ──────────────────╯ 0x02, a connection that won the race, or no event
///
/// A cancelled attempt ends in a Connection_Complete with 0x02; when the connection was made first, that one comes and
/// counts. Some controllers send nothing, so the wait for it has a time-out. A controller that has nothing to cancel
/// has lost the event that ended the attempt.
struct Initiator: Sendable {
  private enum State {
    case idle
    case connecting
    case cancelling
    /// The controller has nothing to cancel, and has not reported how the attempt ended.
    case over
  }

  private var state = State.idle

  /// Begins an attempt; `false` while another is under way.
  mutating func begin() -> Bool {
    guard state == .idle else { return false }
    state = .connecting
    return true
  }

  /// Begins cancelling; `false` when there is nothing to cancel.
  mutating func cancel() -> Bool {
    guard state == .connecting else { return false }
    state = .cancelling
    return true
  }

  /// Whether the attempt has ended without an event that says how.
  var isOver: Bool { state == .over }

  /// The controller has nothing to cancel.
  mutating func endUntold() { if state == .cancelling { state = .over } }

  /// The attempt is over; `false` when there was none.
  mutating func end() -> Bool {
    defer { state = .idle }
    return state != .idle
  }
}
