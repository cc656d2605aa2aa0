import Timeline

/// Ranges outside which no number of a report can be. What is read may come from anywhere, and must not make later
/// arithmetic trap.
enum ReportBounds {
  /// Lines of files, counters and repetitions.
  static let count = 0...1_000_000_000
  /// Nanoseconds of a time in a run, and of a duration: ten years.
  static let nanoseconds: ClosedRange<Int64> = 0...(3_653 * 86_400 * 1_000_000_000)
  /// Seconds since 1970, until the end of the year 9999.
  static let unixSeconds: ClosedRange<Int64> = 0...253_402_300_799
}

extension KeyedDecodingContainer {
  /// Reads a whole number. Throws where it is missing or outside the range.
  func decode<Number: FixedWidthInteger & Decodable>(
    _ key: Key, in range: ClosedRange<Number>
  ) throws -> Number {
    let number = try decode(Number.self, forKey: key)
    guard range.contains(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "expected a whole number from \(range.lowerBound) to \(range.upperBound), got \(number)")
    }
    return number
  }

  /// Reads a counter. Throws where it is missing or outside ``ReportBounds/count``.
  func count(_ key: Key) throws -> Int { try decode(key, in: ReportBounds.count) }

  /// Reads nanoseconds since the beginning of a run. Throws where they are missing or outside their bounds.
  func instant(_ key: Key) throws -> Instant {
    Instant(nanoseconds: UInt64(try decode(key, in: ReportBounds.nanoseconds)))
  }

  /// Reads nanoseconds since the beginning of a run; `nil` for `null` and for a missing member.
  func instantIfPresent(_ key: Key) throws -> Instant? {
    try contains(key) && !decodeNil(forKey: key) ? instant(key) : nil
  }

  /// Reads nanoseconds that passed. Throws where they are missing or outside their bounds.
  func duration(_ key: Key) throws -> Duration { .nanoseconds(try decode(key, in: ReportBounds.nanoseconds)) }
}

extension Duration {
  /// Seconds, rounded down to the microsecond: for readers of a report, who need no more.
  var roundedSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds / 1_000_000_000_000) / 1_000_000
  }
}
