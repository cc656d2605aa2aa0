import DictofunProtocol

/// The order in which a phone shows records: newest first by the time in the identifier.
///
/// The published firmware writes December as month 00 and the 31st as day 00, which are put where they belong. An
/// identifier without any time, such as the sixteen zeros of a dead clock, comes after all that have one. Records of
/// one second keep the order of their arrival, the latest first.
enum RecordOrder {
  /// The records in that order.
  static func newestFirst(_ records: [LibraryRecord]) -> [LibraryRecord] {
    records.map { (key: key($0.identifier), record: $0) }
      .sorted { ($0.key, $0.record.number) > ($1.key, $1.record.number) }
      .map(\.record)
  }

  /// Identifiers in that order; of one time, the one listed last first.
  static func newestFirst(_ identifiers: [RecordIdentifier]) -> [RecordIdentifier] {
    identifiers.enumerated().map { (key: key($0.element), place: $0.offset, identifier: $0.element) }
      .sorted { ($0.key, $0.place) > ($1.key, $1.place) }
      .map(\.identifier)
  }

  /// The date and time in an identifier; `nil` where it has none.
  static func date(of identifier: RecordIdentifier) -> CivilTime? {
    guard let pairs = pairs(of: identifier) else { return nil }
    return CivilTime(
      year: 2000 + pairs[2], month: pairs[3], day: pairs[4], hour: pairs[5], minute: pairs[6], second: pairs[7])
  }

  /// A number that grows with the time in the identifier; 0 where there is none.
  private static func key(_ identifier: RecordIdentifier) -> UInt64 {
    guard let pairs = pairs(of: identifier) else { return 0 }
    // The first two pairs are zero in every firmware and say nothing about time.
    return pairs[2...].reduce(1) { $0 * 100 + UInt64($1) }
  }

  /// The eight pairs of digits, month and day put where they belong; `nil` where the identifier has no time.
  private static func pairs(of identifier: RecordIdentifier) -> [Int]? {
    guard identifier.hasOnlyDigits, identifier != .fallback else { return nil }
    let digits = identifier.octets.map { Int($0 - UInt8(ascii: "0")) }
    var pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    if pairs[3] == 0 { pairs[3] = 12 }
    if pairs[4] == 0 { pairs[4] = 31 }
    return pairs
  }
}
