/// References to requirements and their clauses, as scenarios and reports write them: `DEV-2` or `DEV-9/transfer`.
package enum RequirementReference {
  /// The id of the requirement that a reference names.
  package static func id(of reference: String) -> String {
    reference.firstIndex(of: "/").map { String(reference[..<$0]) } ?? reference
  }

  /// Whether a reference names a requirement about what a chip does inside while it executes a firmware image.
  package static func isOfImage(_ reference: String) -> Bool { reference.hasPrefix("IMG-") }
}
