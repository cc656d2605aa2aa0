/// A date and time of day as a wall clock and a calendar show it, without a zone.
public struct CivilDateTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 1900 to 2199.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the length of the month.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59; there are no leap seconds here.
  public let second: Int

  /// Makes a date and time that exists in the Gregorian calendar; `nil` for any other.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (1900...2199).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Reads `2024-12-31 23:59:58`; the seconds, or the whole time of day, may be left out.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      let date = Self.numbers(parts[0], separator: "-", widths: [4, 2, 2]), date.count == 3
    else { return nil }
    var time = [0, 0, 0]
    if parts.count == 2 {
      guard let read = Self.numbers(parts[1], separator: ":", widths: [2, 2, 2]), read.count >= 2 else { return nil }
      time.replaceSubrange(0..<read.count, with: read)
    }
    self.init(
      year: date[0], month: date[1], day: date[2], hour: time[0], minute: time[1], second: time[2])
  }

  /// Days in a month of the Gregorian calendar.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// `2024-12-31 23:59:58`.
  public var description: String {
    let date = [month, day].map(Self.twoDigits).joined(separator: "-")
    return "\(year)-\(date) \([hour, minute, second].map(Self.twoDigits).joined(separator: ":"))"
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day, left.hour, left.minute, left.second)
      < (right.year, right.month, right.day, right.hour, right.minute, right.second)
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Decimal numbers of exactly the given widths, as many as there are; `nil` when one is not.
  private static func numbers(_ text: some StringProtocol, separator: Character, widths: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= widths.count else { return nil }
    var result: [Int] = []
    for (part, width) in zip(parts, widths) {
      guard part.utf8.count == width, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
      else { return nil }
      result.append(number)
    }
    return result
  }
}

/// How far a local clock is ahead of UTC (positive) or behind it.
public struct UTCOffset: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Minutes, -840 to 840.
  public let minutes: Int

  /// Makes an offset; `nil` beyond fourteen hours, the widest that any zone uses.
  public init?(minutes: Int) {
    guard (-840...840).contains(minutes) else { return nil }
    self.minutes = minutes
  }

  /// Reads `+01:00` or `-03:30`.
  public init?(_ text: some StringProtocol) {
    let octets = Array(text.utf8)
    guard octets.count == 6, octets[3] == UInt8(ascii: ":"), octets[0] == 0x2B || octets[0] == 0x2D else { return nil }
    let digits = [octets[1], octets[2], octets[4], octets[5]].map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }), digits[2] < 6 else { return nil }
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    self.init(minutes: octets[0] == 0x2D ? -minutes : minutes)
  }

  /// `+01:00`.
  public var description: String {
    let magnitude = minutes.magnitude
    let hours = CivilDateTime.twoDigits(Int(magnitude / 60))
    return (minutes < 0 ? "-" : "+") + hours + ":" + CivilDateTime.twoDigits(Int(magnitude % 60))
  }

  public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }
}

/// The name under which a recorder keeps a record: sixteen decimal digits, `0000YYMMDDhhmmss`.
public struct RecordName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The sixteen digits.
  public let digits: String

  /// Takes exactly sixteen decimal digits; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    digits = String(text)
  }

  /// The sixteen digits.
  public var description: String { digits }

  public static func < (left: Self, right: Self) -> Bool { left.digits < right.digits }
}
