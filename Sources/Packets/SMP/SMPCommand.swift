import Bytes

/// A command of the Security Manager Protocol (Core Specification Vol 3, Part H, 3.3 to 3.6).
///
/// Values of 128 bits are numbers: the octet sent first is the least significant.
public enum SMPCommand: Hashable, Sendable {
  /// The initiator asks to pair (3.5.1).
  case pairingRequest(PairingFeatures)
  /// The responder agrees to pair (3.5.2).
  case pairingResponse(PairingFeatures)
  /// Confirm value of either side (3.5.3).
  case pairingConfirm(UInt128)
  /// Random value or nonce of either side (3.5.4).
  case pairingRandom(UInt128)
  /// Pairing ends without keys (3.5.5).
  case pairingFailed(PairingFailureReason)
  /// Public key of either side: X, then Y, 32 octets each, least significant first (3.5.6).
  case pairingPublicKey([UInt8])
  /// Check value of either side under Secure Connections (3.5.7).
  case pairingDHKeyCheck(UInt128)
  /// A key was pressed during passkey entry (3.5.8).
  case keypressNotification(UInt8)
  /// A long-term key is distributed (3.6.2).
  case encryptionInformation(UInt128)
  /// The name of the long-term key (3.6.3).
  case centralIdentification(encryptedDiversifier: UInt16, randomNumber: UInt64)
  /// An identity resolving key is distributed (3.6.4).
  case identityInformation(UInt128)
  /// The identity address that goes with it (3.6.5).
  case identityAddressInformation(BluetoothAddress)
  /// A signature key is distributed (3.6.6).
  case signingInformation(UInt128)
  /// The peripheral asks the central for security (3.6.7).
  case securityRequest(AuthenticationRequirements)
  /// A command with an unknown code, and the octets after it.
  case unknown(code: UInt8, [UInt8])

  /// Octets of the longest command, which every LE device takes when Secure Connections is supported (3.2).
  public static let maximumLength = 65

  /// The first octet of the commands that are known (3.3).
  public enum Code: UInt8, Sendable {
    /// See ``SMPCommand/pairingRequest``.
    case pairingRequest = 0x01
    /// See ``SMPCommand/pairingResponse``.
    case pairingResponse = 0x02
    /// See ``SMPCommand/pairingConfirm``.
    case pairingConfirm = 0x03
    /// See ``SMPCommand/pairingRandom``.
    case pairingRandom = 0x04
    /// See ``SMPCommand/pairingFailed``.
    case pairingFailed = 0x05
    /// See ``SMPCommand/encryptionInformation``.
    case encryptionInformation = 0x06
    /// See ``SMPCommand/centralIdentification``.
    case centralIdentification = 0x07
    /// See ``SMPCommand/identityInformation``.
    case identityInformation = 0x08
    /// See ``SMPCommand/identityAddressInformation``.
    case identityAddressInformation = 0x09
    /// See ``SMPCommand/signingInformation``.
    case signingInformation = 0x0A
    /// See ``SMPCommand/securityRequest``.
    case securityRequest = 0x0B
    /// See ``SMPCommand/pairingPublicKey``.
    case pairingPublicKey = 0x0C
    /// See ``SMPCommand/pairingDHKeyCheck``.
    case pairingDHKeyCheck = 0x0D
    /// See ``SMPCommand/keypressNotification``.
    case keypressNotification = 0x0E
  }

  /// The first octet.
  public var code: UInt8 {
    switch self {
    case .pairingRequest: Code.pairingRequest.rawValue
    case .pairingResponse: Code.pairingResponse.rawValue
    case .pairingConfirm: Code.pairingConfirm.rawValue
    case .pairingRandom: Code.pairingRandom.rawValue
    case .pairingFailed: Code.pairingFailed.rawValue
    case .encryptionInformation: Code.encryptionInformation.rawValue
    case .centralIdentification: Code.centralIdentification.rawValue
    case .identityInformation: Code.identityInformation.rawValue
    case .identityAddressInformation: Code.identityAddressInformation.rawValue
    case .signingInformation: Code.signingInformation.rawValue
    case .securityRequest: Code.securityRequest.rawValue
    case .pairingPublicKey: Code.pairingPublicKey.rawValue
    case .pairingDHKeyCheck: Code.pairingDHKeyCheck.rawValue
    case .keypressNotification: Code.keypressNotification.rawValue
    case .unknown(let code, _): code
    }
  }

