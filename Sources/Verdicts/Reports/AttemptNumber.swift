/// The number of an attempt at a scenario, on which its seed depends. The first attempt of a repetition has the number of the
/// repetition, however many retries there may be; retries are numbered where no repetition is.
package enum AttemptNumber {
  /// Repetitions that a run may have; retry n has the number of its repetition and n times as much.
  package static let repetitions = 1_000_000

  /// The number of an attempt: of the first one of repetition `turn` for `retry` 0, and of its retries from 1 on.
  package static func of(turn: Int, retry: Int) -> Int { turn + retry * repetitions }

  /// The repetition of an attempt, from 0.
  package static func turn(of number: Int) -> Int { number % repetitions }

  /// Which retry an attempt is, from 1; 0 for the first attempt.
  package static func retry(of number: Int) -> Int { number / repetitions }
}
