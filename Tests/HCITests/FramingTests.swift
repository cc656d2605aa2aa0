import Bytes
import HCI
import Testing

private func outcomes(_ octets: [UInt8], cutInto lengths: [Int], side: H4Decoder.Side = .controller) -> [H4Outcome] {
  var decoder = H4Decoder(side: side)
  var result: [H4Outcome] = []
  var rest = octets[...]
  for length in lengths {
    decoder.feed(rest.prefix(length), &result)
    rest = rest.dropFirst(length)
  }
  decoder.feed(rest, &result)
  return result
}

@Suite struct Framing {
  private let packets = [
    Command.reset.packet, ACLPacket(ConnectionHandle(1), .firstFromHost, [1, 2, 3]).packet,
    Event.hardwareError(3).packet, HCIPacket(.synchronous, [1, 0, 1, 9]), HCIPacket(.isochronous, [1, 0, 2, 0, 8, 9]),
    ACLPacket(ConnectionHandle(0x0EFF), .continuing, broadcast: 2, []).packet,
  ]

  @Test func aStreamGivesTheSamePacketsHoweverItIsCut() {
    let stream = packets.flatMap(\.framed)
    let expected = packets.map { H4Outcome.packet($0) }
    #expect(outcomes(stream, cutInto: []) == expected)
    #expect(outcomes(stream, cutInto: stream.map { _ in 1 }) == expected)
    for first in 0..<stream.count { #expect(outcomes(stream, cutInto: [first]) == expected) }
  }

  @Test(arguments: UInt64(0)..<200) func randomOctetsGiveTheSameOutcomesHoweverTheyAreCut(_ seed: UInt64) {
    var random = RandomOctets(seed: seed)
    var stream: [UInt8] = []
    for _ in 0..<8 {
      switch random.below(3) {
      case 0: stream += random.bytes(random.below(20))
      case 1: stream += Command.reset.packet.framed
      default: stream += packets[random.below(packets.count)].framed
      }
    }
    let whole = outcomes(stream, cutInto: [])
    #expect(outcomes(stream, cutInto: stream.map { _ in 1 }) == whole)
    #expect(outcomes(stream, cutInto: (0..<10).map { _ in random.below(12) }) == whole)
  }

  @Test func anUnknownIndicatorLosesTheStreamUntilAReset() {
    let reset = Command.reset.packet
    let stream = [0x07, 0x01, 0x02] + Event.hardwareError(1).packet.framed + reset.framed + packets[1].framed
    #expect(
      outcomes(stream, cutInto: []) == [
        .violation(.unknownIndicator(7)), .resynchronised(octetsSkipped: 6), .packet(reset), .packet(packets[1]),
      ])
    let answer = Event.commandComplete(.reset, credits: 1, .success).packet
    #expect(
      outcomes([0xFF] + answer.framed, cutInto: [], side: .host) == [
        .violation(.unknownIndicator(0xFF)), .resynchronised(octetsSkipped: 0), .packet(answer),
      ])
  }

  @Test func aPacketLongerThanAcceptedIsAViolationBeforeItIsCollected() {
    #expect(
      outcomes([2, 1, 0, 0xFF, 0xFF], cutInto: []) == [.violation(.tooLong(.acl, length: 0xFFFF, limit: 4096))])
  }

  @Test(arguments: [
    // Pitfall 4: the first fragment is 00 from the host, 10 from the controller.
    (PacketBoundary.firstFromHost, UInt16(0x0123)), (.continuing, 0x1123), (.firstFromController, 0x2123),
    (.complete, 0x3123),
  ]) func pitfall4TheBoundaryFlagsStandAboveTheHandle(_ boundary: PacketBoundary, _ head: UInt16) throws {
    let packet = ACLPacket(ConnectionHandle(0x123), boundary, [0xAA])
    #expect(packet.encoded == [UInt8(head & 0xFF), UInt8(head >> 8), 1, 0, 0xAA])
    #expect(try ACLPacket(decoding: packet.encoded) == packet)
    #expect(throws: DecodingFailure.self) { try ACLPacket(decoding: packet.encoded + [0]) }
    #expect(throws: DecodingFailure.self) { try ACLPacket(decoding: packet.encoded.dropLast()) }
  }

  @Test(arguments: UInt64(0)..<300) func randomPacketsNeverTrapAndWhatIsReadIsWrittenAgain(_ seed: UInt64) {
    var random = RandomOctets(seed: seed)
    for _ in 0..<200 {
      var bytes = random.bytes(random.below(40))
      if bytes.count >= 3, random.below(2) == 0 {
        // A known code and a fitting length reach deeper.
        bytes[0] = random.below(2) == 0 ? 0x3E : UInt8(random.below(0x40))
        bytes[1] = random.below(2) == 0 ? UInt8(bytes.count - 2) : 0x20
        bytes[2] = bytes[1] == 0x20 ? UInt8(bytes.count - 3) : UInt8(random.below(15))
      }
      if let event = try? Event(decoding: bytes) { #expect((try? Event(decoding: event.encoded)) == event) }
      if let command = try? Command(decoding: bytes) { #expect((try? Command(decoding: command.encoded)) == command) }
      if let packet = try? ACLPacket(decoding: bytes) { #expect(packet.encoded == bytes) }
    }
  }

  @Test func theTableOfCommandsMarksWhatItIsGiven() {
    // Octet 25, bit 1 is LE_Read_Buffer_Size; octet 5, bit 7 Reset; octet 15, bit 1 Read_BD_ADDR.
    let table = SupportedCommands([.leReadBufferSize, .reset, .readDeviceAddress])
    var expected = [UInt8](repeating: 0, count: 64)
    expected[25] = 0x02
    expected[5] = 0x80
    expected[15] = 0x02
    #expect(table.octets == expected)
    #expect(table.contains(.reset))
    #expect(!table.contains(.leRand))
    #expect(!table.contains(.none))
  }

  @Test func pitfall5LowEnergyEventsAreOffAfterAReset() {
    #expect(!EventMask.initial.contains(.leMeta))
    #expect(EventMask.initial.contains(.disconnectionComplete))
    #expect(EventMask.leMeta.rawValue == 1 << 61)
    #expect(LEEventMask.initial.contains(LEEventMask(.longTermKeyRequest)))
    #expect(!LEEventMask.initial.contains(LEEventMask(.dataLengthChange)))
  }
}
