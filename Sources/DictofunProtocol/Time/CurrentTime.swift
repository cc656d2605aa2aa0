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
  /// Why the time was adjusted: bit 0 by hand, bit 1 by an external reference, bit 2 time zone, bit 3 daylight
  /// saving.
  public var adjustReason: UInt8

  /// Octets of the value.
  public static let length = 10

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
    var writer = ByteWriter(capacity: Self.length)
    writer.write(year)
    for octet in [month, day, hours, minutes, seconds, dayOfWeek, fractions256, adjustReason] { writer.write(octet) }
    return writer.bytes
  }

  /// Reads a value as the firmware's time client does. Throws when there are not exactly ten octets or a field
  /// is out of the range that Nordic's client checks.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(octets.span)
    year = try reader.readUInt16("year")
    guard year == 0 || (1582...9999).contains(year) else {
      throw DecodingFailure(.invalid(value: UInt64(year)), field: "year", offset: 0)
    }
    month = try Self.field(&reader, "month", maximum: 12)
    day = try Self.field(&reader, "day", maximum: 31)
    hours = try Self.field(&reader, "hours", maximum: 23)
    minutes = try Self.field(&reader, "minutes", maximum: 59)
    seconds = try Self.field(&reader, "seconds", maximum: 59)
    dayOfWeek = try Self.field(&reader, "day of week", maximum: 7)
    fractions256 = try reader.readUInt8("fractions256")
    adjustReason = try reader.readUInt8("adjust reason")
    try reader.expectEnd("current time")
  }

  private static func field(
    _ reader: inout ByteReader, _ name: StaticString, maximum: UInt8
  ) throws(DecodingFailure) -> UInt8 {
    let offset = reader.offset
    let value = try reader.readUInt8(name)
    guard value <= maximum else {
      throw DecodingFailure(.invalid(value: UInt64(value)), field: "\(name)", offset: offset)
    }
    return value
  }

  /// The local time. `nil` when year, month or day is unknown or the date does not exist.
  public var civilTime: CivilTime? {
    CivilTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(hours), minute: Int(minutes),
      second: Int(seconds))
  }
}
