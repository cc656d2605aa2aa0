extension MonitorViolation: Codable {
  private enum Key: String, CodingKey {
    case requirement, judges, reason
    case instant = "nanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(requirement, forKey: .requirement)
    try object.encode(judges, forKey: .judges)
    try object.encode(instant.nanoseconds, forKey: .instant)
    try object.encode(reason, forKey: .reason)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      requirement: try object.decode(String.self, forKey: .requirement),
      judges: try object.decode(JudgedParty.self, forKey: .judges), instant: try object.instant(.instant),
      reason: try object.decode(String.self, forKey: .reason))
  }
}

/// Declaration and outcome of a finding are written flat, into its own object.
extension MonitorFinding: Codable {
  private enum Key: String, CodingKey {
    case preconditions, met, violations
    case firstMet = "firstMetNanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    try declaration.encode(to: encoder)
    try outcome.encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(preconditions, forKey: .preconditions)
    try object.encode(met, forKey: .met)
    try object.encodeIfPresent(firstMet?.nanoseconds, forKey: .firstMet)
    try object.encode(violations, forKey: .violations)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      declaration: try MonitorDeclaration(from: decoder), outcome: try RequirementOutcome(from: decoder),
      preconditions: try object.count(.preconditions), met: try object.count(.met),
      firstMet: try object.instantIfPresent(.firstMet),
      violations: try object.decode([MonitorViolation].self, forKey: .violations))
  }
}
