/// The table of qualifications: the documents that were handed out.
struct QualificationTable {
  static let table = (
    name: "ledger_qualifications",
    creation: """
    CREATE TABLE ledger_qualifications (
      sequence BIGINT PRIMARY KEY, firmware TEXT NOT NULL, recorded BIGINT NOT NULL, document TEXT NOT NULL)
    """
  )

  let store: any LedgerStore

  /// Adds the document of a qualification, which is JSON.
  func insert(_ firmware: String, at recorded: Int64, _ document: String) throws(LedgerFailure) {
    _ = try store.run(
      "INSERT INTO ledger_qualifications (sequence, firmware, recorded, document) VALUES (?, ?, ?, ?)",
      [
        .integer(try store.nextSequence(in: "ledger_qualifications")), .text(firmware), .integer(recorded),
        .text(document),
      ])
  }

  /// The last document about each firmware but one, oldest first.
  func lastOfEach(but firmware: String) throws(LedgerFailure) -> [String] {
    try store.run(
      """
      SELECT document FROM ledger_qualifications WHERE firmware <> ? AND sequence IN
        (SELECT MAX(sequence) FROM ledger_qualifications GROUP BY firmware) ORDER BY sequence
      """, [.text(firmware)]
    ).map { row throws(LedgerFailure) in try row.text(0) }
  }

  /// The last document about a firmware; `nil` where there is none.
  func last(about firmware: String) throws(LedgerFailure) -> String? {
    try store.run(
      "SELECT document FROM ledger_qualifications WHERE firmware = ? ORDER BY sequence DESC LIMIT 1",
      [.text(firmware)]
    ).first?.text(0)
  }
}
