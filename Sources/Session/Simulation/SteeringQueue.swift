import Timeline

/// Orders from terminal and clients, in the order in which they came.
actor SteeringQueue {
  /// Who gave an order.
  enum Origin: Sendable, Equatable {
    case terminal
    case client(Int)
  }

  /// One order, or the wish to end.
  struct Item: Sendable, Equatable {
    var origin: Origin
    /// The line; `nil` for the wish to end.
    var line: String?
  }

  private nonisolated let loop: EventLoop
  private var items: [Item] = []
  private var waiting: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) { self.loop = loop }

  /// Appends an order; from the loop's thread.
  nonisolated func put(_ item: Item) {
    assumeIsolated { queue in
      queue.items.append(item)
      queue.waiting?.resume()
      queue.waiting = nil
    }
  }

  /// The next order.
  func next() async -> Item {
    while items.isEmpty { await withCheckedContinuation { waiting = $0 } }
    return items.removeFirst()
  }
}
