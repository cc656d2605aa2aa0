/// What a run says about a requirement; never a silent pass.
public enum RequirementOutcome: Hashable, Sendable {
  /// It was seen not to hold; the sentence says how.
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

  /// The sentence that goes with the word, where there is one.
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

  /// What two runs say together: a violation is never hidden, and something seen outweighs nothing seen. Of two equals
  /// the first counts.
  public func merged(with other: RequirementOutcome) -> RequirementOutcome {
    other.weight > weight ? other : self
  }
}
