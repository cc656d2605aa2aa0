import HCI
import Testing

@Suite struct PacketAssemblies {
  private static let short = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
  /// Its length is a multiple of sixteen, so no short transfer marks its end.
  private static let even = HCIPacket(.event, [0x3E, 30] + (0..<30).map { UInt8($0) })
  private static let longest = HCIPacket(.event, [0xFF, 255] + [UInt8](repeating: 7, count: 255))
  private static let empty = HCIPacket(.event, [0x10, 0x00])

  private static func pieces(_ packets: [HCIPacket], of size: Int) -> [[UInt8]] {
    let octets = packets.flatMap(\.bytes)
    return stride(from: 0, to: octets.count, by: size).map { Array(octets[$0..<min($0 + size, octets.count)]) }
  }

  @Test(arguments: [1, 2, 3, 16, 64, 1000]) func giveTheSamePacketsHoweverTheyAreCut(_ size: Int) throws {
    let packets = [Self.short, Self.even, Self.empty, Self.longest, Self.even]
    var assembly = PacketAssembly(.event)
    var found: [HCIPacket] = []
    for piece in Self.pieces(packets, of: size) { try assembly.feed(piece, &found) }
    #expect(found == packets)
    #expect(assembly.isBetweenPackets)
  }

  @Test func knowThatAnEventIsCompleteWithoutAShortTransfer() throws {
    var assembly = PacketAssembly(.event)
    var found: [HCIPacket] = []
    for piece in Self.pieces([Self.even], of: 16) {
      #expect(found.isEmpty)
      try assembly.feed(piece, &found)
    }
    #expect(found == [Self.even])
  }

  @Test(arguments: [1, 5, 64]) func putDataTogetherByItsOwnLength(_ size: Int) throws {
    let packets = [0, 27, 251, 300].map { count in
      ACLPacket(ConnectionHandle(64), .firstFromController, [UInt8](repeating: UInt8(count & 0xFF), count: count))
        .packet
    }
    var assembly = PacketAssembly(.acl)
    var found: [HCIPacket] = []
    for piece in Self.pieces(packets, of: size) { try assembly.feed(piece, &found) }
    #expect(found == packets)
  }

  @Test func refuseDataThatIsTooLongAndKeepNothing() throws {
    var assembly = PacketAssembly(.acl, dataLimit: 100)
    var found: [HCIPacket] = []
    #expect(throws: H4Violation.tooLong(.acl, length: 101, limit: 100)) {
      try assembly.feed([0x40, 0x20, 101, 0, 1, 2], &found)
    }
    #expect(assembly.isBetweenPackets)
    #expect(found.isEmpty)
  }

  @Test func forgetWhatAHaltCutOff() throws {
    var assembly = PacketAssembly(.event)
    var found: [HCIPacket] = []
    try assembly.feed(Self.longest.bytes.prefix(100), &found)
    #expect(!assembly.isBetweenPackets)
    assembly.discard()
    try assembly.feed(Self.short.bytes, &found)
    #expect(found == [Self.short])
  }
}
