import HCI

/// Packets under way between host and controller, each due after the same latency, so that they keep their order.
///
/// A ring in memory of its own: packets are moved in and out, and none is copied.
struct DelayLine: ~Copyable {
  private struct Entry {
    let packet: HCIPacket
    let due: UInt64
  }

  /// A power of two of places.
  private var ring: UnsafeMutableBufferPointer<Entry>
  private var head = 0
  private var count = 0
  private var lastDue: UInt64 = 0

  private static let initialRoom = 16

  init() { ring = .allocate(capacity: Self.initialRoom) }

  deinit {
    for index in 0..<count { ring.deinitializeElement(at: place(index)) }
    ring.deallocate()
  }

  private func place(_ index: Int) -> Int { (head &+ index) & (ring.count - 1) }

  /// Puts a packet in. Returns whether it is the first one due at that time, so that a wake-up must be scheduled.
  mutating func push(_ packet: consuming HCIPacket, due: UInt64) -> Bool {
    let isFirst = count == 0 || lastDue != due
    if count == ring.count { grow() }
    ring.initializeElement(at: place(count), to: Entry(packet: packet, due: due))
    count += 1
    lastDue = due
    return isFirst
  }

  /// Takes out the next packet that is due.
  mutating func pop(due now: UInt64) -> HCIPacket? {
    guard count > 0, ring[head].due <= now else { return nil }
    let entry = ring.moveElement(from: head)
    head = place(1)
    count -= 1
    return entry.packet
  }

  mutating func removeAll() {
    for index in 0..<count { ring.deinitializeElement(at: place(index)) }
    count = 0
  }

  private mutating func grow() {
    let wider = UnsafeMutableBufferPointer<Entry>.allocate(capacity: ring.count * 2)
    for index in 0..<count { wider.initializeElement(at: index, to: ring.moveElement(from: place(index))) }
    ring.deallocate()
    ring = wider
    head = 0
  }
}
