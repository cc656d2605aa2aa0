import HCI

/// The longest packets of a connection, as one end knows them (Core Specification Vol 6, Part B, 4.5.10).
struct DataLengthState {
  /// What this end would like to send.
  var wanted: LEDataLength
  /// What this end can receive.
  private let receivable: LEDataLength
  /// What both ends have agreed on, for now.
  private(set) var effective = LEDataLengths(transmit: .shortest, receive: .shortest)

  init(wanted: LEDataLength, receivable: LEDataLength) {
    self.wanted = wanted
    self.receivable = receivable
  }

  /// What this end tells the other.
  var offered: LEDataLengths { LEDataLengths(transmit: wanted, receive: receivable) }

  /// Takes what the other end told; says whether anything changed.
  mutating func agree(with other: LEDataLengths) -> Bool {
    let before = effective
    effective = LEDataLengths(
      transmit: Self.lesser(wanted, other.receive), receive: Self.lesser(receivable, other.transmit))
    return effective != before
  }

  private static func lesser(_ one: LEDataLength, _ other: LEDataLength) -> LEDataLength {
    LEDataLength(
      octets: max(LEDataLength.shortest.octets, min(one.octets, other.octets)),
      microseconds: max(LEDataLength.shortest.microseconds, min(one.microseconds, other.microseconds)))
  }
}
