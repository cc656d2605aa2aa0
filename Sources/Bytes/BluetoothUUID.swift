/// A UUID of an attribute type, service or characteristic: 16 bits of the Bluetooth SIG's range, or 128 bits
/// (Core Specification Vol 3, Part B, 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The upper 64 bits of the full UUID.
  public let high: UInt64
  /// The lower 64 bits of the full UUID.
  public let low: UInt64

  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// A UUID of the SIG's 16-bit range.
  public init(_ short: UInt16) {
    high = UInt64(short) << 32 | 0x1000
    low = Self.baseLow
  }

  /// A full UUID from its two halves, most significant first.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Two or sixteen octets, least significant first, as they stand on the air. `nil` for any other count.
  public init?(littleEndian octets: [UInt8]) {
    switch octets.count {
    case 2: self.init(UInt16(octets[0]) | UInt16(octets[1]) << 8)
    case 16:
      let number = octets.reversed()
      self.init(
        high: number.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: number.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// Reads `180F`, `0x180F` or the dashed form of 36 characters.
  public init?(_ text: some StringProtocol) {
    let lower = text.lowercased()
    if lower.utf8.count <= 6 {
      let digits = lower.hasPrefix("0x") ? lower.dropFirst(2) : lower[...]
      guard digits.utf8.count == 4, let short = UInt16(digits, radix: 16) else { return nil }
      self.init(short)
    } else {
      guard lower.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12],
        let octets = Hexadecimal.bytes(lower.filter { $0 != "-" })
      else { return nil }
      self.init(littleEndian: octets.reversed())
    }
  }

  /// The 16-bit form, where there is one.
  public var short: UInt16? {
    low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == 0x1000 ? UInt16(truncatingIfNeeded: high >> 32) : nil
  }

  /// The shortest octets that name this UUID on the air, least significant first: two or sixteen.
  public var littleEndian: [UInt8] {
    if let short { return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)] }
    return littleEndian128
  }

  /// The sixteen octets, least significant first.
  public var littleEndian128: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: low >> ($0 * 8)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: high >> ($0 * 8)) }
  }

  /// Four digits for the SIG's range, else the dashed form.
  public var description: String {
    let text = Hexadecimal.string(littleEndian.reversed())
    guard text.utf8.count == 32 else { return text.uppercased() }
    let characters = Array(text)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(characters[$0]) }.joined(separator: "-")
  }

  public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
