/// How a controller uses the time of its connection events.
package struct LinkTiming: Hashable, Sendable {
  /// The longest connection event; never longer than the connection interval.
  package var eventLength: Duration
  /// What every connection event costs besides its packets.
  package var fixedCost: Duration
  /// Whether a new exchange begins only where the longest reply possible would still fit.
  package var reservesLongestReply: Bool
  /// Most exchanges of one connection event; `nil` where only the time limits them.
  package var exchangeLimit: Int?
  /// Whether a peripheral asks for one more exchange while its last data is not acknowledged, so that it learns
  /// of the acknowledgement in the same connection event.
  package var waitsForAcknowledgement: Bool

  package init(
    eventLength: Duration, fixedCost: Duration, reservesLongestReply: Bool,
    exchangeLimit: Int?, waitsForAcknowledgement: Bool
  ) {
    self.eventLength = eventLength
    self.fixedCost = fixedCost
    self.reservesLongestReply = reservesLongestReply
    self.exchangeLimit = exchangeLimit
    self.waitsForAcknowledgement = waitsForAcknowledgement
  }

  /// A Nordic SoftDevice with this event length.
  ///
  /// The fixed cost of 823 µs is the middle of the range, 809 to 836 µs, that reproduces the packets per event of
  /// the throughput tables in the S132 SoftDevice Specification v7.1, chapter 17, with the other rules as they are. These
  /// tables are of encrypted links; a packet of another link has no integrity check, so more of them fit.
  package static func softDevice(eventLength: Duration) -> LinkTiming {
    LinkTiming(
      eventLength: eventLength, fixedCost: .microseconds(823),
      reservesLongestReply: true, exchangeLimit: nil, waitsForAcknowledgement: true)
  }

  /// A phone that lets the peripheral have most of the interval, but not more than twelve exchanges.
  package static let phone = LinkTiming(
    eventLength: .seconds(4), fixedCost: .microseconds(300),
    reservesLongestReply: true, exchangeLimit: 12, waitsForAcknowledgement: false)

  /// A USB dongle under Linux: fewer exchanges in an event.
  package static let dongle = LinkTiming(
    eventLength: .seconds(4), fixedCost: .microseconds(500),
    reservesLongestReply: true, exchangeLimit: 6, waitsForAcknowledgement: false)
}
