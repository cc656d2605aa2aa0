extension StepReport: Codable {
  private enum Key: String, CodingKey {
    case sentence, file, line, shows, observed, answer, seenBy
    case isDecided = "decided"
    case began = "beganNanoseconds"
    case ended = "endedNanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(sentence, forKey: .sentence)
    try object.encode(file, forKey: .file)
    try object.encode(line, forKey: .line)
    try outcome.encode(to: encoder)
    if !shows.isEmpty {
      try object.encode(shows, forKey: .shows)
      try object.encode(isDecided, forKey: .isDecided)
    }
    try object.encode(began.nanoseconds, forKey: .began)
    try object.encode(ended.nanoseconds, forKey: .ended)
    try object.encodeIfPresent(observed, forKey: .observed)
    try object.encodeIfPresent(answer, forKey: .answer)
    if !seenBy.isEmpty { try object.encode(seenBy, forKey: .seenBy) }
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      sentence: try object.decode(String.self, forKey: .sentence), file: try object.decode(String.self, forKey: .file),
      line: try object.count(.line), began: try object.instant(.began), ended: try object.instant(.ended),
      outcome: try StepOutcome(from: decoder))
    shows = try object.decodeIfPresent([String].self, forKey: .shows) ?? []
    isDecided = try object.decodeIfPresent(Bool.self, forKey: .isDecided) ?? true
    observed = try object.decodeIfPresent(String.self, forKey: .observed)
    answer = try object.decodeIfPresent(Answer.self, forKey: .answer)
    seenBy = try object.decodeIfPresent([String].self, forKey: .seenBy) ?? []
  }
}

extension StepReport.Answer: Codable {
  private enum Key: String, CodingKey {
    case question, isYes, answeredAt
    case text = "answer"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(question, forKey: .question)
    try object.encode(text, forKey: .text)
    try object.encode(isYes, forKey: .isYes)
    try object.encode(answeredAt, forKey: .answeredAt)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      question: try object.decode(String.self, forKey: .question), isYes: try object.decode(Bool.self, forKey: .isYes),
      text: try object.decode(String.self, forKey: .text),
      answeredAt: try object.decode(.answeredAt, in: ReportBounds.unixSeconds))
  }
}
