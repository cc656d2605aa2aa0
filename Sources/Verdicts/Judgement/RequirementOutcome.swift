/// What a run says about a requirement. A requirement that was not seen never counts as passed.
public enum RequirementOutcome: Hashable, Sendable {
  /// It did not hold; the sentence says how.
  case violated(String)
  /// Its precondition held, and so did every clause of it.
  case shown
  /// Some of its clauses were seen to hold; the ids of those that were not.
  case partlyShown(missing: [String])
  /// Scenarios that verify it ended before anything could show it; the sentence says which.
  case notJudged(String)
  /// Its precondition never held.
  case notExercised
  /// It cannot be seen here; the sentence says why.
  case notObservable(String)

  /// The word that reports use.
  public var word: String {
    switch self {
    case .violated: "violated"
    case .shown: "shown"
    case .partlyShown: "partlyShown"
    case .notJudged: "notJudged"
    case .notExercised: "notExercised"
    case .notObservable: "notObservable"
    }
  }

  /// The reason that goes with the word, if there is one.
  public var reason: String? {
    switch self {
    case .violated(let reason), .notObservable(let reason), .notJudged(let reason): reason
    case .partlyShown(let missing): missing.isEmpty ? nil : "not shown: \(missing.joined(separator: ", "))"
    case .shown, .notExercised: nil
    }
  }

  private var weight: Int {
    switch self {
    case .violated: 5
    case .shown: 4
    case .partlyShown: 3
    case .notJudged: 2
    case .notExercised: 1
    case .notObservable: 0
    }
  }

  /// Merges what two runs say: a violation is never hidden, and evidence outweighs its absence. Of two equal outcomes,
  /// the first is kept.
  public func merged(with other: RequirementOutcome) -> RequirementOutcome {
    other.weight > weight ? other : self
  }
}
