/// Features of an LE link layer (Core Specification Vol 6, Part B, 4.6).
public struct LEFeatures: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Connections can be encrypted.
  public static let encryption = LEFeatures(rawValue: 1 << 0)
  /// Either side can ask for connection parameters in the link layer.
  public static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
  /// A reject names the procedure that it refuses.
  public static let extendedRejectIndication = LEFeatures(rawValue: 1 << 2)
  /// The peripheral can start the exchange of features.
  public static let peripheralInitiatedFeaturesExchange = LEFeatures(rawValue: 1 << 3)
  /// The other end's presence on an encrypted link can be checked.
  public static let ping = LEFeatures(rawValue: 1 << 4)
  /// Data packets can carry more than 27 octets.
  public static let dataPacketLengthExtension = LEFeatures(rawValue: 1 << 5)
  /// The controller resolves private addresses.
  public static let privacy = LEFeatures(rawValue: 1 << 6)
  /// Two megasymbols a second.
  public static let phy2M = LEFeatures(rawValue: 1 << 8)
  /// Coded transmission over longer distances.
  public static let phyCoded = LEFeatures(rawValue: 1 << 11)
  /// The extended advertising commands and packets.
  public static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
}
