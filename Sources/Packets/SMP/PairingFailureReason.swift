/// The reason why pairing failed (Core Specification Vol 3, Part H, 3.5.5); an open set.
public struct PairingFailureReason: Error, Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// No answer within 30 s; this side's finding, never sent.
  public static let timeout = PairingFailureReason(0x00)
  /// The passkey was not entered.
  public static let passkeyEntryFailed = PairingFailureReason(0x01)
  /// Out-of-band data is not there.
  public static let outOfBandNotAvailable = PairingFailureReason(0x02)
  /// The authentication requirements cannot be met.
  public static let authenticationRequirements = PairingFailureReason(0x03)
  /// The confirm values do not match.
  public static let confirmValueFailed = PairingFailureReason(0x04)
  /// Pairing is not supported, or not now.
  public static let pairingNotSupported = PairingFailureReason(0x05)
  /// The key is shorter than required.
  public static let encryptionKeySize = PairingFailureReason(0x06)
  /// The SMP command is not supported.
  public static let commandNotSupported = PairingFailureReason(0x07)
  /// No reason was given.
  public static let unspecifiedReason = PairingFailureReason(0x08)
  /// Too little time since the last failure.
  public static let repeatedAttempts = PairingFailureReason(0x09)
  /// A parameter was not valid, such as a point that is not on the curve.
  public static let invalidParameters = PairingFailureReason(0x0A)
  /// The DHKey checks do not match.
  public static let dhKeyCheckFailed = PairingFailureReason(0x0B)
  /// People said that the numbers shown differ.
  public static let numericComparisonFailed = PairingFailureReason(0x0C)
  /// A distributed key was refused.
  public static let keyRejected = PairingFailureReason(0x0F)
}
