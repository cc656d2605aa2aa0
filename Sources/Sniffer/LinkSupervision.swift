import HCI

/// When a listener heard one connection, and whether its central gave it up (Core Specification Vol 6, Part B, 4.5.2).
/// Instants are nanoseconds.
struct LinkSupervision {
  /// Intervals for which a central waits for the first answer.
  private static let firstAnswerIntervals: UInt64 = 6

  private var interval: UInt64 = 0
  private var timeout: UInt64 = 0
  private var isEstablished = false
  private var heardAt: UInt64
  private var centralHeardAt: UInt64
  /// Since when the central is heard without a hole, and no packet of the peripheral reached it.
  private var unansweredSince: UInt64

  init(_ parameters: LELinkParameters, at now: UInt64) {
    (heardAt, centralHeardAt, unansweredSince) = (now, now, now)
    change(parameters)
  }

  /// The connection has other parameters from now on.
  mutating func change(_ parameters: LELinkParameters) {
    interval = UInt64(parameters.intervalUnits) * 1_250_000
    timeout = UInt64(parameters.supervisionTimeoutUnits) * 10_000_000
  }

  /// A packet was heard.
  mutating func hear(isFromCentral: Bool, at now: UInt64) {
    heardAt = now
    guard isFromCentral else { return }
    // A central that lives sends at least twice within the time-out; what happened meanwhile, nobody knows.
    if Self.elapsed(centralHeardAt, now) > timeout / 2 { unansweredSince = now }
    centralHeardAt = now
  }

  /// A packet of the peripheral has reached the central.
  mutating func answer() {
    isEstablished = true
    unansweredSince = heardAt
  }

  /// Whether nothing was heard for longer than the connection can live without a packet.
  func isSilent(at now: UInt64) -> Bool { Self.elapsed(heardAt, now) > timeout }

  /// Why the connection ended, where the central was heard to wait in vain for as long as it waits, less two intervals.
  var reason: ErrorCode? {
    let patience = isEstablished ? timeout : min(timeout, Self.firstAnswerIntervals * interval)
    guard Self.elapsed(unansweredSince, centralHeardAt) + 2 * interval >= patience else { return nil }
    return isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished
  }

  private static func elapsed(_ from: UInt64, _ to: UInt64) -> UInt64 { to > from ? to - from : 0 }
}
