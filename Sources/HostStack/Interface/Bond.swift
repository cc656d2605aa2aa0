import Bytes

/// How a device pairs (Core Specification Vol 3, Part H, 3.5.1).
public struct SecurityParameters: Hashable, Sendable {
  /// Keys are kept after the connection.
  public var bonding = true
  /// LE Secure Connections is offered; used when the peer offers it too, else legacy pairing.
  public var secureConnections = false
  /// Only LE Secure Connections is accepted.
  public var secureConnectionsOnly = false
  /// Shortest key accepted, 7 to 16 octets.
  public var minimumKeySize: UInt8 = 7
  /// Longest key offered, 7 to 16 octets.
  public var maximumKeySize: UInt8 = 16
  /// Protection against repeated attempts (Vol 3, Part H, 2.3.6).
  public var limitsRepeatedAttempts = false

  public init() {}
}

/// What two devices store after pairing; a value that either side can store and load.
public struct Bond: Hashable, Sendable {
  /// The peer's identity address.
  public var identity: BluetoothAddress
  /// The key that encrypts when *this* device is the peripheral, or the one both share under Secure Connections.
  public var localKey: LongTermKey?
  /// The key that encrypts when *the peer* is the peripheral, or the one both share under Secure Connections.
  public var peerKey: LongTermKey?
  /// The peer's identity resolving key, sixteen octets, least significant first; `nil` where none was distributed.
  public var peerIdentityResolvingKey: [UInt8]?
  /// Whether LE Secure Connections made the keys.
  public var secureConnections: Bool
  /// The peer's subscriptions on this device's server, by the value's handle, in order of handles.
  public var subscriptions: [StoredSubscription] = []

  public init(
    identity: BluetoothAddress, localKey: LongTermKey?, peerKey: LongTermKey?, peerIdentityResolvingKey: [UInt8]?,
    secureConnections: Bool
  ) {
    self.identity = identity
    self.localKey = localKey
    self.peerKey = peerKey
    self.peerIdentityResolvingKey = peerIdentityResolvingKey
    self.secureConnections = secureConnections
  }
}

extension Bond: CustomStringConvertible, CustomReflectable {
  /// The peer's identity, never the keys.
  public var description: String { "bond with \(identity)" }
  /// Hides all fields, so that a dump shows no key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A long-term key with what names it (Vol 3, Part H, 2.4.2.3).
public struct LongTermKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Sixteen octets, least significant first as on the air.
  public var key: [UInt8]
  /// Encrypted diversifier; 0 under Secure Connections.
  public var encryptedDiversifier: UInt16
  /// Random number; 0 under Secure Connections.
  public var randomNumber: UInt64
  /// Octets of the key that count, 7 to 16.
  public var keySize: UInt8

  public init(key: [UInt8], encryptedDiversifier: UInt16, randomNumber: UInt64, keySize: UInt8) {
    self.key = key
    self.encryptedDiversifier = encryptedDiversifier
    self.randomNumber = randomNumber
    self.keySize = keySize
  }

  /// Never the key itself.
  public var description: String { "long-term key of \(keySize) octets" }
  /// Hides all fields, so that a dump shows no octet of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A subscription kept with a bond (Vol 3, Part G, 3.3.3.3).
public struct StoredSubscription: Hashable, Sendable {
  /// Handle of the characteristic's value.
  public var handle: AttributeHandle
  /// What is wanted.
  public var subscription: Subscription

  public init(handle: AttributeHandle, subscription: Subscription) {
    self.handle = handle
    self.subscription = subscription
  }
}
