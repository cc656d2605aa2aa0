/// First in, first out; taking out costs nothing however long the queue is.
struct Queue<Element: Sendable>: Sendable {
  /// What has been taken out leaves `nil`, so that nothing is kept alive.
  private var elements: [Element?] = []
  private var head = 0

  /// How many elements wait.
  var count: Int { elements.count - head }
  /// Whether none waits.
  var isEmpty: Bool { head == elements.count }
  /// The oldest element.
  var first: Element? { isEmpty ? nil : elements[head] }

  /// Puts an element behind all others.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the oldest element out.
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 32, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Changes the oldest element in place; nothing happens when there is none.
  mutating func changeFirst(_ change: (inout Element) -> Void) {
    guard !isEmpty, elements[head] != nil else { return }
    change(&elements[head]!)
  }
}
