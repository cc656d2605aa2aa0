/// Counts what the scenarios of a run say about one declared defect.
package struct KnownDefectTally: Hashable, Sendable {
  /// The defect.
  package var defect: KnownDefect
  /// Runs of scenarios in which its requirement was violated.
  package var shown: Int
  /// Runs of scenarios in which its requirement held although the defect should have shown there.
  package var mended: Int
  /// Runs of scenarios in which its requirement held and the defect did not have to show.
  package var held: Int

  package init(_ defect: KnownDefect, shown: Int = 0, mended: Int = 0, held: Int = 0) {
    self.defect = defect
    self.shown = shown
    self.mended = mended
    self.held = held
  }
}

extension KnownDefectTally: Codable {
  private enum Key: CodingKey { case defect, shown, mended, held }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(defect, forKey: .defect)
    try object.encode(shown, forKey: .shown)
    try object.encode(mended, forKey: .mended)
    try object.encode(held, forKey: .held)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      try object.decode(KnownDefect.self, forKey: .defect), shown: try object.count(.shown),
      mended: try object.count(.mended), held: try object.count(.held))
  }
}
