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
    shorthand: (any FieldKey)? = nil, example: String
  ) {
    precondition(!fields.contains { $0.declaration.isRequired }, "a section of given must stand on its defaults")
    self.name = name
    self.plural = plural
    self.actor = actor
    self.summary = summary
    self.group = FieldGroup(fields, shorthand: shorthand)
    self.example = example
  }
}

/// An event for `eventually`, `never` and `until`.
public struct ObservationDeclaration: Hashable, Sendable {
  /// The event's name, such as `fts.request`.
  public let name: String
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
    _ name: String, _ summary: String, fields: [any FieldKey] = [], shorthand: (any FieldKey)? = nil,
    isOracle: Bool = false, example: String
  ) {
    self.name = name
    self.summary = summary
    let isListed = fields.contains { $0.declaration == shorthand?.declaration }
    self.group = FieldGroup(isListed ? fields : (shorthand.map { [$0] } ?? []) + fields, shorthand: shorthand)
    self.isOracle = isOracle
    self.example = example
  }
}

/// All verbs, sections, events and capabilities of scenarios. Parser, lint, schema, help and reference use it.
public struct Vocabulary: Sendable {
  /// The verbs in the order of the reference.
  public let verbs: [VerbDeclaration]
  /// The sections of `given:` in the order of the reference.
  public let given: [GivenDeclaration]
  /// The events in the order of the reference.
  public let observations: [ObservationDeclaration]
  /// The capabilities that targets have or lack.
  public let capabilities: [Capability]
  /// The requirement ids that `verifies:` may name; empty switches the check off.
  public let requirements: [String]
  /// Knows what scenarios may name outside of their files.
  public let names: any NameBook
  /// Finds what no single field can know of a scenario that is right otherwise.
  let check: @Sendable (Scenario) -> [Diagnostic]

  /// Puts declarations together; traps when two share a name, or a verb needs a capability that is not listed,
  /// both bugs of the declarations.
  public init(
    verbs: [VerbDeclaration], given: [GivenDeclaration], observations: [ObservationDeclaration],
    capabilities: [Capability], requirements: [String] = [], names: any NameBook = OpenNameBook(),
    check: @escaping @Sendable (Scenario) -> [Diagnostic] = { _ in [] }
  ) {
    precondition(Set(verbs.map { "\($0.actor) \($0.name)" }).count == verbs.count, "two verbs share a name")
    precondition(Set(given.map(\.name)).count == given.count, "two sections of given share a name")
    precondition(Set(observations.map(\.name)).count == observations.count, "two observations share a name")
    let needed = verbs.flatMap { $0.needs + $0.group.fields.compactMap(\.capability) }
    precondition(needed.allSatisfy(capabilities.contains), "a verb needs a capability that is not listed")
    self.verbs = verbs
    self.given = given
    self.observations = observations
    self.capabilities = capabilities
    self.requirements = requirements
    self.names = names
    self.check = check
  }

  /// The verb of an actor, or `nil`.
  public func verb(_ name: String, of actor: Actor) -> VerbDeclaration? {
    verbs.first { $0.name == name && $0.actor == actor }
  }

  /// The verbs of an actor in the order of the reference.
  public func verbs(of actor: Actor) -> [VerbDeclaration] { verbs.filter { $0.actor == actor } }

  /// The event of this name, or `nil`.
  public func observation(_ name: String) -> ObservationDeclaration? { observations.first { $0.name == name } }
}
