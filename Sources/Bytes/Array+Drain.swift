extension Array {
  /// Takes out everything and keeps the storage. For the few elements that a machine leaves behind with each input it is
  /// much cheaper than `removeAll(keepingCapacity:)`.
  @inlinable public mutating func drain() {
    while popLast() != nil {}
  }

  /// The element at `next`, which goes on to the following one while it is less than the count. The last element is moved
  /// out, so that a list of one, which most are, is emptied without a copy. Elements may be appended meanwhile.
  @inlinable public mutating func take(_ next: inout Int) -> Element {
    if next + 1 == count { return removeLast() }
    defer { next += 1 }
    return self[next]
  }
}
