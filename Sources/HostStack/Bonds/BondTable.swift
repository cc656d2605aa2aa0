import Bytes
import Crypto

/// The bonds a host knows, in the order they were made (Core Specification Vol 3, Part C, 9.4).
struct BondTable: Sendable {
  private(set) var bonds: [Bond]
  /// Identity resolving keys with their bonds' indices, prepared once, because every advertisement is resolved.
  private var resolvingKeys: [(index: Int, key: Key128)] = []

  init(_ bonds: [Bond] = []) {
    self.bonds = bonds
    refreshResolvingKeys()
  }

  /// The bond with this identity.
  subscript(_ identity: BluetoothAddress) -> Bond? { bonds.first { $0.identity == identity } }

  /// The identity behind an address: that of the bond whose key resolves it, or the address itself
  /// (Vol 6, Part B, 1.3.2.3).
  func identity(of address: BluetoothAddress) -> BluetoothAddress {
    guard address.isResolvablePrivate else { return address }
    for entry in resolvingKeys where PairingToolbox.resolves(address, with: entry.key) {
      return bonds[entry.index].identity
    }
    return address
  }

  /// The bond whose local key has this name; where `preferred` has it, that one (Vol 3, Part H, 2.4.4.1).
  func bond(
    encryptedDiversifier: UInt16, randomNumber: UInt64, preferring preferred: BluetoothAddress
  ) -> Bond? {
    func matches(_ bond: Bond) -> Bool {
      bond.localKey?.encryptedDiversifier == encryptedDiversifier && bond.localKey?.randomNumber == randomNumber
    }
    if let bond = self[preferred], matches(bond) { return bond }
    // Every key of Secure Connections is named 0 and 0, so only the peer's identity tells them apart.
    guard encryptedDiversifier != 0 || randomNumber != 0 else { return nil }
    return bonds.first(where: matches)
  }

  /// Adds a bond; one with the same identity is replaced.
  mutating func insert(_ bond: Bond) {
    if let index = bonds.firstIndex(where: { $0.identity == bond.identity }) {
      bonds[index] = bond
    } else {
      bonds.append(bond)
    }
    refreshResolvingKeys()
  }

  /// Forgets the bond with this identity, or all for `nil`.
  mutating func remove(_ identity: BluetoothAddress?) {
    bonds.removeAll { identity == nil || $0.identity == identity }
    refreshResolvingKeys()
  }

  private mutating func refreshResolvingKeys() {
    resolvingKeys = bonds.enumerated().compactMap { index, bond in
      // A key of zeros says that its owner uses no private addresses.
      guard let octets = bond.peerIdentityResolvingKey, octets.count == 16, octets.contains(where: { $0 != 0 }) else {
        return nil
      }
      return (index, Key128(littleEndian: octets))
    }
  }
}
