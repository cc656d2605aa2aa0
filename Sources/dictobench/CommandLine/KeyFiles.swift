import Crypto
import SecureDFU

/// Keys that the user names, as PEM.
enum KeyFiles {
  /// Reads a public key, or the public half of a private one.
  static func publicKey(_ path: String) throws(UsageFailure) -> P256PublicKey {
    let text = try text(path)
    do { return try KeyFile.publicKey(text) } catch { throw UsageFailure("\(path): \(error)") }
  }

  /// Reads a private key.
  static func privateKey(_ path: String) throws(UsageFailure) -> P256PrivateKey {
    let text = try text(path)
    do { return try KeyFile.privateKey(text) } catch { throw UsageFailure("\(path): \(error)") }
  }

  private static func text(_ path: String) throws(UsageFailure) -> String {
    String(decoding: try LimitedFile.octets(path, called: "the key "), as: UTF8.self)
  }
}
