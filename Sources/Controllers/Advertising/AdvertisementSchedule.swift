/// When all advertising PDUs are on the air, so that overlapping ones can be found.
///
/// An advertising event has a fixed shape: the PDU of channel 37 + n begins n spacings after the event. So PDUs meet
/// on a channel exactly when their events begin within one PDU of each other.
final class AdvertisementSchedule {
  /// From the beginning of one channel's PDU to the next: room for the longest PDU, a scan request and its answer.
  static let channelSpacing: UInt64 = 1_500_000

  private struct Entry {
    var start: UInt64
    var previousStart: UInt64
    var duration: UInt64
    var channels: UInt8
    var isUsed: Bool
  }

  private unowned let medium: Medium
  private var entries: [Entry] = []
  private var owners: [(any AirStation)?] = []
  private static let never = UInt64.max / 2

  init(on medium: Medium) { self.medium = medium }

  /// Takes a place for an advertiser that uses these channels, with PDUs of this duration in nanoseconds.
  func join(_ owner: any AirStation, channels: UInt8, duration: UInt64) -> Int {
    let entry = Entry(
      start: Self.never, previousStart: Self.never, duration: duration, channels: channels, isUsed: true)
    if let free = entries.firstIndex(where: { !$0.isUsed }) {
      entries[free] = entry
      owners[free] = owner
      return free
    }
    entries.append(entry)
    owners.append(owner)
    return entries.count - 1
  }

  /// Gives the place back.
  func leave(_ place: Int) {
    entries[place].isUsed = false
    entries[place].start = Self.never
    entries[place].previousStart = Self.never
    owners[place] = nil
  }

  /// Says when the next advertising event begins.
  func plan(_ place: Int, start: UInt64) {
    entries[place].previousStart = entries[place].start
    entries[place].start = start
  }

  /// Whether another PDU that can be heard by `listener` overlaps the one of `place` in the event beginning at `start`.
  func isSpoiled(_ place: Int, start: UInt64, channel: Int, for listener: any AirStation) -> Bool {
    let end = start + entries[place].duration
    let bit: UInt8 = 1 << UInt8(channel)
    for index in entries.indices where index != place {
      let entry = entries[index]
      let meets =
        entry.start < end && start < entry.start &+ entry.duration
        || entry.previousStart < end && start < entry.previousStart &+ entry.duration
      guard meets, entry.channels & bit != 0, let owner = owners[index], owner !== listener else { continue }
      if medium.path(from: owner, to: listener).isInRange { return true }
    }
    return false
  }
}
