import Crypto
import HCI
import Timeline

/// A control procedure that an end starts (Core Specification Vol 6, Part B, 5.1).
enum LinkProcedure {
  case features
  case version
  case dataLength
  case phy(PHYPreference)
  case parameters(LEConnectionTiming)
  case encryption(LEEnableEncryption)

  /// Whether it ends at an instant; two such procedures cannot run at once (5.3).
  var hasInstant: Bool {
    switch self {
    case .phy, .parameters: true
    default: false
    }
  }
}

/// Procedures of one end: one at a time, the others wait (Core Specification Vol 6, Part B, 5.2).
struct ProcedureQueue {
  private(set) var active: LinkProcedure?
  private var waiting: [LinkProcedure] = []
  private var alarm: ScheduledEvent?

  /// Procedures that may wait; more are refused.
  static let limit = 16
  /// How long an answer may take (5.2).
  static let timeout = Duration.seconds(40)

  var isFull: Bool { waiting.count >= Self.limit }

  mutating func append(_ procedure: LinkProcedure) { waiting.append(procedure) }

  /// The next procedure to begin, when none is under way; while an instant is pending none that has one itself (5.3).
  mutating func next(hasPendingInstant: Bool) -> LinkProcedure? {
    guard active == nil, let first = waiting.first, !(hasPendingInstant && first.hasInstant) else { return nil }
    active = waiting.removeFirst()
    return active
  }

  mutating func finish(_ loop: EventLoop) {
    active = nil
    stopTimer(loop)
  }

  mutating func startTimer(_ loop: EventLoop, _ target: LinkEnd) {
    stopTimer(loop)
    alarm = loop.schedule(
      at: loop.now.advanced(by: Self.timeout), target: target, argument: LinkEnd.Alarm.procedure.rawValue)
  }

  mutating func stopTimer(_ loop: EventLoop) {
    if let alarm { loop.cancel(alarm) }
    alarm = nil
  }

  mutating func stop(_ loop: EventLoop) {
    stopTimer(loop)
    active = nil
    waiting.removeAll()
  }
}

/// Something that both ends change at the same connection event.
enum PendingInstant: Hashable {
  case parameters(ConnectionUpdate)
  case phy(PHYUpdate)

  var instant: UInt16 {
    switch self {
    case .parameters(let update): update.instant
    case .phy(let update): update.instant
    }
  }
}

/// How far starting encryption has come (Core Specification Vol 6, Part B, 5.1.3).
enum EncryptionState {
  /// Nothing is under way.
  case idle
  /// Central: the old key is being given up.
  case pausing
  /// Central: LL_ENC_REQ is sent, with this half of the session key's and vector's material.
  case requested(EncryptionRequest)
  /// Central: both halves are known.
  case awaitingStart(LinkEncryption)
  /// Central: its direction is encrypted.
  case awaitingStartResponse
  /// Peripheral: the old key is given up.
  case paused
  /// Peripheral: the host has been asked for the key.
  case awaitingKey(EncryptionRequest, diversifier: UInt64, vector: UInt32)
  /// Peripheral: it has the key and has said so.
  case awaitingEncryptedStart(LinkEncryption)

  var isIdle: Bool {
    if case .idle = self { return true }
    return false
  }
}
