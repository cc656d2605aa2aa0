import Bytes

/// The value of the Current Time characteristic, ten octets (GATT Specification Supplement, 3.62; CTS 1.1, 3.1).
public struct CurrentTime: Hashable, Sendable {
  /// Year, 1582 to 9999; 0 is unknown.
  public var year: UInt16
  /// Month, 1 to 12; 0 is unknown.
  public var month: UInt8
  /// Day of the month, 1 to 31; 0 is unknown.
  public var day: UInt8
  /// Hours, 0 to 23.
  public var hours: UInt8
  /// Minutes, 0 to 59.
  public var minutes: UInt8
  /// Seconds, 0 to 59.
  public var seconds: UInt8
  /// 1 is Monday, 7 is Sunday, 0 is unknown.
  public var dayOfWeek: UInt8
  /// Fractions of a second in 1/256.
  public var fractions256: UInt8
  /// The reason why the time was adjusted: bit 0 by hand, bit 1 by an external reference, bit 2 time zone, bit 3
  /// daylight saving.
  public var adjustReason: UInt8

  /// Octets of the value.
  public static let length = 10

  /// The value, with the limits that Nordic's client checks.
  public static let layout = WireLayout(
    "Current Time",
    [
      .number("year", octets: 2, maximum: 9999), .number("month", maximum: 12), .number("day", maximum: 31),
      .number("hours", maximum: 23), .number("minutes", maximum: 59), .number("seconds", maximum: 59),
      .number("day of week", maximum: 7), .number("fractions", unit: "1/256 s"), .number("adjust reason"),
    ])

  /// The value for a local time, `fractions256` of a second later.
  public init(_ time: CivilTime, fractions256: UInt8 = 0, adjustReason: UInt8 = 0) {
    year = UInt16(time.year)
    month = UInt8(time.month)
    day = UInt8(time.day)
    hours = UInt8(time.hour)
    minutes = UInt8(time.minute)
    seconds = UInt8(time.second)
    dayOfWeek = UInt8(time.dayOfWeek)
    self.fractions256 = fractions256
    self.adjustReason = adjustReason
  }

  /// The ten octets.
  public var encoded: [UInt8] {
    let rest = [month, day, hours, minutes, seconds, dayOfWeek, fractions256, adjustReason]
    return Self.layout.octets(of: [UInt32(year)] + rest.map { UInt32($0) })
  }

  /// Reads a value as the firmware's time client does. Throws when there are not exactly ten octets or a field
  /// is out of the range that Nordic's client checks.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    let numbers = try Self.layout.numbers(of: octets)
    guard numbers[0] == 0 || numbers[0] >= 1582 else {
      throw DecodingFailure(.invalid(value: UInt64(numbers[0])), field: "Current Time year", offset: 0)
    }
    year = UInt16(numbers[0])
    let rest = numbers.map { UInt8(truncatingIfNeeded: $0) }
    (month, day, hours, minutes, seconds) = (rest[1], rest[2], rest[3], rest[4], rest[5])
    (dayOfWeek, fractions256, adjustReason) = (rest[6], rest[7], rest[8])
  }

  /// The local time. `nil` when year, month or day is unknown or the date does not exist.
  public var civilTime: CivilTime? {
    CivilTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(hours), minute: Int(minutes),
      second: Int(seconds))
  }
}
