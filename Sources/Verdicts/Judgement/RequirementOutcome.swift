/// What a run says about a requirement. A requirement that was not seen never counts as passed.
public enum RequirementOutcome: Hashable, Sendable {
  /// It did not hold; the sentence says how.
  case violated(String)
  /// Its precondition held, and it did.
  case shown
  /// Its precondition never held.
  case notExercised
  /// It cannot be seen here; the sentence says why.
  case notObservable(String)

  /// The word that reports use.
  public var word: String {
    switch self {
    case .violated: "violated"
    case .shown: "shown"
    case .notExercised: "notExercised"
    case .notObservable: "notObservable"
    }
  }

  /// The reason that goes with the word, if there is one.
  public var reason: String? {
    switch self {
    case .violated(let reason), .notObservable(let reason): reason
    case .shown, .notExercised: nil
    }
  }

  private var weight: Int {
    switch self {
    case .violated: 3
    case .shown: 2
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
