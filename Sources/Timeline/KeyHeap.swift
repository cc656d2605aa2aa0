/// Where an event stands in the queue.
struct QueuedKey: BitwiseCopyable {
  let time: UInt64
  let sequence: UInt64
  let slot: UInt32
  let generation: UInt32

  @inline(__always) static func < (left: Self, right: Self) -> Bool {
    left.time != right.time ? left.time < right.time : left.sequence < right.sequence
  }
}

/// A 4-ary heap of keys, the earliest on top.
///
/// It has memory of its own, because an array would ask at every step whether it is shared. A key that is earlier than all
/// others when it comes waits beside the heap: most events cause the next one, which never enters the heap then.
struct KeyHeap: ~Copyable {
  private var keys: UnsafeMutablePointer<QueuedKey>
  private var capacity: Int
  /// Keys in the heap.
  private var size = 0
  /// The key beside the heap, which is earlier than all in it.
  private var first: QueuedKey?

  init() {
    capacity = 64
    keys = .allocate(capacity: capacity)
  }

  deinit { keys.deallocate() }

  /// How many keys there are, with those of events that were cancelled.
  var count: Int { first == nil ? size : size + 1 }

  /// The earliest key.
  var top: QueuedKey? { first ?? (size > 0 ? keys[0] : nil) }

  /// Puts a key in.
  @inline(__always)
  mutating func insert(_ key: QueuedKey) {
    if let first {
      if first < key { return sink(key) }
      sink(first)
      self.first = key
    } else if size == 0 || key < keys[0] {
      first = key
    } else {
      sink(key)
    }
  }

  @inline(never)
  private mutating func sink(_ key: QueuedKey) {
    if size == capacity { grow() }
    var index = size
    size += 1
    while index > 0 {
      let parent = (index - 1) >> 2
      if !(key < keys[parent]) { break }
      keys[index] = keys[parent]
      index = parent
    }
    keys[index] = key
  }

  /// Takes the earliest key out, where there is one.
  @inline(__always)
  mutating func removeTop() {
    if first != nil { first = nil } else { removeRoot() }
  }

  private mutating func removeRoot() {
    guard let last = removeLast(), size > 0 else { return }
    var index = 0
    while let best = earliestChild(of: index), keys[best] < last {
      keys[index] = keys[best]
      index = best
    }
    keys[index] = last
  }

  /// Takes out a key that no other stands below.
  mutating func removeLast() -> QueuedKey? {
    if let key = first {
      first = nil
      return key
    }
    guard size > 0 else { return nil }
    size -= 1
    return keys[size]
  }

  /// The earliest of a key's up to four children.
  @inline(__always)
  private func earliestChild(of index: Int) -> Int? {
    let eldest = 4 * index + 1
    if eldest >= size { return nil }
    var best = eldest
    var child = eldest + 1
    let end = min(eldest + 4, size)
    while child < end {
      if keys[child] < keys[best] { best = child }
      child += 1
    }
    return best
  }

  private mutating func grow() {
    let wider = UnsafeMutablePointer<QueuedKey>.allocate(capacity: capacity * 2)
    wider.initialize(from: keys, count: size)
    keys.deallocate()
    keys = wider
    capacity *= 2
  }
}
