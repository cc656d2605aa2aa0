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

  /// The first octet.
  public var code: UInt8 {
    switch self {
    case .pairingRequest: 0x01
    case .pairingResponse: 0x02
    case .pairingConfirm: 0x03
    case .pairingRandom: 0x04
    case .pairingFailed: 0x05
    case .encryptionInformation: 0x06
    case .centralIdentification: 0x07
    case .identityInformation: 0x08
    case .identityAddressInformation: 0x09
    case .signingInformation: 0x0A
    case .securityRequest: 0x0B
    case .pairingPublicKey: 0x0C
    case .pairingDHKeyCheck: 0x0D
    case .keypressNotification: 0x0E
    case .unknown(let code, _): code
    }
  }

  /// Reads one command that fills all of the reader. Throws where a field is cut off, octets are left over, or a field
  /// has a reserved value.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let code = try reader.readUInt8("SMP code")
    switch code {
    case 0x01: self = .pairingRequest(try PairingFeatures(decoding: &reader))
    case 0x02: self = .pairingResponse(try PairingFeatures(decoding: &reader))
    case 0x03: self = .pairingConfirm(try reader.readUInt128("confirm value"))
    case 0x04: self = .pairingRandom(try reader.readUInt128("random value"))
    case 0x05: self = .pairingFailed(PairingFailureReason(rawValue: try reader.readUInt8("reason")))
    case 0x06: self = .encryptionInformation(try reader.readUInt128("long-term key"))
    case 0x07:
      self = .centralIdentification(
        encryptedDiversifier: try reader.readUInt16("EDIV"), randomNumber: try reader.readUInt64("Rand"))
    case 0x08: self = .identityInformation(try reader.readUInt128("identity resolving key"))
    case 0x09: self = .identityAddressInformation(try reader.readIdentityAddress())
    case 0x0A: self = .signingInformation(try reader.readUInt128("signature key"))
    case 0x0B: self = .securityRequest(AuthenticationRequirements(rawValue: try reader.readUInt8("AuthReq")))
    case 0x0C: self = .pairingPublicKey(try reader.readBytes(64, "public key"))
    case 0x0D: self = .pairingDHKeyCheck(try reader.readUInt128("DHKey check"))
    case 0x0E: self = .keypressNotification(try reader.readUInt8("notification type"))
    default: self = .unknown(code: code, reader.readRemaining())
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
