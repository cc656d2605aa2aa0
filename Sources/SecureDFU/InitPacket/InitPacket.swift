import Bytes
import Crypto

/// A signature of an init command.
public struct InitSignature: Hashable, Sendable {
  /// The kind that bootloaders accept: ECDSA on P-256 with SHA-256.
  public static let ecdsaP256: UInt32 = 0
  /// Octets of the longest signature that the bootloader's decoder takes.
  public static let lengthLimit = 64

  /// The algorithm (`SignatureType`): 0 ECDSA P-256, 1 Ed25519.
  public var type: UInt32
  /// The signature: r, then s, each with its least significant octet first.
  public var bytes: [UInt8]

  public init(type: UInt32 = InitSignature.ecdsaP256, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// The signature as `ECDSA` takes it; `nil` when it has not 64 octets.
  public var mostSignificantFirst: [UInt8]? {
    bytes.count == ECDSA.signatureLength ? Self.swapHalves(bytes) : nil
  }

  /// Turns each half around.
  static func swapHalves(_ bytes: [UInt8]) -> [UInt8] { bytes.prefix(32).reversed() + bytes.suffix(32).reversed() }
}

/// An init packet: the content of Nordic's `.dat` file and of the command object (`Packet` of `dfu-cc.proto`).
public struct InitPacket: Hashable, Sendable {
  /// Octets of the longest command object (nRF5 SDK 17.1.0, `INIT_COMMAND_MAX_SIZE`).
  public static let lengthLimit = 512

  /// Its command.
  public let command: InitCommand
  /// Its signature; `nil` when it is not signed.
  public let signature: InitSignature?
  /// The bytes that are signed: the content of the init command, without tag and length.
  public let signedBytes: [UInt8]
  /// The range of the signed bytes in the packet.
  public let signedRange: Range<Int>
  /// The whole packet.
  public let encoded: [UInt8]

  /// Makes a packet, with a signature where there is a key. No two signatures of a command are alike.
  public init(_ command: InitCommand, signedWith key: P256PrivateKey?) {
    let content = command.encoded
    let signature = key.map { InitSignature(bytes: InitSignature.swapHalves(ECDSA.sign(content, with: $0))) }
    self.init(command, content: content, signature: signature)
  }

  /// Makes a packet with a signature that was made elsewhere.
  public init(_ command: InitCommand, signature: InitSignature?) {
    self.init(command, content: command.encoded, signature: signature)
  }

  private init(_ command: InitCommand, content: [UInt8], signature: InitSignature?) {
    var inner = ProtobufWriter()
    inner.write(1, 1)
    inner.write(2, content)
    var packet = ProtobufWriter()
    var trailer = 0
    if let signature {
      var signed = ProtobufWriter()
      signed.write(1, inner.bytes)
      let head = signed.bytes.count
      signed.write(2, signature.type)
      signed.write(3, signature.bytes)
      trailer = signed.bytes.count - head
      packet.write(2, signed.bytes)
    } else {
      packet.write(1, inner.bytes)
    }
    let end = packet.bytes.count - trailer
    self.command = command
    self.signature = signature
    signedBytes = content
    signedRange = (end - content.count)..<end
    encoded = packet.bytes
  }

  /// Reads a packet as the bootloader's decoder does: with its limits, skipping fields it does not know.
  ///
  /// Throws where the bootloader answers "invalid object": malformed or truncated fields, lengths beyond the limits,
  /// required fields that are missing, both or neither of a signed and an unsigned command.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ProtobufReader(bytes, in: bytes.indices)
    var unsigned: Range<Int>?
    var signed: Range<Int>?
    while let field = try reader.next() {
      switch field.number {
      case 1 where unsigned == nil: unsigned = try field.range("command")
      case 2 where signed == nil: signed = try field.range("signed command")
      case 1, 2: throw DecodingFailure(.invalid(value: UInt64(field.number)), field: "packet", offset: field.offset)
      default: continue
      }
    }
    let commandRange: Range<Int>
    switch (unsigned, signed) {
    case (let range?, nil): (commandRange, signature) = (range, nil)
    case (nil, let range?):
      let parts = try Self.signedCommand(bytes, range)
      (commandRange, signature) = (parts.command, parts.signature)
    default: throw DecodingFailure(.invalid(value: 0), field: "command or signed command", offset: 0)
    }
    signedRange = try Self.initRange(bytes, commandRange)
    signedBytes = Array(bytes[signedRange])
    command = try InitCommand(decoding: bytes, in: signedRange)
    encoded = bytes
  }

  private static func signedCommand(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(DecodingFailure) -> (command: Range<Int>, signature: InitSignature) {
    var reader = ProtobufReader(bytes, in: range)
    var command: Range<Int>?
    var type: UInt32?
    var signature: [UInt8]?
    while let field = try reader.next() {
      switch field.number {
      case 1: command = try field.range("command")
      case 2: type = try field.number32("signature type")
      case 3: signature = Array(bytes[try field.range("signature", limit: InitSignature.lengthLimit)])
      default: continue
      }
    }
    guard let command, let type, let signature else { throw .missing("signed command", range) }
    return (command, InitSignature(type: type, bytes: signature))
  }

  private static func initRange(_ bytes: [UInt8], _ range: Range<Int>) throws(DecodingFailure) -> Range<Int> {
    var reader = ProtobufReader(bytes, in: range)
    var found: Range<Int>?
    while let field = try reader.next() {
      switch field.number {
      case 1: _ = try field.number32("operation")
      case 2:
        guard found == nil else { throw DecodingFailure(.invalid(value: 2), field: "init", offset: field.offset) }
        found = try field.range("init")
      default: continue
      }
    }
    guard let found else { throw .missing("init", range) }
    return found
  }
}

extension DecodingFailure {
  /// A message ended without a field that it must have.
  static func missing(_ name: String, _ range: Range<Int>) -> DecodingFailure {
    DecodingFailure(.truncated(needed: 1, available: 0), field: name, offset: range.upperBound)
  }
}
