import HCI

/// What a connection can carry from its peripheral when nothing gets lost and the central only acknowledges: as many
/// packets in each connection event as both ends plan (Core Specification Vol 6, Part B, 4.5.1).
///
/// It is a bound. What the hosts wait for, other connections and advertising only make the peripheral slower.
struct LinkCapacity {
  /// How each end plans its events.
  var central: LinkTiming
  var peripheral: LinkTiming
  /// Nanoseconds from one event to the next.
  var interval: UInt64
  /// Packets with data that the central takes in one event.
  var room: Int
  /// Octets of the longest packet of each end.
  var centralLimit: Int
  var peripheralLimit: Int
  /// On what each end sends.
  var centralPHY: PhysicalLayer
  var peripheralPHY: PhysicalLayer
  /// Whether packets of the peripheral, and of the central, carry a message integrity check.
  var isEncrypted: Bool

  /// Octets of the header of an L2CAP packet (Vol 3, Part A, 3.1).
  private static let headerOctets = 4
  /// Octets of a notification before its value (Vol 3, Part F, 3.4.7.1).
  private static let notificationOctets = 3

  /// Octets of notified values that the peripheral can send in a second with this ATT_MTU, which is at least 23.
  func octetsPerSecond(maximumTransmissionUnit: Int) -> Int64 {
    let packet = Self.headerOctets + maximumTransmissionUnit
    let fragments = (packet + peripheralLimit - 1) / peripheralLimit
    let last = packet - (fragments - 1) * peripheralLimit
    var next = 0
    func event() -> Int {
      var completed = 0
      for _ in 0..<packets(from: next, of: fragments, last: last) {
        next = (next + 1) % fragments
        if next == 0 { completed += 1 }
      }
      return completed
    }
    // An event begins with the fragment that the last one left. After as many events as there are fragments the
    // beginnings come again in the same order.
    for _ in 0..<fragments { _ = event() }
    let first = next
    var events: UInt64 = 0
    var completed = 0
    repeat {
      completed += event()
      events += 1
    } while next != first
    let octets = UInt64(completed * (maximumTransmissionUnit - Self.notificationOctets))
    return Int64(octets * 1_000_000_000 / (events * interval))
  }

  /// Packets of the peripheral in one event that begins with fragment `first` of a notification.
  private func packets(from first: Int, of fragments: Int, last: Int) -> Int {
    func airTime(_ phy: PhysicalLayer, _ octets: Int) -> UInt64 {
      AirTime.nanoseconds(phy, payload: octets, integrityCheck: isEncrypted)
    }
    let empty = airTime(centralPHY, 0)
    var centralPlan = EventPlan(central).within(interval)
    var peripheralPlan = EventPlan(peripheral).within(interval)
    centralPlan.longestReply = airTime(peripheralPHY, peripheralLimit)
    peripheralPlan.longestReply = airTime(centralPHY, centralLimit)
    var count = 0
    while true {
      let isLast = (first + count + 1) % fragments == 0
      let length = airTime(peripheralPHY, isLast ? last : peripheralLimit)
      // The first exchange of an event always takes place.
      guard
        count == 0
          || (count < room && centralPlan.allows(own: empty, reply: length)
            && peripheralPlan.allows(own: length, reply: empty))
      else { return count }
      centralPlan.take(empty + length)
      peripheralPlan.take(empty + length)
      count += 1
    }
  }
}

extension Link {
  /// What it can carry with the parameters that it has now.
  var capacity: LinkCapacity {
    LinkCapacity(
      central: central.profile.timing, peripheral: peripheral.profile.timing, interval: interval,
      room: central.profile.receiveLimit ?? .max, centralLimit: central.channel.transmitLimit,
      peripheralLimit: peripheral.channel.transmitLimit, centralPHY: central.channel.transmitPHY,
      peripheralPHY: peripheral.channel.transmitPHY, isEncrypted: peripheral.channel.transmitCipher != nil)
  }
}
