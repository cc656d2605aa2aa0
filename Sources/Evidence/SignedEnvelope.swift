import Bytes
import Crypto
import Foundation
import SecureDFU

/// A payload with its signature: an envelope of DSSE 1.0, as in-toto uses it.
///
/// It has exactly one spelling. Reading refuses every other one, so that no octet of the file can change unnoticed.
package struct SignedEnvelope: Hashable, Sendable {
  /// What the payload is: an in-toto statement in JSON.
  package static let payloadType = "application/vnd.in-toto+json"

  /// The octets that are signed.
  package let payload: [UInt8]
  /// Which key signed: the SHA-256 of its `SubjectPublicKeyInfo`, in hexadecimal.
  package let keyID: String
  /// The signature, as an ASN.1 sequence.
  let signature: [UInt8]

  /// Signs a payload with ECDSA on P-256 over SHA-256.
  package init(signing payload: [UInt8], with key: P256PrivateKey) {
    self.payload = payload
    keyID = Self.keyID(of: key.publicKey)
    let raw = ECDSA.sign(Self.preAuthenticationEncoding(of: payload), with: key)
    guard let sequence = ECDSA.sequence(of: raw) else { preconditionFailure("a signature has a sequence") }
    signature = sequence
  }

  /// Reads ``document``. Throws for anything that ``document`` would spell otherwise.
  package init(document octets: [UInt8]) throws(EvidenceFailure) {
    guard let decoded = try? JSONDecoder().decode(Document.self, from: Data(octets)),
      let first = decoded.signatures.first, let payload = Data(base64Encoded: decoded.payload),
      let signature = Data(base64Encoded: first.sig)
    else { throw EvidenceFailure("it is not an envelope of DSSE with one signature") }
    self.payload = Array(payload)
    self.signature = Array(signature)
    keyID = first.keyid
    guard document == octets else {
      throw EvidenceFailure("it is an envelope of DSSE, but not spelled as `dictobench bundle` spells it")
    }
  }

  /// Throws unless the holder of the key signed the payload.
  package func verify(with key: P256PublicKey) throws(EvidenceFailure) {
    guard keyID == Self.keyID(of: key) else {
      throw EvidenceFailure("it is signed by the key \(keyID), expected \(Self.keyID(of: key))")
    }
    guard let raw = ECDSA.signature(ofSequence: signature),
      ECDSA.isValid(raw, for: Self.preAuthenticationEncoding(of: payload), publicKey: key)
    else { throw EvidenceFailure("the signature does not fit the payload") }
  }

  /// The octets of the file.
  package var document: [UInt8] {
    JSONValue.object([
      "payload": .string(Data(payload).base64EncodedString()),
      "payloadType": .string(Self.payloadType),
      "signatures": .array([
        .object(["keyid": .string(keyID), "sig": .string(Data(signature).base64EncodedString())])
      ]),
    ]).document
  }

  /// What is signed: the payload with its type, each after its length (DSSE 1.0, "Signature Definition").
  static func preAuthenticationEncoding(of payload: [UInt8], type: String = payloadType) -> [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
  }

  /// How envelopes name a key.
  package static func keyID(of key: P256PublicKey) -> String {
    Hexadecimal.string(SHA256.digest(KeyFile.der(key)))
  }

  private struct Document: Decodable {
    struct Signature: Decodable {
      var keyid: String
      var sig: String
    }
    var payload: String
    var payloadType: String
    var signatures: [Signature]
  }
}
