import HCI

/// How one end plans the time of a connection event.
struct EventPlan {
  private var length: UInt64
  private let exchangeLimit: Int
  private let reservesLongestReply: Bool
  private var used: UInt64
  private var exchanges = 0
  /// How long the longest packet of the other end takes.
  var longestReply: UInt64 = 0

  /// The plan of an end that keeps this timing, however long the interval is.
  init(_ timing: LinkTiming) {
    length = UInt64(timing.eventLength.wholeNanoseconds)
    used = UInt64(timing.fixedCost.wholeNanoseconds)
    exchangeLimit = timing.exchangeLimit ?? .max
    reservesLongestReply = timing.reservesLongestReply
  }

  /// The plan of one connection event.
  func within(_ interval: UInt64) -> EventPlan {
    var plan = self
    plan.length = min(length, interval)
    return plan
  }

  /// Whether one more exchange of these durations fits.
  @inline(__always)
  func allows(own: UInt64, reply: UInt64) -> Bool {
    let reserved = reservesLongestReply ? longestReply : reply
    return exchanges < exchangeLimit && used + own + reserved + 2 * AirTime.interFrameSpace <= length
  }

  /// Counts an exchange whose packets take this long together.
  @inline(__always)
  mutating func take(_ packets: UInt64) {
    used += packets + 2 * AirTime.interFrameSpace
    exchanges += 1
  }
}
