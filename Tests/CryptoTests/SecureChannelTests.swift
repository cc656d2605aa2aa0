import Testing

@testable import Crypto

@Suite struct SecureChannels {
  private static let key = (0..<32).map { UInt8($0) }

  /// Carries what both ends want to send until neither has anything more; whether both handshakes are complete.
  private static func agree(_ client: SecureChannel, _ server: SecureChannel) throws -> Bool {
    var isComplete = (client: false, server: false)
    for _ in 0..<8 {
      isComplete.client = try client.shakeHands()
      server.receive(client.takeOutput()[...])
      isComplete.server = try server.shakeHands()
      client.receive(server.takeOutput()[...])
    }
    return isComplete.client && isComplete.server
  }

  private static func pair() throws -> (SecureChannel, SecureChannel) {
    let ends = (SecureChannel(.client, key: key), SecureChannel(.server, key: key))
    #expect(try agree(ends.0, ends.1))
    return ends
  }

  @Test func carryWhatNobodyElseReads() throws {
    let (client, server) = try Self.pair()
    let message = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try client.write(message[...])
    let carried = client.takeOutput()
    #expect(carried.count > message.count)
    #expect(!carried.indices.dropLast(32).contains { Array(carried[$0..<($0 + 32)]) == Array(message[..<32]) })
    server.receive(carried[...])
    var (received, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1_000))
    while let count = try server.read(into: &buffer) { received += buffer[..<count] }
    #expect(received == message)
    #expect(!server.hasInput)
  }

  @Test func tellTheEndFromACut() throws {
    let (client, server) = try Self.pair()
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(try server.read(into: &buffer) == nil)
    client.end()
    server.receive(client.takeOutput()[...])
    #expect(try server.read(into: &buffer) == 0)
  }

  @Test func refuseAnotherKey() throws {
    let (client, server) = (
      SecureChannel(.client, key: Self.key), SecureChannel(.server, key: Self.key.reversed())
    )
    _ = try client.shakeHands()
    server.receive(client.takeOutput()[...])
    #expect(throws: SecureChannel.Failure.refused) { try server.shakeHands() }
    client.receive(server.takeOutput()[...])
    #expect(throws: SecureChannel.Failure.refused) { try client.shakeHands() }
  }

  @Test func refuseWhatIsNotTLS() {
    let server = SecureChannel(.server, key: Self.key)
    server.receive([0x01, 0x03, 0x0C, 0x00, 0x01, 0x03, 0x0C, 0x00])
    #expect(throws: SecureChannel.Failure.refused) { try server.shakeHands() }
  }

  @Test func noticeAnOctetThatWasChanged() throws {
    let (client, server) = try Self.pair()
    try client.write([1, 2, 3])
    var carried = client.takeOutput()
    carried[carried.count - 1] ^= 1
    server.receive(carried[...])
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(throws: SecureChannel.Failure.damaged) { try server.read(into: &buffer) }
  }
}
