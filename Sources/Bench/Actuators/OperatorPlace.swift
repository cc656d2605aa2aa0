import Bytes
import Synchronization

/// Where an operator reads what to do, and answers.
package struct OperatorPlace: Sendable {
  /// Shows a prompt.
  package let show: @Sendable (String) -> Void
  /// Where the answers come from: standard input, or a pipe.
  package let answers: Int32
  /// The bench, where several have the same operator; `nil` otherwise.
  package var bench: String?
  /// The recorder that is meant, where there are several; `nil` otherwise.
  package var recorder: BluetoothAddress?
  /// Whose prompt is shown: one at a time, since one answer belongs to one prompt.
  let turn = OperatorTurn()

  /// A place that shows prompts by `show` and reads answers, one a line, from a descriptor that can be waited for.
  package init(answers: Int32, show: @escaping @Sendable (String) -> Void) {
    self.answers = answers
    self.show = show
  }
}

/// The turn of asking an operator whom several benches share. A prompt of one is answered before another is shown.
final class OperatorTurn: Sendable {
  private let isTaken = Mutex(false)

  /// Takes the turn; whether it was free.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      if isTaken { return false }
      isTaken = true
      return true
    }
  }

  /// Gives the turn back.
  func giveBack() { isTaken.withLock { $0 = false } }
}

extension OperatorPlace {
  /// What stands before every prompt: `bench shelf-1, recorder C6:05:04:03:02:01`; empty where nothing else can be meant.
  var subject: String {
    ((bench.map { ["bench \($0)"] } ?? []) + (recorder.map { ["recorder \($0)"] } ?? [])).joined(separator: ", ")
  }
}
