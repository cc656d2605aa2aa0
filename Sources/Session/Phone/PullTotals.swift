/// What a pull has fetched so far, over all its connections.
package struct PullTotals: Equatable, Sendable {
  /// Records fetched.
  package var downloaded = 0
  /// Octets of these records.
  package var octets = 0
  /// Identifiers of the records that were written to files.
  package var written: [String] = []
  /// The record that did not arrive whole, where the last connection broke in one.
  package var interrupted: TransferProgress?
  /// How long octets of records were arriving.
  package var transferring = Duration.zero

  package init() {}

  /// Octets of records a second while they arrived; `nil` where that did not last long enough to tell.
  package var octetsPerSecond: Int? {
    let milliseconds = Int(transferring / .milliseconds(1))
    return milliseconds > 0 ? octets * 1_000 / milliseconds : nil
  }
}
