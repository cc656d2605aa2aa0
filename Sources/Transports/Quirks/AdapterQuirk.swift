/// A way in which an adapter deviates from the specification, and with which this program can live.
///
/// The list is closed: every word changes what ``AdaptedPipe`` or ``AdapterPreparation`` does.
package enum AdapterQuirk: String, Hashable, Sendable, CaseIterable {
  /// The adapter loses what is sent to it within the first seconds, or hangs. Nothing is sent for ``settlingTime``.
  case slowToOpen = "slow-to-open"
  /// Only a second HCI_Reset brings it to its initial state. Every reset is sent twice.
  case needsSecondReset = "needs-second-reset"
  /// It never gives the host a further credit for commands (Core Specification Vol 4, Part E, 4.4). A count of zero is
  /// taken for one.
  case countsNoCredits = "counts-no-credits"
  /// It claims the LE Data Packet Length Extension and works badly with it. Hosts are told that it does not have it.
  case noDataLength = "no-data-length"
  /// It has fewer ACL buffers than it says. Hosts are told that it has one.
  case tooManyBuffers = "too-many-buffers"
  /// It reports no advertisement until scanning was enabled a second time after a reset. It is enabled twice.
  case needsSecondScan = "needs-second-scan"

  /// How long nothing is sent to an adapter that is slow to open.
  static let settlingTime = Duration.seconds(3)

  /// Whether it matters before the adapter can be asked for its version.
  package var precedesVersion: Bool { self == .slowToOpen }

  /// What the adapter does, and what is done about it; in words that follow the quirk's name.
  package var meaning: String {
    switch self {
    case .slowToOpen: "hangs when something is sent right after it was opened; nothing is sent for 3 s"
    case .needsSecondReset: "only a second reset brings it to its initial state; every reset is sent twice"
    case .countsNoCredits: "gives no credit for the next command; no credit is taken for one"
    case .noDataLength: "claims the LE Data Packet Length Extension and works badly with it; it is not used"
    case .tooManyBuffers: "has fewer ACL buffers than it says; one is used"
    case .needsSecondScan: "reports nothing until scanning was enabled twice; it is enabled twice"
    }
  }
}
