/// When all advertising PDUs are on the air, so that overlapping ones can be found.
///
/// An advertising event has a fixed shape: the PDU of channel 37 + n begins n spacings after the event. So PDUs meet
/// on a channel exactly when their events begin within one PDU of each other.
final class AdvertisementSchedule {
  /// From the beginning of one channel's PDU to the next: room for the longest PDU, a scan request and its answer.
  static let channelSpacing: UInt64 = 1_500_000

  /// Whether PDUs that overlap on one channel spoil each other.
  var collisions = false {
    didSet { if collisions != oldValue { sortIntoSlots() } }
  }

  private struct Entry {
    var start = never
    var previousStart = never
    var duration: UInt64
    var channels: UInt8
    var owner: (any AirStation)?
  }

  private unowned let medium: Medium
  private var entries: [Entry] = []
  private var free: [Int] = []
  /// The places whose present or previous event begins in a slot: with a thousand advertisers only a few can overlap.
  /// Empty while collisions do not count.
  private var slots: [UInt64: [Int]] = [:]
  private static let never = UInt64.max / 2
  /// Nanoseconds of a slot: longer than the longest PDU, 376 µs, so that only neighbouring slots can overlap.
  private static let slotLength: UInt64 = 400_000

  init(on medium: Medium) { self.medium = medium }

  /// Takes a place for an advertiser that uses these channels, with PDUs of this duration in nanoseconds.
  func join(_ owner: any AirStation, channels: UInt8, duration: UInt64) -> Int {
    let entry = Entry(duration: duration, channels: channels, owner: owner)
    if let place = free.popLast() {
      entries[place] = entry
      return place
    }
    entries.append(entry)
    return entries.count - 1
  }

  /// Gives the place back.
  func leave(_ place: Int) {
    leaveSlot(of: entries[place].start, place)
    leaveSlot(of: entries[place].previousStart, place)
    entries[place].start = Self.never
    entries[place].previousStart = Self.never
    entries[place].owner = nil
    free.append(place)
  }

  /// Says when the next advertising event begins.
  func plan(_ place: Int, start: UInt64) {
    leaveSlot(of: entries[place].previousStart, place)
    entries[place].previousStart = entries[place].start
    entries[place].start = start
    enterSlot(of: start, place)
  }

  /// Whether another PDU that can be heard by `listener` overlaps the one of `place` in the event beginning at `start`.
  func isSpoiled(_ place: Int, start: UInt64, channel: Int, for listener: any AirStation) -> Bool {
    guard collisions else { return false }
    let slot = start / Self.slotLength
    for near in (slot == 0 ? 0 : slot - 1)...(slot + 1) {
      for other in slots[near] ?? [] where other != place {
        if spoils(entries[other], entries[place].duration, start, channel, for: listener) { return true }
      }
    }
    return false
  }

  private func spoils(
    _ entry: Entry, _ duration: UInt64, _ start: UInt64, _ channel: Int, for listener: any AirStation
  ) -> Bool {
    let end = start + duration
    let meets =
      entry.start < end && start < entry.start &+ entry.duration
      || entry.previousStart < end && start < entry.previousStart &+ entry.duration
    guard meets, entry.channels & 1 << UInt8(channel) != 0, let owner = entry.owner, owner !== listener else {
      return false
    }
    return medium.path(from: owner, to: listener).isInRange
  }

  // MARK: Slots

  private func sortIntoSlots() {
    slots = [:]
    for place in entries.indices {
      enterSlot(of: entries[place].start, place)
      enterSlot(of: entries[place].previousStart, place)
    }
  }

  private func enterSlot(of start: UInt64, _ place: Int) {
    guard collisions, start != Self.never else { return }
    slots[start / Self.slotLength, default: []].append(place)
  }

  private func leaveSlot(of start: UInt64, _ place: Int) {
    guard collisions, start != Self.never else { return }
    let slot = start / Self.slotLength
    slots[slot]?.removeAll { $0 == place }
    if slots[slot]?.isEmpty == true { slots[slot] = nil }
  }
}
