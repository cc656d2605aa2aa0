/// Link and attribute parameters of the recorder.
public enum DictofunLink {
  /// The largest ATT MTU that the recorder answers to a request; it never asks itself.
  public static let maximumTransmissionUnit: UInt16 = 247
  /// Payload octets that the recorder asks for by data length extension right after it was connected.
  public static let dataLengthOctets: UInt16 = 251
  /// Octets of Peripheral Preferred Connection Parameters: 100 to 200 ms, latency 0, supervision 4 s.
  public static let preferredConnectionParameters: [UInt8] = [0x50, 0x00, 0xA0, 0x00, 0x00, 0x00, 0x90, 0x01]
  /// Reason of the recorder's own disconnections: Remote User Terminated Connection (Vol 1, Part F, 2.16).
  public static let disconnectReason: UInt8 = 0x13
}

/// Whom a recorder admits. The published firmware admits everybody; these are the promises of the `reference` profile.
public enum DictofunAdmission {
  /// How long a recorder with an owner pairs with further phones, from the last press or release of its button, or from
  /// its first bond.
  public static let pairingWindow: Duration = .seconds(30)
  /// How long a link may last that is not encrypted with a bond's key, while a recorder that has an owner does not pair.
  public static let strangersLink: Duration = .seconds(30)
}
