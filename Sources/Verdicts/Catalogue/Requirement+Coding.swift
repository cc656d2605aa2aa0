extension Requirement: Codable {
  private enum Key: String, CodingKey { case id, sentence, judges, clauses, line, observed }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
    try object.encode(sentence, forKey: .sentence)
    try object.encode(judges, forKey: .judges)
    try object.encode(clauses, forKey: .clauses)
    try object.encode(line, forKey: .line)
    try object.encode(observed, forKey: .observed)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let observed = try object.decode([String?].self, forKey: .observed)
    guard observed.count == TargetKind.catalogued.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .observed, in: object,
        debugDescription: "expected \(TargetKind.catalogued.count) values, one per target")
    }
    self.init(
      id: try object.decode(String.self, forKey: .id), sentence: try object.decode(String.self, forKey: .sentence),
      judges: try object.decode(JudgedParty.self, forKey: .judges),
      clauses: try object.decode([RequirementClause].self, forKey: .clauses), observed: observed,
      line: try object.count(.line))
  }
}
