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
  /// The same requirements with their clauses, for `shows:`; empty switches off the check that a scenario can show what
  /// it verifies.
  public let showable: [RequirementDeclaration]
  /// Knows what scenarios may name outside of their files.
  public let names: any NameBook
  /// The same verbs by their actors: they are looked for at every step.
  private let verbsByActor: [Actor: [VerbDeclaration]]
  /// Finds what no single field can know of a scenario that is right otherwise.
  let check: @Sendable (Scenario) -> [Diagnostic]

  /// Puts declarations together; traps when two share a name, or a verb needs a capability that is not listed,
  /// both bugs of the declarations.
  public init(
    verbs: [VerbDeclaration], given: [GivenDeclaration], observations: [ObservationDeclaration],
    capabilities: [Capability], requirements: [String] = [],
    showable: [RequirementDeclaration] = [], names: any NameBook = OpenNameBook(),
    check: @escaping @Sendable (Scenario) -> [Diagnostic] = { _ in [] }
  ) {
    precondition(Set(verbs.map { "\($0.actor) \($0.name)" }).count == verbs.count, "two verbs share a name")
    precondition(Set(given.map(\.name)).count == given.count, "two sections of given share a name")
    precondition(Set(observations.map(\.name)).count == observations.count, "two observations share a name")
    let needed = verbs.flatMap { $0.needs + $0.group.fields.compactMap(\.capability) }
    precondition(needed.allSatisfy(capabilities.contains), "a verb needs a capability that is not listed")
    self.verbs = verbs
    verbsByActor = Dictionary(grouping: verbs, by: \.actor)
    self.given = given
    self.observations = observations
    self.capabilities = capabilities
    self.requirements = requirements
    self.showable = showable
    self.names = names
    self.check = check
  }

  /// The verb of an actor, or `nil`.
  public func verb(_ name: String, of actor: Actor) -> VerbDeclaration? {
    verbs(of: actor).first { $0.name == name }
  }

  /// The verbs of an actor in the order of the reference.
  public func verbs(of actor: Actor) -> [VerbDeclaration] { verbsByActor[actor] ?? [] }

  /// The event of this name, or `nil`.
  public func observation(_ name: String) -> ObservationDeclaration? { observations.first { $0.name == name } }
}
