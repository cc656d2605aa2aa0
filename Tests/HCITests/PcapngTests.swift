import Testing

@testable import HCI

/// What a pcapng file tells of its interfaces.
@Suite struct PcapngFiles {
  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let length = little(padded.count + 12, 4)
    return little(type, 4) + length + padded + length
  }

  private static let section = block(
    0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 4) + [UInt8](repeating: 0xFF, count: 8))

  private static func interface(_ link: Int, limit: Int = 0) -> [UInt8] {
    block(1, little(link, 2) + little(0, 2) + little(limit, 4))
  }

  private static func option(_ code: Int, _ value: Int) -> [UInt8] { little(code, 2) + little(8, 2) + little(value, 8) }

  /// HCI_Reset as an enhanced packet block has it, behind `drops` packets that were lost.
  private static func reset(on interface: Int = 0, drops: Int = 0) -> [UInt8] {
    // The interface, when, how long it is here and was, itself.
    var body = little(interface, 4) + little(0, 4) + little(7, 4)
    body += little(4, 4) + little(4, 4)
    body += [1, 3, 0x0C, 0]
    return block(6, body + option(4, drops))
  }

  private func read(_ octets: [UInt8]) throws -> [CaptureRecord] {
    var reader = try CaptureReader(octets)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  /// The statistics count what the packets told too, and what another interface lost does not matter.
  @Test func statisticsTellWhatWasLostSomewhere() throws {
    func statistics(_ interface: Int, _ options: [UInt8]) -> [UInt8] {
      Self.block(5, Self.little(interface, 4) + Self.little(0, 8) + options)
    }
    var file = Self.section + Self.interface(187) + Self.interface(1)
    file += Self.reset(drops: 2)
    file += statistics(1, Self.option(5, 9))
    file += statistics(0, Self.option(4, 100))
    file += statistics(0, Self.option(5, 4) + Self.option(7, 1))
    // All ones where nobody counted.
    file += statistics(0, Self.option(5, 5) + Self.option(7, -1))
    let records = try read(file)
    #expect(records.map(\.dropsBefore) == [2, 0])
    #expect(records.map(\.dropsSomewhere) == [0, 3])
    #expect(records.last?.content == .remark)
  }

  /// A simple packet has neither a time nor a length of its own beside the limit of its interface.
  @Test func aSimplePacketEndsAtTheLimitOfItsInterface() throws {
    func records(limit: Int) throws -> [CaptureRecord] {
      let packet = Self.block(3, Self.little(4, 4) + [1, 3, 0x0C] + (limit == 0 ? [0] : []))
      return try read(Self.section + Self.interface(187, limit: limit) + packet)
    }
    #expect(try records(limit: 3).map(\.content) == [.omitted(.cutShort)])
    #expect(try records(limit: 0).map(\.content) == [.sent(HCIPacket(.command, [3, 0x0C, 0]))])
    #expect(try records(limit: 0).map(\.hasTime) == [false])
  }

  @Test func aPacketOfNoInterfaceIsNotOneOfFurtherAdapters() throws {
    #expect(
      try read(Self.section + Self.interface(187) + Self.reset(on: 1)).map(\.content) == [.omitted(.unknownInterface)])
    let many = (0..<300).flatMap { _ in Self.interface(187) }
    #expect(
      try read(Self.section + many + Self.reset(on: 254) + Self.reset(on: 255)).map(\.content) == [
        .sent(HCIPacket(.command, [3, 0x0C, 0])), .omitted(.tooManyAdapters),
      ])
    // The limit counts the interfaces of all sections.
    #expect(
      try read(Self.section + many + Self.section + Self.interface(187) + Self.reset()).map(\.content)
        == [.omitted(.tooManyAdapters)])
  }
}
