/// Who performs a verb: the key under which it stands in a step.
public enum Actor: String, Hashable, Sendable, CaseIterable, Comparable {
  /// The phone's application and its user.
  case phone
  /// The recorder and whoever holds it.
  case device
  /// The radio medium between them.
  case air
  /// The bench around them: adapters, cables, power, the operator.
  case bench

  /// What the actor is, for the reference.
  public var documentation: String {
    switch self {
    case .phone: "the phone's application and its user"
    case .device: "the recorder and the person who holds it"
    case .air: "the radio medium between phone and recorder"
    case .bench: "the bench around them: adapters, cables, power, the operator"
    }
  }

  /// What messages call one of several in `given:`.
  var participant: String {
    switch self {
    case .phone: "phone"
    case .device: "recorder"
    case .air, .bench: rawValue
    }
  }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A failure of a verb that a step can expect with `fails:`.
public struct FailureDeclaration: Hashable, Sendable {
  /// The word after `fails:`.
  public let name: String
  /// One sentence on when it happens.
  public let documentation: String
  /// Whether the other side was never reached, so that the failure tells nothing about it.
  public let isOutOfReach: Bool
  /// Whether it comes with a code of one octet, which a step may state.
  public let hasCode: Bool

  public init(_ name: String, _ documentation: String, isOutOfReach: Bool = false, hasCode: Bool = false) {
    self.name = name
    self.documentation = documentation
    self.isOutOfReach = isOutOfReach
    self.hasCode = hasCode
  }
}

/// The declaration of a verb. The Runner adds only the implementation.
///
/// ```swift
/// enum Press {
///   static let hold = Field<Duration>("hold", "How long the button is held.", default: .seconds(2))
///   static let declaration = VerbDeclaration(
///     "press", of: .device, "Presses the record button, which records for as long as it is held.",
///     shorthand: hold, needs: [.button], example: "- device: {press: 2 s}")
/// }
/// ```
///
/// A verb stands in a step as `- device: press`, as `- device: {press: 2 s}` when it has a shorthand, as
/// `- air: {lose: 30 %, for: 5 s}` with its other fields beside it, or as `- air: {lose: {rate: 30 %, for: 5 s}}`
/// with all fields in braces of their own. The shorthand's own name, here `rate`, is used only in the last form.
public struct VerbDeclaration: Hashable, Sendable {
  /// The verb as it is written, in kebab case.
  public let name: String
  /// Who performs it.
  public let actor: Actor
  /// One sentence on what it does.
  public let summary: String
  /// More text for the reference, as Markdown; may be empty.
  public let details: String
  /// The fields and the shorthand.
  public let group: FieldGroup
  /// The fields of the outcome, for `expect:`.
  public let results: FieldGroup
  /// The field with which a step ends before it has an outcome, where it is `false`; `nil` for none.
  let awaits: FieldDeclaration?
  /// The field for whose time a step that succeeds lasts at least; `nil` for none.
  let lasts: FieldDeclaration?
  /// The failures that `fails:` may name.
  public let failures: [FailureDeclaration]
  /// The capabilities that a target always needs for the verb.
  public let needs: [Capability]
  /// On which state of the products the outcome depends.
  public let touches: [ProductState]
  /// What has to be done to real products, in this order.
  public let actuates: [Actuation]
  /// The time limit of a step without `within:`.
  public let deadline: Duration
  /// Steps in YAML that show it; they are linted by a test.
  public let example: String

  /// Declares a verb; traps on doubled names, a bug of the declaration.
  public init(
    _ name: String, of actor: Actor, _ summary: String, details: String = "", fields: [any FieldKey] = [],
    shorthand: (any FieldKey)? = nil, rules: [FieldRule] = [], results: [any FieldKey] = [],
    awaits: Field<Bool>? = nil, lasts: (any FieldKey)? = nil, failures: [FailureDeclaration] = [],
    needs: [Capability] = [],
    touches: [ProductState] = [], actuates: [Actuation] = [],
    deadline: Duration = .seconds(60), example: String
  ) {
    self.name = name
    self.actor = actor
    self.summary = summary
    self.details = details
    let isListed = fields.contains { $0.declaration == shorthand?.declaration }
    let all = isListed ? fields : (shorthand.map { [$0] } ?? []) + fields
    self.group = FieldGroup(all, shorthand: shorthand, rules: rules)
    self.results = FieldGroup(results)
    self.awaits = awaits?.declaration
    self.lasts = lasts?.declaration
    self.failures = failures
    self.needs = needs
    self.touches = touches
    self.actuates = actuates
    self.deadline = deadline
    self.example = example
  }
}
