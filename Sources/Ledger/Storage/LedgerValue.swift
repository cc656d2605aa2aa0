/// A value that goes into a statement or comes out of one.
package enum LedgerValue: Hashable, Sendable {
  /// A whole number.
  case integer(Int64)
  /// A text without U+0000, which PostgreSQL cannot store.
  case words(String)
  /// Nothing.
  case null

  /// A text. U+0000, which a device may have sent, is replaced by its picture U+2400.
  package static func text(_ text: String) -> LedgerValue {
    .words(
      text.utf8.contains(0) ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "␀" : $0 })) : text
    )
  }

  /// A text, or nothing.
  package static func text(_ text: String?) -> LedgerValue { text.map { .text($0) } ?? .null }
  /// A number, or nothing.
  package static func integer(_ number: Int64?) -> LedgerValue { number.map { .integer($0) } ?? .null }
}

/// One row of an answer; its columns are counted from 0.
package struct LedgerRow: Sendable {
  private let values: [LedgerValue]
  private let ledger: String

  init(_ values: [LedgerValue], of ledger: String) {
    self.values = values
    self.ledger = ledger
  }

  /// A text. Throws `damaged` where something else is stored.
  func text(_ column: Int) throws(LedgerFailure) -> String {
    guard case .words(let text) = values[column] else { throw damaged(column, "a text") }
    return text
  }

  /// A text, or `nil` where nothing is stored.
  func optionalText(_ column: Int) throws(LedgerFailure) -> String? {
    values[column] == .null ? nil : try text(column)
  }

  /// A whole number. Throws `damaged` where something else is stored.
  func integer(_ column: Int) throws(LedgerFailure) -> Int64 {
    switch values[column] {
    case .integer(let number): return number
    // PostgreSQL answers in text.
    case .words(let text):
      guard let number = Int64(text) else { throw damaged(column, "a number") }
      return number
    case .null: throw damaged(column, "a number")
    }
  }

  /// A whole number, or `nil` where nothing is stored.
  func optionalInteger(_ column: Int) throws(LedgerFailure) -> Int64? {
    values[column] == .null ? nil : try integer(column)
  }

  /// The failure for a value that this program does not write.
  func damaged(_ column: Int, _ expected: String) -> LedgerFailure {
    .damaged(ledger: ledger, what: "expected \(expected) in column \(column + 1)")
  }
}
