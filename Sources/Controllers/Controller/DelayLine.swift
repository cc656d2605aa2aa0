import HCI

/// Packets under way between host and controller, each due after the same latency, so that they keep their order.
struct DelayLine {
  private var packets: [HCIPacket] = []
  private var dues: [UInt64] = []
  private var head = 0

  var isEmpty: Bool { head == packets.count }

  /// Puts a packet in. Returns whether it is the first one due at that time, so that a wake-up must be scheduled.
  mutating func push(_ packet: HCIPacket, due: UInt64) -> Bool {
    let isFirst = isEmpty || dues[dues.count - 1] != due
    packets.append(packet)
    dues.append(due)
    return isFirst
  }

  /// Takes out the next packet that is due.
  mutating func pop(due now: UInt64) -> HCIPacket? {
    guard head < packets.count, dues[head] <= now else { return nil }
    var packet = HCIPacket(.event, [])
    swap(&packet, &packets[head])
    head += 1
    if head == packets.count {
      packets.removeAll(keepingCapacity: true)
      dues.removeAll(keepingCapacity: true)
      head = 0
    }
    return packet
  }

  mutating func removeAll() {
    packets.removeAll(keepingCapacity: true)
    dues.removeAll(keepingCapacity: true)
    head = 0
  }
}
