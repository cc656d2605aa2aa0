import Timeline

/// How far the record that is arriving has come.
package struct TransferProgress: Equatable, Sendable {
  /// Which record.
  package var identifier: String
  /// Octets received.
  package var received: UInt32
  /// Octets of the whole record.
  package var total: UInt32
  /// Octets a second since the first ones; `nil` before it can be told.
  package var octetsPerSecond: Int?

  /// How much of it has arrived; an empty record is complete.
  package var percent: Int { total > 0 ? Int(received) * 100 / Int(total) : 100 }
}

/// Measures how fast records arrive.
struct TransferMeter: Sendable {
  private(set) var totals = PullTotals()
  /// The record that is arriving, when its first octets were seen, and how many those were.
  private var current: (identifier: String, began: Instant, octets: UInt32)?
  private var lastSeen = Instant.zero

  mutating func add(written: [String]) { totals.written += written }

  /// Takes that a record is complete.
  mutating func stored(_ octets: UInt32) {
    totals.downloaded += 1
    totals.octets += Int(octets)
    totals.interrupted = nil
    current = nil
  }

  /// Takes that octets of a record arrived.
  mutating func progress(
    _ identifier: String, _ received: UInt32, of total: UInt32, at now: Instant
  ) -> TransferProgress {
    var progress = TransferProgress(identifier: identifier, received: received, total: total)
    totals.interrupted = progress
    guard let current, current.identifier == identifier, received >= current.octets else {
      current = (identifier, now, received)
      lastSeen = now
      return progress
    }
    totals.transferring += lastSeen.duration(to: now)
    lastSeen = now
    let milliseconds = Int(current.began.duration(to: now) / .milliseconds(1))
    if milliseconds > 0 { progress.octetsPerSecond = Int(received - current.octets) * 1_000 / milliseconds }
    return progress
  }
}
