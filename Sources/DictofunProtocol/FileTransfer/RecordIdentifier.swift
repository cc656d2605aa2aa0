import Bytes

/// The name of a record: sixteen octets on the air, ASCII decimal digits `0000YYMMDDhhmmss` in an honest
/// recorder, taken from its clock when the record was begun.
///
/// Any sixteen octets can be held, because a peer may send any. The order of identifiers is the order of their
/// octets, which for valid ones is the order of their dates.
public struct RecordIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Octets of an identifier on the air.
  public static let octetCount = 16
  /// An identifier in a message.
  public static let field = WireField("identifier", .text(octets: octetCount))
  /// The identifier that the firmware uses when its clock does not answer: sixteen zero digits.
  public static let fallback = RecordIdentifier(repeating: UInt8(ascii: "0"))

  private let high: UInt64
  private let low: UInt64

  /// An identifier of sixteen equal octets.
  public init(repeating octet: UInt8) {
    high = UInt64(octet) &* 0x0101_0101_0101_0101
    low = high
  }

  /// Takes sixteen octets in the order of the air. `nil` for any other count.
  public init?(_ octets: some Collection<UInt8>) {
    guard octets.count == Self.octetCount else { return nil }
    self.init(joining: octets)
  }

  private init(joining octets: some Sequence<UInt8>) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for octet in octets { (high, low) = (high << 8 | low >> 56, low << 8 | UInt64(octet)) }
    (self.high, self.low) = (high, low)
  }

  /// Takes sixteen decimal digits. `nil` for any other text.
  public init?(_ text: String) {
    self.init(Array(text.utf8))
    guard hasOnlyDigits else { return nil }
  }

  /// The identifier that a repaired recorder gives a record begun at `time`: the true date, with the year
  /// modulo 100.
  public init(_ time: CivilTime) {
    let pairs = [0, 0, time.year % 100, time.month, time.day, time.hour, time.minute, time.second]
    self.init(digitPairs: pairs)
  }

  /// The identifier that the published firmware gives a record begun at `time`: month modulo 12 and day modulo 31,
  /// so that December and the 31st become 00.
  public init(foldingDateOf time: CivilTime) {
    let pairs = [0, 0, time.year % 100, time.month % 12, time.day % 31, time.hour, time.minute, time.second]
    self.init(digitPairs: pairs)
  }

  /// The identifier whose eight pairs of digits are `pairs`, each 0 to 99.
  init(digitPairs pairs: [Int]) {
    self.init(
      joining: pairs.lazy.flatMap { [UInt8(ascii: "0") + UInt8($0 / 10), UInt8(ascii: "0") + UInt8($0 % 10)] })
  }

  /// The sixteen octets in the order of the air.
  public var octets: [UInt8] {
    var result = [UInt8](repeating: 0, count: Self.octetCount)
    for index in 0..<8 {
      result[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(index)))
      result[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64(index)))
    }
    return result
  }

  /// Whether all sixteen octets are decimal digits.
  public var hasOnlyDigits: Bool { octets.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }

  /// Whether the identifier has only digits and names a time that exists.
  public var isValid: Bool { date != nil }

  /// The time that the identifier names, in the recorder's local time, years 2000 to 2099. `nil` when a digit
  /// is missing, the first four are not zero, or the date does not exist.
  public var date: CivilTime? {
    guard hasOnlyDigits else { return nil }
    let digits = octets.map { Int($0 - UInt8(ascii: "0")) }
    let pairs = stride(from: 0, to: 16, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    guard pairs[0] == 0, pairs[1] == 0 else { return nil }
    return CivilTime(
      year: 2000 + pairs[2], month: pairs[3], day: pairs[4], hour: pairs[5], minute: pairs[6], second: pairs[7])
  }

  /// The digits, or the octets in hexadecimal when they are not all digits.
  public var description: String {
    hasOnlyDigits ? String(decoding: octets, as: UTF8.self) : "0x" + Hexadecimal.string(octets)
  }

  public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
