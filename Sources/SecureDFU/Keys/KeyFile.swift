import Crypto
import Foundation

/// The reason why a text is not a P-256 key.
public enum KeyFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No block was found between `-----BEGIN …-----` and `-----END …-----` with Base64 in it.
  case notPEM
  /// The block holds no key, or one of another curve, or in another form than openssl and nrfutil write.
  case unsupported
  /// The numbers are not a key of the curve.
  case invalid(CryptoFailure)

  public var description: String {
    switch self {
    case .notPEM: "no PEM block found"
    case .unsupported: "the PEM block does not contain a P-256 key"
    case .invalid(let failure): "\(failure)"
    }
  }
}

/// Keys of P-256 in the PEM form of openssl and nrfutil (RFC 5915, RFC 5480, RFC 5958).
///
/// The structures have a fixed shape for this curve, so they are compared with it instead of being parsed.
public enum KeyFile {
  /// The most characters of a file that are read.
  public static let lengthLimit = 8192

  private static let publicHead: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]
  private static let privateHead: [UInt8] = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]
  private static let privateMiddle: [UInt8] = [
    0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0xA1, 0x44, 0x03, 0x42, 0x00, 0x04,
  ]
  private static let wrappedHead: [UInt8] = [
    0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
    0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
  ]

  /// Reads a private key: `EC PRIVATE KEY` as nrfutil writes it, or `PRIVATE KEY`.
  public static func privateKey(_ text: String) throws(KeyFailure) -> P256PrivateKey {
    let scalar: [UInt8]
    if let bytes = block(text, "EC PRIVATE KEY") {
      // Only the curve's name tells this structure from that of another curve of 256 bits.
      guard bytes.starts(with: privateHead), bytes.count >= 39 + privateMiddle.count,
        bytes.dropFirst(39).starts(with: privateMiddle)
      else { throw .unsupported }
      scalar = Array(bytes[7..<39])
    } else if let bytes = block(text, "PRIVATE KEY") {
      guard bytes.starts(with: wrappedHead), bytes.count >= wrappedHead.count + 32 else { throw .unsupported }
      scalar = Array(bytes[wrappedHead.count..<(wrappedHead.count + 32)])
    } else {
      throw .notPEM
    }
    do { return try P256PrivateKey(scalar: scalar) } catch { throw .invalid(error) }
  }

  /// Reads a public key: `PUBLIC KEY`, or the public half of a private key.
  public static func publicKey(_ text: String) throws(KeyFailure) -> P256PublicKey {
    guard let bytes = block(text, "PUBLIC KEY") else { return try privateKey(text).publicKey }
    guard bytes.starts(with: publicHead), bytes.count == publicHead.count + 64 else { throw .unsupported }
    let point = bytes.suffix(64)
    do { return try P256PublicKey(x: Array(point.prefix(32)), y: Array(point.suffix(32))) } catch {
      throw .invalid(error)
    }
  }

  /// The text of a public key.
  public static func pem(_ key: P256PublicKey) -> String { text("PUBLIC KEY", der(key)) }

  /// The octets in the text of a public key: its `SubjectPublicKeyInfo` (RFC 5480).
  public static func der(_ key: P256PublicKey) -> [UInt8] { publicHead + key.x + key.y }

  /// The text of a private key, from its scalar of 32 octets, most significant first. Throws as `P256PrivateKey` does.
  public static func pem(scalar: [UInt8]) throws(KeyFailure) -> String {
    do {
      let key = try P256PrivateKey(scalar: scalar).publicKey
      return text("EC PRIVATE KEY", privateHead + scalar + privateMiddle + key.x + key.y)
    } catch { throw .invalid(error) }
  }

  private static func text(_ label: String, _ bytes: [UInt8]) -> String {
    let body = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
  }

  private static func block(_ text: String, _ label: String) -> [UInt8]? {
    guard text.utf8.count <= lengthLimit, let begin = text.range(of: "-----BEGIN \(label)-----"),
      let end = text.range(of: "-----END \(label)-----", range: begin.upperBound..<text.endIndex)
    else { return nil }
    let body = text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
    return Data(base64Encoded: body).map(Array.init)
  }
}
