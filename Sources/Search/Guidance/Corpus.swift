/// The schedules that reached something new, and everything that was reached.
package struct Corpus: Sendable {
  /// The schedules, oldest first.
  package private(set) var schedules: [Schedule] = []
  private var reached: Set<Landmark> = []

  package init() {}

  /// Takes what a run reached. `keeps` says whether the schedule may be changed further. Returns whether anything of it
  /// was new.
  @discardableResult
  package mutating func take(_ landmarks: Set<Landmark>, of schedule: Schedule, keeps: Bool) -> Bool {
    let before = reached.count
    reached.formUnion(landmarks)
    guard reached.count > before else { return false }
    if keeps { schedules.append(schedule) }
    return true
  }

  /// How many pairs of state and event were seen.
  package var pairCount: Int { reached.count { if case .pair = $0 { true } else { false } } }

  /// How many transitions were taken.
  package var transitionCount: Int { reached.count - pairCount }

  /// Whether this was reached.
  package func hasReached(_ landmark: Landmark) -> Bool { reached.contains(landmark) }
}
