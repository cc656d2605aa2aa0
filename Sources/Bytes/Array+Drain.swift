extension Array {
  /// Takes out everything and keeps the storage. For the few elements that a machine leaves behind with each input it is
  /// much cheaper than `removeAll(keepingCapacity:)`.
  @inlinable public mutating func drain() {
    while popLast() != nil {}
  }
}
