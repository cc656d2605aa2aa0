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

  /// The most orders of one client that wait.
  static let limit = 64

  private nonisolated let loop: EventLoop
  private var items: [Item] = []
  /// Who gave the order that is being performed.
  private var performed: Origin?
  private var waiting: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) { self.loop = loop }

  /// Appends an order, unless too many of the same origin wait; from the loop's thread. Returns whether it was appended.
  nonisolated func put(_ item: Item) -> Bool {
    assumeIsolated { queue in
      let isFull = item.line != nil && queue.items.count { $0.origin == item.origin } >= Self.limit
      guard !isFull else { return false }
      queue.items.append(item)
      queue.waiting?.resume()
      queue.waiting = nil
      return true
    }
  }

  /// Forgets the orders of a client that has left; from the loop's thread. Returns whether one of them is being performed.
  nonisolated func drop(_ origin: Origin) -> Bool {
    assumeIsolated { queue in
      queue.items.removeAll { $0.origin == origin }
      return queue.performed == origin
    }
  }

  /// The next order.
  func next() async -> Item {
    performed = nil
    while items.isEmpty { await withCheckedContinuation { waiting = $0 } }
    let next = items.removeFirst()
    performed = next.origin
    return next
  }
}
