/// A verdict is written flat, into the object of whatever it belongs to.
extension Verdict: Codable {
  private enum Key: String, CodingKey {
    case kind = "verdict"
    case reason, judges, violated, place, capability, defect
    case instant = "failedAtNanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(kind, forKey: .kind)
    try object.encode(reason, forKey: .reason)
    try object.encode(failure?.judges, forKey: .judges)
    try object.encode(failure?.violated, forKey: .violated)
    try object.encodeIfPresent(failure?.instant.nanoseconds, forKey: .instant)
    try object.encodeIfPresent(failure?.place, forKey: .place)
    switch self {
    case .blocked(let capability): try object.encode(capability, forKey: .capability)
    case .known(let defect, _), .mended(let defect): try object.encode(defect, forKey: .defect)
    case .passed, .failed, .benchError, .harnessError, .flaky: break
    }
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) throws -> String { try object.decode(String.self, forKey: key) }
    switch try object.decode(Kind.self, forKey: .kind) {
    case .passed: self = .passed
    case .failed: self = .failed(try Self.failure(object, reason: text(.reason)))
    case .benchError: self = .benchError(BenchTrouble(try text(.reason)))
    case .harnessError: self = .harnessError(HarnessTrouble(try text(.reason)))
    case .blocked: self = .blocked(capability: try text(.capability))
    case .flaky: self = .flaky(reason: try text(.reason))
    case .known:
      let (defect, reason) = (try object.decode(KnownDefect.self, forKey: .defect), try text(.reason))
      // The reason of a known defect is told with its declaration before it.
      let prefix = "\(defect): "
      guard reason.utf8.starts(with: prefix.utf8) else {
        throw DecodingError.dataCorruptedError(
          forKey: .reason, in: object, debugDescription: "expected a reason that begins with the defect's place")
      }
      let rest = String(decoding: reason.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      let failure = try Self.failure(object, reason: rest)
      self = .known(defect, failure)
    case .mended: self = .mended(try object.decode(KnownDefect.self, forKey: .defect))
    }
  }

  private static func failure(_ object: KeyedDecodingContainer<Key>, reason: String) throws -> DeviceFailure {
    DeviceFailure(
      judges: try object.decode(JudgedParty.self, forKey: .judges),
      violated: try object.decode([String].self, forKey: .violated), reason: reason,
      instant: try object.instant(.instant), place: try object.decodeIfPresent(String.self, forKey: .place))
  }
}

/// A step's outcome is written flat, into the object of its step.
extension StepOutcome: Codable {
  private enum Key: String, CodingKey { case outcome, reason, judges, capability }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(word, forKey: .outcome)
    try object.encode(reason, forKey: .reason)
    if case .failed(_, let judged) = self { try object.encode(judged, forKey: .judges) }
    if case .blocked(let capability) = self { try object.encode(capability, forKey: .capability) }
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func reason() throws -> String { try object.decode(String.self, forKey: .reason) }
    switch try object.decode(String.self, forKey: .outcome) {
    case "passed": self = .passed
    case "skipped": self = .skipped
    case "failed": self = .failed(try reason(), try object.decode(JudgedParty.self, forKey: .judges))
    case "blocked": self = .blocked(try object.decode(String.self, forKey: .capability))
    case "bench-error": self = .benchError(try reason())
    case "harness-error": self = .harnessError(try reason())
    case let word:
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: object, debugDescription: "unknown outcome of a step: \(word)")
    }
  }
}

/// What a run says about a requirement is written flat, into the object of the requirement.
extension RequirementOutcome: Codable {
  private enum Key: String, CodingKey { case outcome, reason, missing }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(word, forKey: .outcome)
    try object.encode(reason, forKey: .reason)
    if case .partlyShown(let missing) = self { try object.encode(missing, forKey: .missing) }
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func reason() throws -> String { try object.decode(String.self, forKey: .reason) }
    switch try object.decode(String.self, forKey: .outcome) {
    case "violated": self = .violated(try reason())
    case "shown": self = .shown
    case "partlyShown": self = .partlyShown(missing: try object.decode([String].self, forKey: .missing))
    case "notJudged": self = .notJudged(try reason())
    case "notExercised": self = .notExercised
    case "notObservable": self = .notObservable(try reason())
    case let word:
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: object, debugDescription: "unknown outcome of a requirement: \(word)")
    }
  }
}
