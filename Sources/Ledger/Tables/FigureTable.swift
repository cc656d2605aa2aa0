import Verdicts

/// The table of figures.
struct FigureTable {
  static let table = (
    name: "ledger_figures",
    creation: """
    CREATE TABLE ledger_figures (
      \(ResultKey.declaration), name TEXT NOT NULL, value BIGINT NOT NULL, unit TEXT NOT NULL,
      PRIMARY KEY (\(ResultKey.columns), name))
    """
  )
  private static let columns = "\(ResultKey.columns), name, value, unit"

  let store: any LedgerStore

  /// Adds what one scenario measured.
  func insert(_ figures: [Figure], of key: ResultKey) throws(LedgerFailure) {
    for figure in figures {
      _ = try store.run(
        "INSERT INTO ledger_figures (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
        key.values + [.text(figure.name), .integer(figure.value), .text(figure.unit)])
    }
  }

  /// A figure in all runs.
  func all(named name: String) throws(LedgerFailure) -> [(key: ResultKey, figure: Figure)] {
    try select("name = ?", [.text(name)])
  }

  /// The figures of a run.
  func all(of run: String) throws(LedgerFailure) -> [(key: ResultKey, figure: Figure)] {
    try select("run = ?", [.text(run)])
  }

  /// What one scenario measured.
  func all(of key: ResultKey) throws(LedgerFailure) -> [Figure] {
    try select(ResultKey.condition, key.values).map(\.figure)
  }

  private func select(
    _ condition: String, _ values: [LedgerValue]
  ) throws(LedgerFailure) -> [(key: ResultKey, figure: Figure)] {
    let sql = "SELECT \(Self.columns) FROM ledger_figures WHERE \(condition)"
    return try store.run(sql, values).map { row throws(LedgerFailure) in
      (try ResultKey(row), Figure(try row.text(4), try row.integer(5), try row.text(6)))
    }
  }

  /// The names of all figures, in order.
  func names() throws(LedgerFailure) -> [String] {
    try store.run("SELECT DISTINCT name FROM ledger_figures ORDER BY name", []).map { row throws(LedgerFailure) in
      try row.text(0)
    }
  }
}
