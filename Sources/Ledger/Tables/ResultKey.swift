/// What one result is the result of. In a run, no two results have the same key.
package struct ResultKey: Hashable, Sendable, Codable {
  /// The name of the run.
  package var run: String
  /// The scenario's id.
  package var scenario: String
  /// The matrix cell; empty without one.
  package var cell: String
  /// Which turn of a repeated run, from 0.
  package var repetition: Int

  package init(run: String, scenario: String, cell: String, repetition: Int) {
    self.run = run
    self.scenario = scenario
    self.cell = cell
    self.repetition = repetition
  }

  /// The id with its cell.
  package var name: String { scenario + cell }

  /// The values of ``columns``.
  var values: [LedgerValue] { [.text(run), .text(scenario), .text(cell), .integer(Int64(repetition))] }

  /// The columns that hold it.
  static let columns = "run, scenario, cell, repetition"
  /// How those columns are declared.
  static let declaration =
    "run TEXT NOT NULL, scenario TEXT NOT NULL, cell TEXT NOT NULL, repetition BIGINT NOT NULL"
  /// The condition that they hold the values of ``values``.
  static let condition = "run = ? AND scenario = ? AND cell = ? AND repetition = ?"

  /// Reads the first four columns of a row.
  init(_ row: LedgerRow) throws(LedgerFailure) {
    self.init(
      run: try row.text(0), scenario: try row.text(1), cell: try row.text(2), repetition: Int(try row.integer(3)))
  }
}
