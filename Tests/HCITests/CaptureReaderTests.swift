import Bytes
import Testing

@testable import HCI

@Suite struct CaptureReaders {
  private func read(_ octets: [UInt8]) throws -> [CaptureRecord] {
    var reader = try CaptureReader(octets)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  /// A pcap file with big-endian numbers.
  private func pcap(_ link: UInt8, _ records: [[UInt8]]) -> [UInt8] {
    let header: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4, 0, 2, 0, 4] + [UInt8](repeating: 0, count: 12)
    return header + [0, 0, link < 10 ? 1 : 0, link]
      + records.flatMap { data in
        [0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, UInt8(data.count), 0, 0, 0, UInt8(data.count)] + data
      }
  }

  /// `link` 0 is link type 256.
  private func heard(_ octets: [UInt8], link: UInt8 = 0) throws -> CaptureRecord.Content? {
    try read(pcap(link, [octets])).first?.content
  }

  @Test func withoutADirectionTheFirstPartOfAFrameTellsIt() throws {
    let sent: [UInt8] = [2, 0x40, 0x00, 1, 0, 5]
    let sentOn: [UInt8] = [2, 0x40, 0x10, 1, 0, 6]
    let received: [UInt8] = [2, 0x40, 0x20, 1, 0, 7]
    let records = try read(pcap(187, [sentOn, sent, sentOn, received, sentOn, [9], [4, 0xFF, 0]]))
    #expect(
      records.map(\.content) == [
        .omitted(.noDirection), .sent(HCIPacket(.acl, Array(sent.dropFirst()))),
        .sent(HCIPacket(.acl, Array(sentOn.dropFirst()))), .received(HCIPacket(.acl, Array(received.dropFirst()))),
        // It may belong to either.
        .omitted(.noDirection), .omitted(.unknownKind), .received(HCIPacket(.event, [0xFF, 0])),
      ])
    #expect(records.allSatisfy { $0.unixMicroseconds == 7_000_009 })
  }

  /// A part belongs to the frame that lacks it, also where the other side spoke meanwhile.
  @Test func withoutADirectionAPartBelongsToTheFrameThatLacksIt() throws {
    // Frames of six octets received, five sent, and ten sent, of which the first is in two parts.
    let begun: [UInt8] = [2, 0x40, 0x20, 4, 0, 2, 0, 4, 0]
    let whole: [UInt8] = [2, 0x40, 0x00, 5, 0, 1, 0, 4, 0, 7]
    let long: [UInt8] = [2, 0x40, 0x00, 4, 0, 6, 0, 4, 0]
    let two: [UInt8] = [2, 0x40, 0x10, 2, 0, 8, 9]
    let six: [UInt8] = [2, 0x40, 0x10, 6, 0, 1, 2, 3, 4, 5, 6]
    func packet(_ data: [UInt8]) -> HCIPacket { HCIPacket(.acl, Array(data.dropFirst())) }
    func contents(_ records: [[UInt8]]) throws -> [CaptureRecord.Content] {
      try read(pcap(187, records)).map(\.content)
    }
    #expect(
      try contents([begun, whole, two, two]) == [
        .received(packet(begun)), .sent(packet(whole)), .received(packet(two)), .omitted(.noDirection),
      ])
    #expect(
      try contents([begun, long, six, two]) == [
        .received(packet(begun)), .sent(packet(long)), .sent(packet(six)), .received(packet(two)),
      ])
    // Either may go on with two octets. What comes then is not known until one begins again.
    #expect(
      try contents([begun, long, two, six, whole]) == [
        .received(packet(begun)), .sent(packet(long)), .omitted(.noDirection), .omitted(.noDirection),
        .sent(packet(whole)),
      ])
    // A connection that ends takes its frames along.
    #expect(
      try contents([begun, [4, 0x05, 4, 0, 0x40, 0, 0x13], long, two])
        == [
          .received(packet(begun)), .received(HCIPacket(.event, [0x05, 4, 0, 0x40, 0, 0x13])), .sent(packet(long)),
          .sent(packet(two)),
        ])
  }

  @Test func aCompressedFileIsNamed() {
    #expect(throws: CaptureFailure.unsupported("compressed with gzip: decompress it first, for example with gunzip")) {
      try read([0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }
  }

  /// The two highest bits of the flags, which are the last octets of the header.
  @Test(arguments: [(PhysicalLayer.le1M, UInt8(0)), (.le2M, 0x40), (.leCoded, 0x80)])
  func aWrittenPacketTellsItsPHY(layer: PhysicalLayer, bits: UInt8) {
    var packet = RadioPacket(accessAddress: 0x5065_5A6C, octets: [2, 1, 0xAB], isFromCentral: true)
    packet.layer = layer
    let record = RadioCaptureWriter.record(packet, checksumStart: 0x55_5555, unixMicroseconds: 0)
    #expect(record[16 + 9] & 0xC0 == bits)
  }

  /// A coded packet has its coding indicator behind the access address, as Wireshark expects it.
  @Test func aCodedPacketIsWrittenAndReadWithItsCodingIndicator() throws {
    var packet = RadioPacket(accessAddress: 0x5065_5A6C, octets: [2, 1, 0xAB], isFromCentral: true)
    packet.layer = .leCoded
    let record = RadioCaptureWriter.record(packet, checksumStart: 0x55_5555, unixMicroseconds: 0)
    #expect(record[30...].prefix(4) == [0, 2, 1, 0xAB])
    #expect(try read(RadioCaptureWriter.header + record).map(\.content) == [.heard(packet)])
  }

  @Test func whatASnifferHeardHasItsDirectionAndItsTroubles() throws {
    // Access address, header, one octet, checksum.
    let packet: [UInt8] = [0x6C, 0x5A, 0x65, 0x50, 0x02, 0x01, 0xAB, 1, 2, 3]
    func header(_ flags: UInt16) -> [UInt8] {
      [0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: flags), UInt8(flags >> 8)]
    }
    let expected = RadioPacket(accessAddress: 0x5065_5A6C, octets: [2, 1, 0xAB], isFromCentral: true)
    #expect(try heard(header(0x0D01) + packet) == .heard(expected))
    #expect(try heard(header(0x0C00) + packet) == .omitted(.whitened))
    #expect(try heard(header(0x0401) + packet) == .omitted(.badChecksum))
    #expect(try heard(header(0x0C09) + packet) == .omitted(.decryptedElsewhere))
    #expect(try heard(header(0x0C01) + packet.dropLast()) == .omitted(.cutShort))
    #expect(try heard([1]) == .omitted(.cutShort))
    var unchecked = expected
    unchecked.isFromCentral = nil
    unchecked.checksum = 0x03_0201
    #expect(try heard(packet, link: 251) == .heard(unchecked))
  }

  /// The record of the nRF Sniffer's third protocol: a board, six octets, ten octets of the radio, the packet.
  @Test func nordicsSnifferIsRead() throws {
    var link = pcap(0, [])
    link.replaceSubrange(22..<24, with: [0x01, 0x10])
    func content(_ flags: UInt8, indicator: [UInt8] = []) throws -> CaptureRecord.Content? {
      let packet: [UInt8] = [0x6C, 0x5A, 0x65, 0x50] + indicator + [0x02, 0x01, 0xAB, 1, 2, 3]
      let data: [UInt8] = [0, 20, 0, 3, 9, 0, 6, 10, flags, 12, 40, 1, 0, 0, 0, 0, 0] + packet
      let length: [UInt8] = [0, 0, 0, UInt8(data.count)]
      return try read(link + [0, 0, 0, 0, 0, 0, 0, 0] + length + length + data).first?.content
    }
    let expected = RadioPacket(accessAddress: 0x5065_5A6C, octets: [2, 1, 0xAB], isFromCentral: false)
    #expect(try content(1) == .heard(expected))
    #expect(try content(2) == .omitted(.badChecksum))
    #expect(try content(0x0F) == .omitted(.decryptedElsewhere))
    var coded = expected
    coded.layer = .leCoded
    #expect(try content(0x21, indicator: [1]) == .heard(coded))
  }

  @Test func theChecksumIsThatOfTheSpecification() {
    // Wireshark 4.0 accepts it for this ADV_IND, and no other.
    let octets: [UInt8] = [0x40, 0x09, 0x05, 0x04, 0x03, 0x02, 0x01, 0xC0, 0x02, 0x01, 0x06]
    #expect(RadioPacket.checksum(octets, start: 0x55_5555) == 0xED_DE44)
  }

  @Test func aFileLongerThanAPieceIsReadToItsEnd() throws {
    let data = [UInt8](repeating: 0x33, count: 200)
    let count = CaptureWindow.pieceLength / 100
    let records = try read(pcap(1, (0..<count).map { _ in data }))
    #expect(records.count == count)
    #expect(records.allSatisfy { $0.content == .omitted(.foreignLink) })
  }

  @Test func aHostileFileEndsInATypedFailureNotInATrap() throws {
    #expect(throws: CaptureFailure.unknownFormat) { try read([]) }
    #expect(throws: CaptureFailure.unknownFormat) { try read(Array("btsn".utf8.reversed())) }
    #expect(throws: CaptureFailure.btsnoop(.notBtsnoop)) { try read(Array("btsnoop".utf8)) }
    let magics: [[UInt8]] = [
      [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1],
      [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A] + [UInt8](repeating: 0, count: 12) + [28, 0, 0, 0],
      [0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3, 4], Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1],
    ]
    for seed in UInt64(0)..<2_000 {
      var random = RandomOctets(seed: seed)
      let octets = (0..<random.below(200)).map { _ in UInt8(random.below(random.below(2) == 0 ? 4 : 256)) }
      do { _ = try read(magics[Int(seed % 5)] + octets) } catch is CaptureFailure {}
    }
  }
}
