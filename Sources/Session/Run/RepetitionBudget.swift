/// Decides whether one more repetition begins. Time decides only the number of repetitions, never what they contain.
package struct RepetitionBudget: Sendable {
  private let repetitions: Int
  private let span: Duration?
  private let start: UInt64

  /// A budget of at most `repetitions`, none of which begins later than `span` after `start`, in nanoseconds of a
  /// monotonic clock.
  package init(repetitions: Int, span: Duration?, startingAt start: UInt64) {
    self.repetitions = repetitions
    self.span = span
    self.start = start
  }

  /// Whether repetition `turn`, from 0, begins at `now`. The first one always does.
  package func begins(_ turn: Int, at now: UInt64) -> Bool {
    guard turn > 0 else { return true }
    guard turn < repetitions else { return false }
    guard let span else { return true }
    return .nanoseconds(Int64(now - start)) < span
  }
}
