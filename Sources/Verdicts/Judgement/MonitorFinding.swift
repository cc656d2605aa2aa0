import Timeline

/// The requirement that a monitor watches, and how it watches.
public struct MonitorDeclaration: Hashable, Sendable, Codable {
  /// Id of the requirement, such as `APP-1.3.1.1`.
  public let requirement: String
  /// The clauses of the requirement that it shows where it is met, by their ids; empty where the requirement has only
  /// one, or where it can find violations but its being met shows none.
  public let clauses: [String]
  /// What it watches for, in one sentence.
  public let sentence: String
  /// The party that a violation counts against.
  public let judges: JudgedParty
  /// Why it cannot judge a capture; `nil` when it can.
  public let needsWorld: String?

  public init(
    _ requirement: String, _ sentence: String, judges: JudgedParty, shows clauses: [String] = [],
    needsWorld: String? = nil
  ) {
    self.requirement = requirement
    self.clauses = clauses
    self.sentence = sentence
    self.judges = judges
    self.needsWorld = needsWorld
  }
}

/// One moment at which a requirement did not hold.
public struct MonitorViolation: Hashable, Sendable {
  /// Id of the requirement.
  public let requirement: String
  /// The party that it counts against.
  public let judges: JudgedParty
  /// When it was seen.
  public let instant: Instant
  /// What was seen.
  public let reason: String

  public init(requirement: String, judges: JudgedParty, instant: Instant, reason: String) {
    self.requirement = requirement
    self.judges = judges
    self.instant = instant
    self.reason = reason
  }
}

/// What a monitor found in one run.
public struct MonitorFinding: Hashable, Sendable {
  /// The monitor's declaration.
  public let declaration: MonitorDeclaration
  /// What the run says about the requirement.
  public let outcome: RequirementOutcome
  /// The number of times the precondition held.
  public let preconditions: Int
  /// The number of times the requirement was seen to hold.
  public let met: Int
  /// When it was first seen to hold; `nil` where it never was.
  public let firstMet: Instant?
  /// The first violations; later ones are only counted.
  public let violations: [MonitorViolation]

  public init(
    declaration: MonitorDeclaration, outcome: RequirementOutcome, preconditions: Int, met: Int,
    firstMet: Instant? = nil, violations: [MonitorViolation]
  ) {
    self.declaration = declaration
    self.outcome = outcome
    self.preconditions = preconditions
    self.met = met
    self.firstMet = firstMet
    self.violations = violations
  }
}
