/// Handle on something that was scheduled, with which it can be cancelled.
public struct ScheduledEvent: Hashable, Sendable, BitwiseCopyable {
  let slot: UInt32
  let generation: UInt32
}

/// Whether something waiting in the queue is a reason to let a run go on.
public enum Urgency: UInt8, Sendable, BitwiseCopyable {
  /// Something will happen; the run is making progress.
  case normal
  /// A limit set on something else: when only limits are left, nothing can fulfil them any more.
  case deadline
  /// Something that goes on for ever and changes nothing by itself, such as unheard advertising.
  case background
}

/// A queue ordered by time, then by insertion: events of one instant leave in the order they went in.
///
/// A 4-ary heap of trivially copyable keys over a slab of payloads, so that sifting moves no references.
/// Cancelling empties the slot and leaves the key behind; keys without a slot are dropped when they surface,
/// and swept when they outnumber the living.
struct EventQueue<Payload>: ~Copyable {
  private struct Key: BitwiseCopyable {
    var time: UInt64
    var sequence: UInt64
    var slot: UInt32
    var generation: UInt32

    static func < (left: Key, right: Key) -> Bool {
      left.time != right.time ? left.time < right.time : left.sequence < right.sequence
    }
  }

  private struct Slot {
    private(set) var payload: Payload?
    private(set) var generation: UInt32 = 0
    private(set) var urgency = Urgency.normal

    /// Puts an event in; gives back the generation that tells it from earlier ones.
    mutating func fill(_ payload: Payload, _ urgency: Urgency) -> UInt32 {
      self.payload = payload
      self.urgency = urgency
      return generation
    }

    /// Takes the event out.
    mutating func vacate() -> Payload? {
      generation &+= 1
      return payload.take()
    }
  }

  private var heap: [Key] = []
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private var sequence: UInt64 = 0
  private var living = 0
  /// How many events of normal urgency are waiting.
  private(set) var normalCount = 0

  var isEmpty: Bool { living == 0 }

  mutating func push(at time: UInt64, _ urgency: Urgency, _ payload: Payload) -> ScheduledEvent {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot())
    }
    let generation = slots[Int(slot)].fill(payload, urgency)
    if urgency == .normal { normalCount += 1 }
    living += 1
    insert(Key(time: time, sequence: sequence, slot: slot, generation: generation))
    sequence &+= 1
    return ScheduledEvent(slot: slot, generation: generation)
  }

  /// Takes out the event if it is still waiting; says whether it was.
  @discardableResult
  mutating func cancel(_ event: ScheduledEvent) -> Bool {
    guard Int(event.slot) < slots.count, slots[Int(event.slot)].generation == event.generation else { return false }
    _ = vacate(event.slot)
    if heap.count > 64, heap.count > living * 2 { sweep() }
    return true
  }

  /// Time of the next living event.
  mutating func nextTime() -> UInt64? {
    while let top = heap.first {
      if slots[Int(top.slot)].generation == top.generation { return top.time }
      removeTop()
    }
    return nil
  }

  /// Removes and returns the next living event.
  mutating func pop() -> (time: UInt64, payload: Payload)? {
    guard let time = nextTime(), let top = heap.first, let payload = vacate(top.slot) else { return nil }
    removeTop()
    return (time, payload)
  }

  private mutating func vacate(_ slot: UInt32) -> Payload? {
    if slots[Int(slot)].urgency == .normal { normalCount -= 1 }
    living -= 1
    free.append(slot)
    return slots[Int(slot)].vacate()
  }

  private mutating func sweep() {
    let keys = heap
    heap.removeAll(keepingCapacity: true)
    for key in keys where slots[Int(key.slot)].generation == key.generation { insert(key) }
  }

  private mutating func insert(_ key: Key) {
    heap.append(key)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) >> 2
      if !(key < heap[parent]) { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = key
  }

  private mutating func removeTop() {
    let last = heap.removeLast()
    let count = heap.count
    if count == 0 { return }
    var index = 0
    while true {
      let first = 4 * index + 1
      if first >= count { break }
      var best = first
      for child in (first + 1)..<max(first + 1, min(first + 4, count)) where heap[child] < heap[best] { best = child }
      if !(heap[best] < last) { break }
      heap[index] = heap[best]
      index = best
    }
    heap[index] = last
  }
}
