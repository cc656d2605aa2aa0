import YAML

/// One step of a scenario.
public struct Step: Hashable, Sendable {
  /// The action of a step.
  public indirect enum Action: Hashable, Sendable {
    /// Performs a verb.
    case perform(VerbCall)
    /// Waits until an event has happened; fails when it has not within the time.
    case eventually(EventPattern, within: Duration)
    /// Waits until one of several events has happened; fails when none has within the time.
    case either([EventPattern], within: Duration)
    /// Fails as soon as an event happens while the span lasts.
    case never(EventPattern, NeverSpan)
    /// Lets time pass.
    case wait(Duration)
    /// Asks a person what the phone shows. Any answer but yes is a failure.
    case ask(String)
  }

  /// The span in which an event must not happen.
  public indirect enum NeverSpan: Hashable, Sendable {
    /// For this time, from now on.
    case duration(Duration)
    /// Until another event has happened, which must be within the time.
    case until(EventPattern, within: Duration)
    /// While these steps are performed.
    case during([Step])
  }

  /// What it does.
  public let action: Action
  /// Where it is written; in a fragment's file when it came by `use:`.
  public let location: SourceLocation
  /// The `use:` steps that brought it here, outermost first.
  public let usedFrom: [SourceLocation]
  /// Which turn of its `repeat:` blocks this is, outermost first, from 1.
  public let turns: [Int]
  /// References to the clauses of requirements that its assertion shows. They are not part of the sentence.
  public let shows: [String]
  /// The step as it is written, on one line and with its `$names` replaced, without `shows:`.
  public let sentence: String
}

extension Step {
  /// What this step and the steps inside it show.
  public var everythingShown: [String] {
    guard case .never(_, .during(let steps)) = action else { return shows }
    return shows + steps.flatMap(\.everythingShown)
  }
}

/// A verb with everything that a step says about it.
public struct VerbCall: Hashable, Sendable {
  /// The verb.
  public let declaration: VerbDeclaration
  /// Its fields.
  public let arguments: Arguments
  /// Which phone or recorder performs it, by its name in `given:`; `nil` for the first.
  public let performer: String?
  /// What must be true of the outcome.
  public let expectation: Expectation
  /// The failure that must happen instead of success.
  public let expectedFailure: FailureDeclaration?
  /// The code that it must come with; `nil` for any.
  public let expectedCode: UInt8?
  /// How long it may take: what `within:` says, else the verb's own deadline.
  public let deadline: Duration
  /// What of the outcome is kept for later steps.
  public let keeps: [Keeping]
  /// Whether the step states that time, so that it is part of what it asserts.
  public let statesDeadline: Bool
  /// Whether a failure of the products, or the end of the time, lets the next step run and decides nothing.
  public let mayFail: Bool

  /// Whether the step can fail for what the products do: it expects something, or the verb can fail.
  public var isAssertion: Bool {
    !mayFail && (expectedFailure != nil || !expectation.matchers.isEmpty || !declaration.failures.isEmpty)
  }
}

extension VerbCall {
  /// Whether the step needs this field of the outcome, because it states something about it or keeps it.
  public func wants(_ field: some FieldKey) -> Bool {
    let declaration = field.declaration
    return expectation.matchers.contains { $0.field == declaration } || keeps.contains { $0.field == declaration }
  }

  /// The same with other values.
  func with(_ arguments: Arguments, _ expectation: Expectation) -> VerbCall {
    VerbCall(
      declaration: declaration, arguments: arguments, performer: performer, expectation: expectation,
      expectedFailure: expectedFailure, expectedCode: expectedCode, deadline: deadline, keeps: keeps,
      statesDeadline: statesDeadline, mayFail: mayFail)
  }
}

/// An event that an observer waits for or forbids.
public struct EventPattern: Hashable, Sendable {
  /// The event.
  public let declaration: ObservationDeclaration
  /// What must be true of its fields.
  public let matchers: [FieldMatcher]
  /// Whose event, by the name in `given:`; `nil` for anybody's.
  public let subject: String?
  /// Where the pattern is written.
  public let location: SourceLocation

  /// Whether an event is meant. The caller compares `subject`, since it knows who took part.
  public func matches(_ name: String, _ findings: Findings) -> Bool {
    name == declaration.name && matchers.allSatisfy { $0.matches(findings[$0.field.name]) }
  }
}
