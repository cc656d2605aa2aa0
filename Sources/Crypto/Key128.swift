/// A secret of 128 bits: a temporary, short-term, long-term, identity-resolving or session key.
///
/// It is kept as a number, so the order of its octets matters only where it enters and leaves: the Core
/// Specification prints keys most significant octet first, HCI and the Security Manager send them least significant
/// octet first. Its descriptions never show the octets.
package struct Key128: Hashable, Sendable, BitwiseCopyable {
  /// The key as a number.
  package let value: UInt128

  /// Makes a key from its number.
  package init(_ value: UInt128) { self.value = value }

  /// Makes a key from sixteen octets, least significant first, as they stand in HCI and SMP packets.
  /// Traps when there are not sixteen.
  package init(littleEndian octets: [UInt8]) { value = UInt128(littleEndianOctets: octets) }

  /// Makes a key from sixteen octets, most significant first, as the Core Specification prints them.
  /// Traps when there are not sixteen.
  package init(bigEndian octets: [UInt8]) { value = UInt128(bigEndianOctets: octets) }

  /// Sixteen octets, least significant first, as they stand in HCI and SMP packets.
  package var littleEndian: [UInt8] { value.littleEndianOctets }

  /// Sixteen octets, most significant first, as the Core Specification prints them.
  package var bigEndian: [UInt8] { value.bigEndianOctets }

  /// The key with all but its `octets` least significant octets set to zero, as a negotiated encryption key size of
  /// 7 to 16 demands (Core Specification Vol 3, Part H, 2.3.4). Traps outside 1 to 16.
  package func masked(toSize octets: Int) -> Key128 {
    precondition((1...16).contains(octets), "a key has 1 to 16 octets")
    return Key128(value & (UInt128.max >> (128 - 8 * octets)))
  }
}

extension Key128: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says that there is a key, never which.
  package var description: String { "key (covered)" }
  /// Says that there is a key, never which.
  package var debugDescription: String { description }
  /// Returns a mirror without children, so that a dump does not show the key.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension UInt128 {
  /// Reads sixteen octets, least significant first, as they stand in HCI and SMP packets.
  /// Traps when there are not sixteen.
  package init(littleEndianOctets octets: [UInt8]) {
    precondition(octets.count == 16, "a value of 128 bits has sixteen octets")
    self = octets.withUnsafeBytes { UInt128(littleEndian: $0.loadUnaligned(as: UInt128.self)) }
  }

  /// Reads sixteen octets, most significant first, as the Core Specification prints them.
  /// Traps when there are not sixteen.
  package init(bigEndianOctets octets: [UInt8]) {
    self = UInt128(littleEndianOctets: octets).byteSwapped
  }

  /// Sixteen octets, least significant first, as they stand in HCI and SMP packets.
  package var littleEndianOctets: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

  /// Sixteen octets, most significant first, as the Core Specification prints them.
  package var bigEndianOctets: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
