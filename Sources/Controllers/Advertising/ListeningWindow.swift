/// When and where a scanner or initiator listens: one advertising channel in each scan interval, for the length of
/// the window (Core Specification Vol 6, Part B, 4.4.3 and 4.4.4). Nothing has to happen for time to pass.
struct ListeningWindow {
  private let begin: UInt64
  private let interval: UInt64
  private let window: UInt64

  private static let unit: UInt64 = 625_000

  /// Begins now, in nanoseconds, with durations in units of 0.625 ms.
  init(begin: UInt64, intervalUnits: UInt16, windowUnits: UInt16) {
    self.begin = begin
    interval = UInt64(intervalUnits) * Self.unit
    window = UInt64(windowUnits) * Self.unit
  }

  /// Whether a packet on channel 37 + `channel` is listened to from its first to its last moment.
  func covers(channel: Int, from first: UInt64, to last: UInt64) -> Bool {
    guard first >= begin else { return false }
    let (round, phase) = (first - begin).quotientAndRemainder(dividingBy: interval)
    return Int(round % 3) == channel && phase + (last - first) <= window
  }
}
