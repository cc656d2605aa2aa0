import Text

/// Why a bundle of evidence is not accepted, in one sentence that is safe for a terminal.
package struct EvidenceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and where.
  package let description: String

  package init(_ text: String) { description = PlainText.escaped(text, limit: 400) }
}
