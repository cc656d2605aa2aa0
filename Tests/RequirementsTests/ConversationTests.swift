import DictofunProtocol
import Testing
import Timeline

@testable import Requirements

/// What a failure tells of the conversation before it, and of what was left open.
@Suite struct Conversations {
  private static let record = RecordIdentifier("0000240101120000")!

  private static func conversation(_ script: (inout PacketScript) -> Void) -> (Conversation, PacketScript) {
    var packets = PacketScript()
    packets.connect()
    packets.discover()
    packets.enableAnswers()
    script(&packets)
    var conversation = Conversation()
    for event in packets.events { conversation.observe(event) }
    return (conversation, packets)
  }

  private static func open(_ script: (inout PacketScript) -> Void) -> [String] {
    let (conversation, packets) = conversation(script)
    return conversation.openObligations(at: packets.now)
  }

  @Test func aListThatIsNotWholeIsOwed() {
    let open = Self.open {
      $0.request(.listFiles)
      $0.notify(0x13, FilesList.firstPart(count: 2, identifiers: [Self.record]))
    }
    #expect(open.count == 1)
    #expect(open.first?.hasPrefix("the list announced 2 records, 1 was sent (asked at ") == true)
  }

  @Test(arguments: [1, 2, 3], [false, true]) func theRestOfARecordIsOwed(packets: Int, isSomethingSaidAfter: Bool) {
    let open = Self.open {
      $0.inform(Self.record, size: 42_000)
      $0.request(.fileData(Self.record))
      for _ in 0..<packets { $0.notify(0x1C, Array(repeating: 0, count: 100)) }
      if isSomethingSaidAfter { $0.readBattery(84) }
    }
    #expect(open.first?.hasPrefix("record \(Self.record) has 42,000 octets, \(packets * 100) were sent (") == true)
  }

  @Test func whatTheEndOfALinkCutOffIsToldWhereNothingIsOpen() {
    let open = Self.open {
      $0.request(.fileSystemStatus)
      $0.disconnect()
    }
    #expect(open.count == 1)
    #expect(
      open.first?.contains("the phone asks for the state of the memory, and the recorder has not answered") == true)
    #expect(open.first?.contains("cut off when the link ended at ") == true)
  }

  /// What the phone did not enable, the recorder cannot answer.
  @Test func nobodyOwesAnAnswerThatWasNotEnabled() {
    var packets = PacketScript()
    packets.connect()
    packets.discover()
    packets.request(.fileSystemStatus)
    var conversation = Conversation()
    for event in packets.events { conversation.observe(event) }
    #expect(conversation.openObligations(at: packets.now) == [])
    #expect(
      conversation.ladder(1)[0].hasSuffix(
        "cannot answer, because the phone did not enable it: asks for the state of the memory"))
  }

  @Test func whatWasAnsweredIsNotOwed() {
    let open = Self.open {
      $0.readBattery(84)
      $0.list([Self.record])
      $0.inform(Self.record, size: 300)
      $0.download(Self.record, size: 300)
    }
    #expect(open == [])
  }

  @Test func theLadderTellsWhoSaidWhatInWords() {
    let (conversation, _) = Self.conversation {
      $0.list([Self.record])
      $0.inform(Self.record, size: 1_000)
      $0.download(Self.record, size: 1_000)
      $0.disconnect(reason: 0x3D)
    }
    let ladder = conversation.ladder(7).map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
    #expect(
      ladder == [
        "recorder → phone sends the list of files: 1 record, 0000240101120000",
        "phone → recorder asks for the size of record 0000240101120000 (the write was acknowledged)",
        "recorder → phone tells the size of record 0000240101120000: 1,000 octets",
        "phone → recorder asks for record 0000240101120000 (the write was acknowledged)",
        "recorder → phone sends 32 octets of record 0000240101120000, 1,000 of 1,000 (the last of 8 in a row)",
        "recorder → phone has sent record 0000240101120000 to its end: 1,000 octets",
        "phone – recorder disconnected: an encrypted packet did not fit the key: remove the pairing on both sides and "
          + "pair again (0x3D)",
      ])
  }

  @Test func whatHappensWithoutEndIsForgotten() {
    let (conversation, _) = Self.conversation { packets in
      for percent in 0..<100 { packets.readBattery(UInt8(percent)) }
    }
    #expect(conversation.ladder(1_000).count == Conversation.limit)
  }
}
