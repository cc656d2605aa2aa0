/// A first-in, first-out queue in a ring that grows when it is full. Appending and removing take constant time.
struct Queue<Element: Sendable>: Sendable {
  /// A power of two of places; those that are not in use hold `nil`, so that nothing is kept alive.
  private var ring: [Element?] = []
  private var head = 0
  /// How many elements wait.
  private(set) var count = 0

  /// Whether the queue is empty.
  var isEmpty: Bool { count == 0 }
  /// The oldest element.
  var first: Element? { isEmpty ? nil : ring[head] }

  /// Appends an element.
  mutating func append(_ element: Element) {
    if count == ring.count { grow() }
    ring[(head + count) & (ring.count - 1)] = element
    count += 1
  }

  /// Takes the oldest element out.
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      head = (head + 1) & (ring.count - 1)
      count -= 1
    }
    return ring[head].take()
  }

  /// Changes the oldest element in place; nothing happens when there is none.
  mutating func changeFirst(_ change: (inout Element) -> Void) {
    guard var element = first else { return }
    ring[head] = nil
    change(&element)
    ring[head] = element
  }

  private mutating func grow() {
    let elements = (0..<count).map { ring[(head + $0) & (ring.count - 1)] }
    ring = elements + Array(repeating: nil, count: max(8, count))
    head = 0
  }
}
