/// A Bluetooth device address with its type (Core Specification Vol 6, Part B, 1.3).
public struct BluetoothAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// How the address was made.
  public enum Kind: UInt8, Hashable, Sendable {
    /// Assigned by the IEEE.
    case `public` = 0
    /// Random: static, resolvable private or non-resolvable private, by the two most significant bits.
    case random = 1
  }

  /// The 48 bits of the address.
  public let value: UInt64
  /// Public or random.
  public let kind: Kind

  /// Makes an address from the lower 48 bits of `value`.
  public init(_ value: UInt64, _ kind: Kind) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// Makes an address from six octets, least significant first, as they stand in HCI packets.
  /// Traps when there are not six.
  public init(littleEndian octets: [UInt8], _ kind: Kind) {
    precondition(octets.count == 6, "an address has six octets")
    self.init(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }, kind)
  }

  /// Reads `C0:01:02:03:04:05`, optionally followed by `/P` (public) or `/R` (random, the default).
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let kind: Kind
    switch parts.count > 1 ? parts[1].lowercased() : "r" {
    case "p", "public": kind = .public
    case "r", "random": kind = .random
    default: return nil
    }
    let octets = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6 else { return nil }
    var value: UInt64 = 0
    for octet in octets {
      guard octet.utf8.count == 2, let byte = UInt8(octet, radix: 16) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    self.init(value, kind)
  }

  /// Six octets, least significant first, as they stand in HCI packets.
  public var littleEndian: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
  /// Six octets, most significant first, as they are printed and as the pairing functions take them.
  public var bigEndian: [UInt8] { littleEndian.reversed() }

  /// Whether a device can have it as its identity: public, or random and static (Vol 3, Part H, 3.6.5).
  package var canBeIdentity: Bool {
    switch kind {
    case .public: value != 0 && value != 0xFFFF_FFFF_FFFF
    case .random: isStaticRandom && value & 0x3FFF_FFFF_FFFF != 0 && value & 0x3FFF_FFFF_FFFF != 0x3FFF_FFFF_FFFF
    }
  }

  /// Whether this is a static random address (Vol 6, Part B, 1.3.2.1).
  public var isStaticRandom: Bool { kind == .random && value >> 46 == 0b11 }
  /// Whether this is a resolvable private address (Vol 6, Part B, 1.3.2.2).
  public var isResolvablePrivate: Bool { kind == .random && value >> 46 == 0b01 }

  /// Colon-separated octets, most significant first, without the type.
  public var description: String {
    String(unsafeUninitializedCapacity: 17) { text in
      for place in 0..<17 {
        // Every third place parts two octets; the others take four bits each, from the highest.
        let digit = UInt8(truncatingIfNeeded: value >> UInt64(44 - 4 * (place - place / 3))) & 0xF
        text[place] =
          place % 3 == 2 ? UInt8(ascii: ":") : digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
      }
      return 17
    }
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.value, left.kind.rawValue) < (right.value, right.kind.rawValue)
  }
}

extension ByteReader {
  /// Reads the six octets of an address of a known kind.
  public mutating func readAddress(
    _ kind: BluetoothAddress.Kind, _ field: StaticString
  ) throws(DecodingFailure) -> BluetoothAddress {
    let low = UInt64(try readUInt32(field))
    return BluetoothAddress(UInt64(try readUInt16(field)) << 32 | low, kind)
  }
}

extension ByteWriter {
  /// Appends the six octets of an address, least significant first.
  public mutating func write(_ address: BluetoothAddress) {
    write(UInt32(truncatingIfNeeded: address.value))
    write(UInt16(truncatingIfNeeded: address.value >> 32))
  }
}
