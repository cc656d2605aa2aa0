import Verdicts

/// The table of what scenarios say about requirements.
struct StatementTable {
  static let table = (
    name: "ledger_requirements",
    creation: """
    CREATE TABLE ledger_requirements (
      \(ResultKey.declaration), position BIGINT NOT NULL, requirement TEXT NOT NULL, clauses TEXT NOT NULL,
      kind TEXT NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (\(ResultKey.columns), position))
    """
  )
  private static let columns = "\(ResultKey.columns), position, requirement, clauses, kind, source, reason"

  let store: any LedgerStore

  /// Adds all that one scenario says.
  func insert(_ statements: [RequirementStatement], of key: ResultKey) throws(LedgerFailure) {
    for (position, statement) in statements.enumerated() {
      _ = try store.run(
        "INSERT INTO ledger_requirements (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        key.values + [
          .integer(Int64(position)), .text(statement.requirement), .text(statement.clauses.joined(separator: " ")),
          .text(statement.kind.rawValue), .text(statement.source), .text(statement.reason),
        ])
    }
  }

  /// What one scenario says, in its order.
  func all(of key: ResultKey) throws(LedgerFailure) -> [RequirementStatement] {
    try select(ResultKey.condition, key.values).map(\.statement)
  }

  /// What the scenarios of a run say, each in its order.
  func all(of run: String) throws(LedgerFailure) -> [(key: ResultKey, statement: RequirementStatement)] {
    try select("run = ?", [.text(run)])
  }

  /// What all runs say about a requirement, each in its order.
  func all(about requirement: String) throws(LedgerFailure) -> [(key: ResultKey, statement: RequirementStatement)] {
    try select("requirement = ?", [.text(requirement)])
  }

  private func select(
    _ condition: String, _ values: [LedgerValue]
  ) throws(LedgerFailure) -> [(key: ResultKey, statement: RequirementStatement)] {
    // The order within one scenario is that of its positions; the reader puts scenarios into an order.
    let sql = "SELECT \(Self.columns) FROM ledger_requirements WHERE \(condition) ORDER BY position"
    return try store.run(sql, values).map { row throws(LedgerFailure) in
      guard let kind = RequirementStatement.Kind(rawValue: try row.text(7)) else { throw row.damaged(7, "an outcome") }
      return (
        try ResultKey(row),
        RequirementStatement(
          try row.text(5), kind, clauses: try row.text(6).split(separator: " ").map(String.init),
          source: try row.text(8), reason: try row.text(9))
      )
    }
  }
}