  /// Reads one command that fills all of the reader. Throws where a field is cut off, octets are left over, or a field
  /// has a reserved value.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let code = try reader.readUInt8("SMP code")
    switch Code(rawValue: code) {
    case .pairingRequest: self = .pairingRequest(try PairingFeatures(decoding: &reader))
    case .pairingResponse: self = .pairingResponse(try PairingFeatures(decoding: &reader))
    case .pairingConfirm: self = .pairingConfirm(try reader.readUInt128("confirm value"))
    case .pairingRandom: self = .pairingRandom(try reader.readUInt128("random value"))
    case .pairingFailed: self = .pairingFailed(PairingFailureReason(rawValue: try reader.readUInt8("reason")))
    case .encryptionInformation: self = .encryptionInformation(try reader.readUInt128("long-term key"))
    case .centralIdentification:
      self = .centralIdentification(
        encryptedDiversifier: try reader.readUInt16("EDIV"), randomNumber: try reader.readUInt64("Rand"))
    case .identityInformation: self = .identityInformation(try reader.readUInt128("identity resolving key"))
    case .identityAddressInformation: self = .identityAddressInformation(try reader.readIdentityAddress())
    case .signingInformation: self = .signingInformation(try reader.readUInt128("signature key"))
    case .securityRequest:
      self = .securityRequest(AuthenticationRequirements(rawValue: try reader.readUInt8("AuthReq")))
    case .pairingPublicKey: self = .pairingPublicKey(try reader.readBytes(64, "public key"))
    case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try reader.readUInt128("DHKey check"))
    case .keypressNotification: self = .keypressNotification(try reader.readUInt8("notification type"))
    case nil: self = .unknown(code: code, reader.readRemaining())
    }
    try reader.expectEnd("SMP command")
  }

  /// Reads one command from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(code)
    switch self {
    case .pairingRequest(let features), .pairingResponse(let features): features.encode(into: &writer)
    case .pairingConfirm(let value), .pairingRandom(let value), .pairingDHKeyCheck(let value),
      .encryptionInformation(let value), .identityInformation(let value), .signingInformation(let value):
      writer.write(value)
    case .pairingFailed(let reason): writer.write(reason.rawValue)
    case .centralIdentification(let encryptedDiversifier, let randomNumber):
      writer.write(encryptedDiversifier)
      writer.write(randomNumber)
    case .identityAddressInformation(let address):
      writer.write(address.kind.rawValue)
      writer.write(address)
    case .securityRequest(let requirements): writer.write(requirements.rawValue)
    case .keypressNotification(let kind): writer.write(kind)
    case .pairingPublicKey(let octets):
      precondition(octets.count == 64, "a public key has 64 octets")
      writer.write(octets)
    case .unknown(_, let octets): writer.write(octets)
    }
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: Self.maximumLength)
    encode(into: &writer)
    return writer.bytes
  }
}

extension ByteReader {
  fileprivate mutating func readUInt128(_ field: StaticString) throws(DecodingFailure) -> UInt128 {
    UInt128(try readUInt64(field)) | UInt128(try readUInt64(field)) << 64
  }

  fileprivate mutating func readIdentityAddress() throws(DecodingFailure) -> BluetoothAddress {
    let start = offset
    let type = try readUInt8("address type")
    guard let kind = BluetoothAddress.Kind(rawValue: type) else {
      throw DecodingFailure(.invalid(value: UInt64(type)), field: "address type", offset: start)
    }
    return try readAddress(kind, "identity address")
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ value: UInt128) {
    write(UInt64(truncatingIfNeeded: value))
    write(UInt64(truncatingIfNeeded: value >> 64))
  }
}
