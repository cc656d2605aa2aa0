/// A section of `given:`, such as the recorder before the first step.
public struct GivenDeclaration: Hashable, Sendable {
  /// The key, such as `device`.
  public let name: String
  /// The key of the list form for several of them, such as `devices`; `nil` when there is only ever one.
  public let plural: String?
  /// Whose verbs may choose one of them with `as:`; `nil` for none.
  public let actor: Actor?
  /// One sentence on what it sets.
  public let summary: String
  /// The fields and the shorthand.
  public let group: FieldGroup
  /// A `given:` section in YAML that shows it; it is linted by a test.
  public let example: String

  /// Declares a section. No field may be required when the section is single, since a scenario may leave it out;
  /// traps otherwise, a bug of the declaration.
  public init(
    _ name: String, plural: String? = nil, actor: Actor? = nil, _ summary: String, fields: [any FieldKey],
    shorthand: (any FieldKey)? = nil, rules: [FieldRule] = [], example: String
  ) {
    precondition(!fields.contains { $0.declaration.isRequired }, "a section of given must stand on its defaults")
    self.name = name
    self.plural = plural
    self.actor = actor
    self.summary = summary
    self.group = FieldGroup(fields, shorthand: shorthand, rules: rules)
    self.example = example
  }
}

/// A requirement that scenarios may show.
public struct RequirementDeclaration: Hashable, Sendable {
  /// Its id, after `verifies:`.
  public let id: String
  /// The references to its clauses, after `shows:`: `DEV-9/transfer`, or the id alone where it has one clause.
  public let references: [String]
  /// Whether every run watches it, so that a scenario can show it without an assertion.
  public let isMonitored: Bool

  public init(_ id: String, references: [String], isMonitored: Bool) {
    self.id = id
    self.references = references
    self.isMonitored = isMonitored
  }
}

/// An event for `eventually`, `never` and `until`.
public struct ObservationDeclaration: Hashable, Sendable {
  /// The event's name, such as `fts.request`.
  public let name: String
  /// Whose event it can be, by `as:`. It is of everybody who takes part: an event of a link is the phone's and the
  /// recorder's.
  public let subjects: [Actor]
  /// One sentence on when it happens.
  public let summary: String
  /// The fields of the event; all are optional in a pattern.
  public let group: FieldGroup
  /// Whether only a simulated world reports it.
  public let isOracle: Bool
  /// Steps in YAML that show it; they are linted by a test.
  public let example: String

  /// Declares an event.
  public init(
    _ name: String, of subjects: [Actor] = [.phone, .device], _ summary: String, fields: [any FieldKey] = [],
    shorthand: (any FieldKey)? = nil, isOracle: Bool = false, example: String
  ) {
    self.name = name
    self.subjects = subjects
    self.summary = summary
    let isListed = fields.contains { $0.declaration == shorthand?.declaration }
    self.group = FieldGroup(isListed ? fields : (shorthand.map { [$0] } ?? []) + fields, shorthand: shorthand)
    self.isOracle = isOracle
    self.example = example
  }
}
