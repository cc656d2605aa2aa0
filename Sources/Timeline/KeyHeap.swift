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
/// It has memory of its own, because an array would ask at every step whether it is shared.
struct KeyHeap: ~Copyable {
  private var keys: UnsafeMutablePointer<QueuedKey>
  private var capacity: Int
  /// How many keys there are, with those of events that were cancelled.
  private(set) var count = 0

  init() {
    capacity = 64
    keys = .allocate(capacity: capacity)
  }

  deinit { keys.deallocate() }

  /// The earliest key.
  var top: QueuedKey? { count > 0 ? keys[0] : nil }

  /// Puts a key in.
  mutating func insert(_ key: QueuedKey) {
    if count == capacity { grow() }
    var index = count
    count += 1
    while index > 0 {
      let parent = (index - 1) >> 2
      if !(key < keys[parent]) { break }
      keys[index] = keys[parent]
      index = parent
    }
    keys[index] = key
  }

  /// Takes the earliest key out, where there is one.
  mutating func removeTop() {
    guard let last = removeLast(), count > 0 else { return }
    var index = 0
    while let best = earliestChild(of: index), keys[best] < last {
      keys[index] = keys[best]
      index = best
    }
    keys[index] = last
  }

  /// Takes out a key that no other stands below.
  mutating func removeLast() -> QueuedKey? {
    guard count > 0 else { return nil }
    count -= 1
    return keys[count]
  }

  /// The earliest of a key's up to four children.
  @inline(__always)
  private func earliestChild(of index: Int) -> Int? {
    let first = 4 * index + 1
    if first >= count { return nil }
    var best = first
    var child = first + 1
    let end = min(first + 4, count)
    while child < end {
      if keys[child] < keys[best] { best = child }
      child += 1
    }
    return best
  }

  private mutating func grow() {
    let wider = UnsafeMutablePointer<QueuedKey>.allocate(capacity: capacity * 2)
    wider.initialize(from: keys, count: count)
    keys.deallocate()
    keys = wider
    capacity *= 2
  }
}
