/// The verdict of a health scenario is written flat, into the report's own object.
extension HealthReport: Codable {
  private enum Key: String, CodingKey { case occasion, capture }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(occasion, forKey: .occasion)
    try verdict.encode(to: encoder)
    try object.encode(capture, forKey: .capture)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      try object.decode(Occasion.self, forKey: .occasion), try Verdict(from: decoder),
      capture: try object.decodeIfPresent(String.self, forKey: .capture))
  }
}

extension OperatorPrompt: Codable {
  private enum Key: String, CodingKey {
    case text, answer
    case asked = "askedNanoseconds"
    case answered = "answeredNanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(text, forKey: .text)
    try object.encode(asked.nanoseconds, forKey: .asked)
    try object.encode(answered?.nanoseconds, forKey: .answered)
    try object.encode(answer, forKey: .answer)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      try object.decode(String.self, forKey: .text), asked: try object.instant(.asked),
      answered: try object.instantIfPresent(.answered),
      answer: try object.decodeIfPresent(String.self, forKey: .answer))
  }
}
