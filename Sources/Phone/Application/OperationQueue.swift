import HostStack

/// An operation that waits for its turn.
struct QueuedOperation {
  var token: OperationToken
  var operation: PhoneOperation
}

/// The operations that wait, in the order in which they were requested.
struct OperationQueue {
  /// The most operations that wait; one more is abandoned at once.
  static let maximumCount = 256

  private var waiting: [QueuedOperation] = []

  /// Whether one more operation may wait.
  var hasRoom: Bool { waiting.count < Self.maximumCount }
  /// Whether no operation waits.
  var isEmpty: Bool { waiting.isEmpty }
  /// The operation that comes next.
  var next: QueuedOperation? { waiting.first }

  /// Adds an operation at the end.
  mutating func append(_ token: OperationToken, _ operation: PhoneOperation) {
    waiting.append(QueuedOperation(token: token, operation: operation))
  }

  /// Removes the operation that comes next.
  mutating func removeNext() { waiting.removeFirst() }

  /// Removes every operation, except disconnects where these are spared, and returns what was removed.
  mutating func removeAll(sparingDisconnects: Bool) -> [QueuedOperation] {
    let all = waiting
    waiting = all.filter { sparingDisconnects && $0.operation == .disconnect }
    return all.filter { !sparingDisconnects || $0.operation != .disconnect }
  }
}
