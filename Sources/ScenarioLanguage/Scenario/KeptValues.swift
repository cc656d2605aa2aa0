/// A field of an outcome that a step keeps.
public struct Keeping: Hashable, Sendable {
  /// The name of what is kept.
  public let name: KeptName
  /// The field.
  public let field: FieldDeclaration
}

/// What the steps of a run have kept so far.
public struct KeptValues: Sendable {
  private var values: [KeptName: Value] = [:]

  /// Nothing kept yet.
  public init() {}

  /// Why a step cannot be performed with what was kept.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The step that should have kept the value did not get that far.
    case missing(KeptName)
    /// The kept value is outside of what a field takes.
    case outOfRange(KeptName, Value, field: String)
    /// The kept value is finer than what a field counts in.
    case tooFine(KeptName, Value, field: String)
    /// The outcome has no value for a field that is to be kept.
    case notTold(field: String, KeptName)

    /// One sentence without its full stop.
    public var description: String {
      switch self {
      case .missing(let name): "\(name) was not kept, because an earlier step failed"
      case .outOfRange(let name, let value, let field):
        "\(name) is \(value.plainText), which is out of range for `\(field)`"
      case .tooFine(let name, let value, let field):
        "\(name) is \(value.plainText), which is finer than `\(field)` counts"
      case .notTold(let field, let name): "the outcome has no `\(field)`, so it cannot be kept as \(name)"
      }
    }
  }

  /// Keeps what a step found.
  public mutating func keep(_ keepings: [Keeping], from findings: Findings) throws(Failure) {
    for keeping in keepings {
      guard let value = findings[keeping.field.name].first else {
        throw .notTold(field: keeping.field.name, keeping.name)
      }
      values[keeping.name] = value
    }
  }

  /// An action with the kept values in the places of their names; steps inside are filled when they are performed.
  public func filling(_ action: Step.Action) throws(Failure) -> Step.Action {
    switch action {
    case .perform(let call): return .perform(try filling(call))
    case .eventually(let pattern, let limit): return .eventually(try filling(pattern), within: limit)
    case .either(let patterns, let limit):
      var filled: [EventPattern] = []
      for pattern in patterns { filled.append(try filling(pattern)) }
      return .either(filled, within: limit)
    case .never(let pattern, .until(let end, let limit)):
      return .never(try filling(pattern), .until(try filling(end), within: limit))
    case .never(let pattern, let span): return .never(try filling(pattern), span)
    case .wait, .ask: return action
    }
  }

  /// A verb with the kept values in the places of their names.
  func filling(_ call: VerbCall) throws(Failure) -> VerbCall {
    guard
      call.arguments.entries.contains(where: { $0.value.isKept }) || call.expectation.matchers.contains(where: \.isKept)
    else { return call }
    var entries: [Arguments.Entry] = []
    for entry in call.arguments.entries {
      let value = try filling(entry.value)
      if case .kept(let name) = entry.value, let field = call.declaration.group.field(entry.name) {
        guard field.allows(value) else { throw .outOfRange(name, value, field: field.name) }
        guard value.isMultiple(of: field.unit) else { throw .tooFine(name, value, field: field.name) }
      }
      entries.append(Arguments.Entry(name: entry.name, value: value, location: entry.location))
    }
    return call.with(Arguments(entries), Expectation(matchers: try filling(call.expectation.matchers)))
  }

  /// A pattern with the kept values in the places of their names.
  func filling(_ pattern: EventPattern) throws(Failure) -> EventPattern {
    guard pattern.matchers.contains(where: \.isKept) else { return pattern }
    return EventPattern(
      declaration: pattern.declaration, matchers: try filling(pattern.matchers), subject: pattern.subject,
      location: pattern.location)
  }

  private func filling(_ matchers: [FieldMatcher]) throws(Failure) -> [FieldMatcher] {
    var filled: [FieldMatcher] = []
    for matcher in matchers {
      var comparisons: [FieldMatcher.Comparison] = []
      for comparison in matcher.comparisons {
        comparisons.append(.init(relation: comparison.relation, operand: try filling(comparison.operand)))
      }
      filled.append(FieldMatcher(field: matcher.field, comparisons: comparisons, location: matcher.location))
    }
    return filled
  }

  private func filling(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .kept(let name):
      guard let kept = values[name] else { throw .missing(name) }
      return kept
    case .list(let items):
      var filled: [Value] = []
      for item in items { filled.append(try filling(item)) }
      return .list(filled)
    default: return value
    }
  }
}

extension Value {
  /// Whether a kept value is meant, or one is in the list.
  fileprivate var isKept: Bool {
    switch self {
    case .kept: true
    case .list(let items): items.contains(where: \.isKept)
    default: false
    }
  }
}

extension FieldMatcher {
  /// Whether it compares with a kept value.
  var isKept: Bool { comparisons.contains { $0.operand.isKept } }
}

extension FieldDeclaration {
  fileprivate func allows(_ value: Value) -> Bool {
    if let minimum, value.isLess(than: minimum) == true { return false }
    if let maximum, maximum.isLess(than: value) == true { return false }
    return true
  }
}
