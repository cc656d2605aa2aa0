import Verdicts

/// The table of waivers, as qualifications of each firmware saw them.
struct WaiverTable {
  static let table = (
    name: "ledger_waivers",
    creation: """
    CREATE TABLE ledger_waivers (
      firmware TEXT NOT NULL, requirement TEXT NOT NULL, granted_by TEXT NOT NULL, until_date TEXT NOT NULL,
      why TEXT NOT NULL, place TEXT NOT NULL, expired BIGINT NOT NULL,
      PRIMARY KEY (firmware, requirement, granted_by, until_date, expired))
    """
  )

  let store: any LedgerStore

  /// Adds the waivers that the qualification of a firmware saw on a day. One that is there already is not added again.
  func insert(_ waivers: [Waiver], of firmware: String, on today: String) throws(LedgerFailure) {
    for waiver in waivers {
      _ = try store.run(
        """
        INSERT INTO ledger_waivers (firmware, requirement, granted_by, until_date, why, place, expired)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        [
          .text(firmware), .text(waiver.requirement), .text(waiver.grantedBy), .text(waiver.until),
          .text(waiver.reason), .text(waiver.place), .integer(waiver.isExpired(on: today) ? 1 : 0),
        ])
    }
  }
}
