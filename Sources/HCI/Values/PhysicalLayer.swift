/// A PHY as events and answers name it (Core Specification Vol 4, Part E, 7.7.65.12).
public enum PhysicalLayer: UInt8, Hashable, Sendable {
  /// One megasymbol a second, uncoded.
  case le1M = 1
  /// Two megasymbols a second, uncoded.
  case le2M = 2
  /// One megasymbol a second with error correction.
  case leCoded = 3

  /// The set of only this PHY.
  public var asSet: PhysicalLayers { PhysicalLayers(rawValue: 1 << (rawValue - 1)) }
}

/// A set of PHYs as commands name it (Core Specification Vol 4, Part E, 7.8.48).
public struct PhysicalLayers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One megasymbol a second, uncoded.
  public static let le1M = PhysicalLayers(rawValue: 1)
  /// Two megasymbols a second, uncoded.
  public static let le2M = PhysicalLayers(rawValue: 2)
  /// One megasymbol a second with error correction.
  public static let leCoded = PhysicalLayers(rawValue: 4)
}

/// The PHYs that a host prefers; `nil` where it has no preference (Core Specification Vol 4, Part E, 7.8.48).
public struct PHYPreference: Hashable, Sendable {
  /// The PHYs to send on.
  public var transmit: PhysicalLayers?
  /// The PHYs to receive on.
  public var receive: PhysicalLayers?

  public init(transmit: PhysicalLayers? = nil, receive: PhysicalLayers? = nil) {
    self.transmit = transmit
    self.receive = receive
  }
}
