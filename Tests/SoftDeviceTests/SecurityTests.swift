import Bytes
import HCI
import HostStack
import Testing

@testable import SoftDevice

@Suite struct SecurityCalls {
  private static let phoneFeatures = PairingFeatures(
    inputOutput: .keyboardDisplay, authentication: [.bonding, .manInTheMiddle, .secureConnections],
    initiatorKeys: [.encryption, .identity], responderKeys: [.encryption, .identity, .signing])

  private func connected(_ change: (inout SoftDevicePolicies) -> Void = { _ in }) throws -> Image {
    var image = try Image.enabled(.s140, change)
    #expect(image.advertise() == 0)
    image.connect()
    _ = image.fetchAll()
    image.output = SoftDeviceOutput()
    return image
  }

  /// Bonding, no input and no output, keys of 7 to 16 octets, encryption and identity both ways.
  private static let parameters: [UInt8] = [0x31, 7, 16, 3, 3]

  @Test("pairing: features, answer, encrypted, keys in their stores, status") func pairing() throws {
    var image = try connected()
    #expect(image.call(0x7E, 0, image.put(Self.parameters)) == 0)
    #expect(image.output.requests.last == .secure(Image.handle))
    #expect(image.call(0x7F, 0, 0, image.put(Self.parameters), 0) == 8)
    image.take(.pairingFeaturesRequested(Image.handle, Self.phoneFeatures))
    let request = try image.next()
    #expect(request.number == 0x13)
    #expect(request.body == [0, 0, 0, 0, 0x47, 7, 16, 7, 3])
    let stores = [image.room(28), image.room(23), 0, 0, image.room(28), image.room(23), 0, 0]
    #expect(image.call(0x7F, 0, 0, image.put([0x31, 7, 17, 3, 3]), image.put(words: stores)) == 7)
    #expect(image.call(0x7F, 0, 0, image.put(Self.parameters), image.put(words: stores)) == 0)
    let features = PairingFeatures(
      inputOutput: .noInputNoOutput, authentication: .bonding, initiatorKeys: [.encryption, .identity],
      responderKeys: [.encryption, .identity])
    #expect(
      image.output.requests.last
        == .answerPairingFeatures(Image.handle, .success(PairingAnswer(features: features))))
    image.take(.encryptedByPairing(Image.handle, keySize: 16))
    let security = try image.next()
    #expect(security.number == 0x1A)
    #expect(security.body == [0, 0, 0, 0, 0x21, 16])
    let own = LongTermKey(
      key: Array(1...16), encryptedDiversifier: 0x1234, randomNumber: 0x0807_0605_0403_0201, keySize: 16)
    let peer = LongTermKey(key: Array(21...36), encryptedDiversifier: 0x5678, randomNumber: 9, keySize: 16)
    image.take(
      .bondCreated(
        Image.handle,
        Bond(
          identity: Image.phone, localKey: own, peerKey: peer, peerIdentityResolvingKey: Array(41...56),
          secureConnections: false)))
    image.take(.secured(Image.handle, identity: nil, keySize: 16))
    let status = try image.next()
    #expect(status.number == 0x19)
    #expect(status.body == [0, 0, 0, 0, 0, 4, 3, 0, 3, 3])
    #expect(image.fetch() == nil)
    #expect(image.octets(stores[0], 28) == Array(1...16) + [64, 0, 0x34, 0x12, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(image.octets(stores[1], 23) == Image.identityResolvingKey + [2, 0xD4, 0xC3, 0xB2, 0xA1, 0xE6, 0xF5])
    #expect(image.octets(stores[4], 28) == Array(21...36) + [64, 0, 0x78, 0x56, 9, 0, 0, 0, 0, 0, 0, 0])
    #expect(image.octets(stores[5], 23) == Array(41...56) + [2, 2, 0, 0, 0, 0, 0xC0])
    let level = image.room(2)
    #expect(image.call(0x87, 0, level) == 0)
    #expect(image.octets(level, 2) == [0x21, 16])
  }

  @Test("a refusal of the image goes to the peer, and comes back as status") func refusal() throws {
    var image = try connected()
    image.take(.pairingFeaturesRequested(Image.handle, Self.phoneFeatures))
    _ = image.fetch()
    #expect(image.call(0x7F, 0, 0x42, 0, 0) == 7)
    #expect(image.call(0x7F, 0, 0x85, 0, 0) == 0)
    #expect(image.output.requests.last == .answerPairingFeatures(Image.handle, .failure(.pairingNotSupported)))
    image.take(.pairingFailed(Image.handle, .pairingNotSupported, byPeer: false))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0x85, 0, 0, 0, 0, 0])
    image.take(.pairingFailed(Image.handle, .confirmValueFailed, byPeer: true))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0x84, 1, 0, 0, 0, 0])
    image.take(.pairingFailed(Image.handle, .timeout, byPeer: false))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0x01, 0, 0, 0, 0, 0])
  }

  @Test("LE Secure Connections and passkeys are findings") func notModelled() throws {
    var image = try connected()
    image.take(.pairingFeaturesRequested(Image.handle, Self.phoneFeatures))
    #expect(image.call(0x7F, 0, 0, image.put([0x07, 7, 16, 3, 3]), 0) == 0)
    #expect(image.output.findings.count == 2)
  }

  @Test("key stores in nowhere are a finding when the keys come") func lostStore() throws {
    var image = try connected()
    image.take(.pairingFeaturesRequested(Image.handle, Self.phoneFeatures))
    let stores = image.put(words: [0x9000_0000, 0, 0, 0, 0, 0, 0, 0])
    #expect(image.call(0x7F, 0, 0, image.put(Self.parameters), stores) == 0)
    let key = LongTermKey(key: Array(1...16), encryptedDiversifier: 1, randomNumber: 1, keySize: 16)
    image.take(
      .bondCreated(
        Image.handle,
        Bond(
          identity: Image.phone, localKey: key, peerKey: nil, peerIdentityResolvingKey: nil, secureConnections: false)))
    #expect(image.output.findings == [.keyStoreLost(address: 0x9000_0000)])
  }

  @Test("a bonded phone: the image is asked for the key that it names, and gives it", arguments: [0, 2, 3] as [UInt8])
  func bonded(_ flags: UInt8) throws {
    var image = try connected()
    #expect(image.call(0x86, 0, 0, 0, 0) == 8)
    image.take(.longTermKeyRequested(Image.handle, encryptedDiversifier: 0x1234, randomNumber: 0x0807_0605_0403_0201))
    let event = try image.next()
    #expect(event.number == 0x14)
    #expect(event.body.count == 24)
    #expect(Array(event.body[4...]) == [2, 2, 0, 0, 0, 0, 0xC0, 0, 0x34, 0x12, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0])
    #expect(image.call(0x86, 0, image.put(Array(1...16) + [6 << 2]), 0, 0) == 7)
    #expect(image.call(0x86, 0, image.put(Array(1...16) + [16 << 2 | flags]), 0, 0) == 0)
    let key = LongTermKey(key: Array(1...16), encryptedDiversifier: 0, randomNumber: 0, keySize: 16)
    #expect(image.output.requests.last == .answerLongTermKey(Image.handle, key))
    image.take(.secured(Image.handle, identity: nil, keySize: 16))
    #expect(image.fetch()?.body == [0, 0, 0, 0, flags == 0 ? 0x21 : flags == 2 ? 0x31 : 0x41, 16])
  }

  @Test("a phone whose key was lost", arguments: [false, true]) func missingKey(_ told: Bool) throws {
    var image = try connected { $0.missingKey = told ? .openLink : .nothing }
    image.take(.longTermKeyRequested(Image.handle, encryptedDiversifier: 1, randomNumber: 1))
    _ = image.fetch()
    #expect(image.call(0x86, 0, 0, 0, 0) == 0)
    #expect(image.output.requests.last == .answerLongTermKey(Image.handle, nil))
    image.take(.securityFailed(Image.handle, .pinOrKeyMissing))
    #expect(image.fetch()?.body == (told ? [0, 0, 0, 0, 0x11, 0] : nil))
  }
}
