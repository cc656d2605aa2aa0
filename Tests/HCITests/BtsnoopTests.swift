import Bytes
import HCI
import Testing

private func file(_ records: [(BtsnoopRecord.Content, UInt16)]) -> [UInt8] {
  var bytes = BtsnoopWriter.fileHeader
  for (index, record) in records.enumerated() {
    BtsnoopWriter().append(record.0, adapter: record.1, unixMicroseconds: Int64(index), to: &bytes)
  }
  return bytes
}

private func read(_ bytes: [UInt8]) throws -> [BtsnoopRecord] {
  var reader = try BtsnoopReader(bytes)
  var records: [BtsnoopRecord] = []
  while let record = try reader.next() { records.append(record) }
  return records
}

@Suite struct BtsnoopFiles {
  private let contents: [(BtsnoopRecord.Content, UInt16)] = [
    (.newIndex(BtsnoopAdapter(address: [1, 2, 3, 4, 5, 6], name: "phone")), 0), (.openIndex, 0),
    (.sent(Command.reset.packet), 0), (.received(Event.hardwareError(1).packet), 1),
    (.sent(ACLPacket(ConnectionHandle(1), .firstFromHost, [1]).packet), 0),
    (.received(ACLPacket(ConnectionHandle(1), .firstFromController, [1]).packet), 1),
    (.userLogging(priority: 6, identifier: "scenario", text: "step 1 of 3"), BtsnoopRecord.noAdapter),
    (.systemNote("seed 1"), BtsnoopRecord.noAdapter), (.closeIndex, 0), (.deletedIndex, 0),
    (.other(opcode: 10, data: [1, 2]), 0), (.sent(HCIPacket(.isochronous, [1])), 0),
    (.received(HCIPacket(.synchronous, [2])), 0),
  ]

  @Test func aFileIsReadAsItWasWritten() throws {
    let records = try read(file(contents))
    #expect(records.map(\.content) == contents.map(\.0))
    #expect(records.map(\.adapter) == contents.map(\.1))
    #expect(records.map(\.unixMicroseconds) == contents.indices.map { Int64($0) })
  }

  @Test func theFirstRecordHasTheOctetsThatReadersExpect() {
    var bytes: [UInt8] = []
    // The first day of 2000 is 0x00E03AB44A676000 in the format's own count.
    BtsnoopWriter().append(
      .sent(Command.reset.packet), adapter: 3, unixMicroseconds: 946_684_800_000_000, to: &bytes)
    #expect(
      Hexadecimal.string(bytes) == "00000003" + "00000003" + "00030002" + "00000000" + "00e03ab44a676000" + "030c00")
    #expect(Hexadecimal.string(BtsnoopWriter.fileHeader) == "6274736e6f6f7000" + "00000001" + "000007d1")
  }

  @Test func longDataAndTextsStayWithinWhatReadersAccept() throws {
    let long = String(repeating: "ä", count: 2000)
    let records = try read(
      file([
        (.sent(HCIPacket(.acl, [UInt8](repeating: 7, count: 3000))), 0), (.systemNote(long), 0),
        (.userLogging(priority: 3, identifier: long, text: "a\0b"), 0),
      ]))
    #expect(records[0].content == .sent(HCIPacket(.acl, [UInt8](repeating: 7, count: Btsnoop.recordLimit))))
    #expect(records[0].originalLength == 3000)
    #expect(records.allSatisfy { $0.originalLength <= Btsnoop.recordLimit || $0.originalLength == 3000 })
    #expect(records[1].content == .systemNote(String(repeating: "ä", count: 699)))
    #expect(
      records[2].content
        == .userLogging(priority: 3, identifier: String(repeating: "ä", count: 15), text: "a?b"))
  }

  @Test func theOtherDataLinksTellDirectionAndKindInTheirFlags() throws {
    func one(_ link: [UInt8], _ flags: UInt8, _ data: [UInt8]) throws -> BtsnoopRecord.Content? {
      let length: [UInt8] = [0, 0, 0, UInt8(data.count)]
      let record = length + length + [0, 0, 0, flags] + [UInt8](repeating: 0, count: 12) + data
      return try read(Array(BtsnoopWriter.fileHeader.dropLast(2)) + link + record).first?.content
    }
    #expect(try one([0x03, 0xE9], 2, [3, 12, 0]) == .sent(Command.reset.packet))
    #expect(try one([0x03, 0xE9], 3, [16, 1, 1]) == .received(Event.hardwareError(1).packet))
    #expect(try one([0x03, 0xE9], 1, [9]) == .received(HCIPacket(.acl, [9])))
    #expect(try one([0x03, 0xEA], 0, [1, 3, 12, 0]) == .sent(Command.reset.packet))
    #expect(try one([0x03, 0xEA], 0, [9, 9]) == .unknownPacket([9, 9]))
    #expect(try one([0x03, 0xEA], 0, []) == .unknownPacket([]))
    #expect(throws: BtsnoopFailure.unknownDataLink(1003)) { try one([0x03, 0xEB], 0, []) }
  }

  @Test func asPcapTheSameRecordsStandInOtherFrames() {
    let writer = BtsnoopWriter(.pcap)
    #expect(
      Hexadecimal.string(writer.header) == "a1b2c3d4" + "00020004" + "0000000000000000" + "0000ffff" + "000000fe")
    var bytes: [UInt8] = []
    writer.append(.sent(Command.reset.packet), adapter: 1, unixMicroseconds: 3_000_005, to: &bytes)
    #expect(
      Hexadecimal.string(bytes) == "00000003" + "00000005" + "00000007" + "00000007" + "00010002" + "030c00")
    bytes = []
    writer.append(
      .received(HCIPacket(.acl, [UInt8](repeating: 0, count: 2_000))), adapter: 0, unixMicroseconds: 0, to: &bytes)
    #expect(Hexadecimal.string(Array(bytes.prefix(20))).hasSuffix("000005d6" + "000007d4" + "00000005"))
    #expect(bytes.count == 20 + Btsnoop.recordLimit)
  }

  @Test func aHostileFileEndsInATypedFailureNotInATrap() throws {
    let whole = file(contents)
    for length in 0..<whole.count {
      do { _ = try read(Array(whole.prefix(length))) } catch is BtsnoopFailure {}
    }
    for seed in UInt64(0)..<300 {
      var random = RandomOctets(seed: seed)
      var bytes = whole
      for _ in 0..<4 { bytes[16 + random.below(whole.count - 16)] = UInt8(random.below(256)) }
      do { _ = try read(bytes) } catch is BtsnoopFailure {}
    }
    #expect(throws: BtsnoopFailure.notBtsnoop) { try read([]) }
    #expect(throws: BtsnoopFailure.truncated(offset: 16)) { try read(Array(whole.prefix(30))) }
  }
}
