import Crypto
import Foundation
import Testing

@testable import Evidence

@Suite struct Envelopes {
  static let key = try? P256PrivateKey(scalar: Array(1...32))
  static let other = try? P256PrivateKey(scalar: Array(2...33))

  /// The example of DSSE 1.0, "Test Vectors".
  @Test func theEncodingThatIsSignedIsTheOneOfTheSpecification() {
    let encoding = SignedEnvelope.preAuthenticationEncoding(
      of: Array("hello world".utf8), type: "http://example.com/HelloWorld")
    #expect(String(decoding: encoding, as: UTF8.self) == "DSSEv1 29 http://example.com/HelloWorld 11 hello world")
  }

  @Test func whatIsSignedVerifies() throws {
    let key = try #require(Self.key)
    let envelope = SignedEnvelope(signing: Array("payload".utf8), with: key)
    let read = try SignedEnvelope(document: envelope.document)
    #expect(read == envelope)
    try read.verify(with: key.publicKey)
  }

  @Test func anotherKeyDoesNotVerify() throws {
    let (key, other) = (try #require(Self.key), try #require(Self.other))
    let envelope = SignedEnvelope(signing: Array("payload".utf8), with: key)
    #expect(throws: EvidenceFailure.self) { try envelope.verify(with: other.publicKey) }
  }

  /// An envelope that names one key and is signed by another.
  @Test func theNameOfAKeyIsNotBelieved() throws {
    let (key, other) = (try #require(Self.key), try #require(Self.other))
    let forged = String(decoding: SignedEnvelope(signing: Array("payload".utf8), with: other).document, as: UTF8.self)
      .replacing(SignedEnvelope.keyID(of: other.publicKey), with: SignedEnvelope.keyID(of: key.publicKey))
    let envelope = try SignedEnvelope(document: Array(forged.utf8))
    #expect(throws: EvidenceFailure("the signature does not fit the payload")) {
      try envelope.verify(with: key.publicKey)
    }
  }

  @Test func thereIsOneSpelling() throws {
    let document = SignedEnvelope(signing: Array("payload".utf8), with: try #require(Self.key)).document
    let text = String(decoding: document, as: UTF8.self)
    for other in [
      text + "\n", text.replacing("\n", with: ""), text.replacing("\"payload\":", with: "\"payload\" :"),
      text.replacing("{\n  \"payload\"", with: "{\n  \"more\": 1,\n  \"payload\""),
    ] {
      #expect(throws: EvidenceFailure.self, "\(other)") { try SignedEnvelope(document: Array(other.utf8)) }
    }
  }
}
