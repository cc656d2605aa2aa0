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

/// An event that waits.
struct QueuedEvent<Payload: ~Copyable>: ~Copyable {
  let payload: Payload
  let urgency: Urgency
}

/// A queue ordered by time, then by insertion: events of one instant leave in the order they went in.
///
/// A 4-ary heap of trivially copyable keys over a slab of payloads, so that sifting moves no references.
/// Cancelling empties the slot and leaves the key behind; keys without a slot are dropped when they surface,
/// and swept when they outnumber the living. What every event goes through is inlined, since each call would move the event
/// through memory once more.
struct EventQueue<Payload: ~Copyable>: ~Copyable {
  private var heap = KeyHeap()
  private var entries = Slab<QueuedEvent<Payload>>()
  private var sequence: UInt64 = 0
  private var living = 0
  /// How many events of normal urgency are waiting.
  private(set) var normalCount = 0

  var isEmpty: Bool { living == 0 }

  @inline(__always)
  mutating func push(at time: UInt64, _ urgency: Urgency, _ payload: consuming Payload) -> ScheduledEvent {
    let (slot, generation) = entries.insert(QueuedEvent(payload: payload, urgency: urgency))
    if urgency == .normal { normalCount += 1 }
    living += 1
    heap.insert(QueuedKey(time: time, sequence: sequence, slot: slot, generation: generation))
    sequence &+= 1
    return ScheduledEvent(slot: slot, generation: generation)
  }

  /// Takes out the event if it is still waiting; says whether it was.
  @discardableResult
  mutating func cancel(_ event: ScheduledEvent) -> Bool {
    guard entries.holds(event.slot, event.generation) else { return false }
    _ = vacate(event.slot)
    if heap.count > 64, heap.count > living * 2 { sweep() }
    return true
  }

  /// Time of the next living event.
  @inline(__always)
  mutating func nextTime() -> UInt64? {
    while let top = heap.top {
      if entries.holds(top.slot, top.generation) { return top.time }
      heap.removeTop()
    }
    return nil
  }

  /// Removes and returns the next event, whose time ``nextTime()`` has just told.
  @inline(__always)
  mutating func pop() -> Payload? {
    guard let top = heap.top else { return nil }
    heap.removeTop()
    return vacate(top.slot)
  }

  @inline(__always)
  private mutating func vacate(_ slot: UInt32) -> Payload? {
    guard let entry = entries.take(slot) else { return nil }
    if entry.urgency == .normal { normalCount -= 1 }
    living -= 1
    return entry.payload
  }

  private mutating func sweep() {
    var swept = KeyHeap()
    swap(&swept, &heap)
    while let key = swept.removeLast() {
      if entries.holds(key.slot, key.generation) { heap.insert(key) }
    }
  }
}
