import HCI

/// Writes one host's packets as other programs do, for readers that must understand them. Every sample was once compared
/// with what Wireshark reads in it.
struct ForeignCapture {
  /// One packet.
  struct Line {
    var packet: HCIPacket
    var isReceived: Bool
    var microseconds: Int64
  }

  enum Format: String, CaseIterable {
    case btsnoopHCI, btsnoopH4, packetLogger, packetLoggerLittle, pcapH4, pcapH4WithDirection, pcapMonitor, pcapng
  }

  let lines: [Line]

  func octets(_ format: Format) -> [UInt8] {
    switch format {
    case .btsnoopHCI:
      btsnoop(1001) { $0.packet.bytes }
    case .btsnoopH4:
      btsnoop(1002) { $0.packet.framed }
    case .packetLogger: packetLogger { Self.big($0, 4) }
    case .packetLoggerLittle: packetLogger { Self.little($0, 4) }
    case .pcapH4: pcapNanoseconds(187) { $0.packet.framed }
    case .pcapH4WithDirection: pcapNanoseconds(201) { [0, 0, 0, $0.isReceived ? 1 : 0] + $0.packet.framed }
    case .pcapMonitor: pcapMonitor
    case .pcapng: pcapng
    }
  }

  private func btsnoop(_ link: UInt64, _ data: (Line) -> [UInt8]) -> [UInt8] {
    var octets = Array("btsnoop\0".utf8) + Self.big(1, 4) + Self.big(link, 4)
    for line in lines {
      let content = data(line)
      let isControl = line.packet.kind == .command || line.packet.kind == .event
      let flags: UInt64 = (line.isReceived ? 1 : 0) | (isControl ? 2 : 0)
      octets += Self.big(UInt64(content.count), 4) + Self.big(UInt64(content.count), 4) + Self.big(flags, 4)
      octets += Self.big(0, 4) + Self.big(UInt64(line.microseconds + Btsnoop.unixEpochMicroseconds), 8) + content
    }
    return octets
  }

  private func packetLogger(_ number: (UInt64) -> [UInt8]) -> [UInt8] {
    // What the software notes stands between the packets.
    var octets = number(9 + 2) + number(1_700_000_000) + number(0) + [0xFC] + Array("on".utf8)
    for line in lines {
      let kind: UInt8 =
        switch line.packet.kind {
        case .command: 0
        case .event: 1
        case .acl: line.isReceived ? 3 : 2
        case .synchronous, .isochronous: 0x0B
        }
      octets += number(UInt64(line.packet.bytes.count + 9)) + number(UInt64(line.microseconds / 1_000_000))
      octets += number(UInt64(line.microseconds % 1_000_000)) + [kind] + line.packet.bytes
    }
    return octets
  }

  /// Little-endian, with nanoseconds.
  private func pcapNanoseconds(_ link: UInt64, _ data: (Line) -> [UInt8]) -> [UInt8] {
    var octets = Self.little(0xA1B2_3C4D, 4) + Self.little(2, 2) + Self.little(4, 2) + Self.little(0, 8)
    octets += Self.little(65_535, 4) + Self.little(link, 4)
    for line in lines {
      let content = data(line)
      octets += Self.little(UInt64(line.microseconds / 1_000_000), 4)
      octets += Self.little(UInt64(line.microseconds % 1_000_000 * 1_000), 4)
      octets += Self.little(UInt64(content.count), 4) + Self.little(UInt64(content.count), 4) + content
    }
    return octets
  }

  private var pcapMonitor: [UInt8] {
    let writer = BtsnoopWriter(.pcap)
    return lines.reduce(into: writer.header) { octets, line in
      writer.append(
        line.isReceived ? .received(line.packet) : .sent(line.packet), adapter: 0, unixMicroseconds: line.microseconds,
        to: &octets)
    }
  }

  /// Two interfaces, of which the first is Ethernet; times in nanoseconds. Every third packet is in an obsolete block, which
  /// has a count of lost packets beside the interface.
  private var pcapng: [UInt8] {
    let unknownLength = [UInt8](repeating: 0xFF, count: 8)
    var octets = Self.block(0x0A0D_0D0A, Self.little(0x1A2B_3C4D, 4) + Self.little(1, 4) + unknownLength)
    octets += Self.block(1, Self.little(1, 2) + Self.little(0, 6))
    octets += Self.block(1, Self.little(187, 2) + Self.little(0, 6) + Self.option(9, [9]) + Self.option(0, []))
    octets += Self.block(6, Self.little(0, 20))
    for (index, line) in lines.enumerated() {
      let stamp = UInt64(line.microseconds) * 1_000
      let data = line.packet.framed
      let padded = data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      var body = Self.little(1, 4) + Self.little(stamp >> 32, 4) + Self.little(stamp & 0xFFFF_FFFF, 4)
      body += Self.little(UInt64(data.count), 4) + Self.little(UInt64(data.count), 4) + padded
      body += Self.option(2, Self.little(line.isReceived ? 1 : 2, 4)) + Self.option(0, [])
      octets += Self.block(index % 3 == 0 ? 2 : 6, body)
      // Statistics, which nobody needs.
      octets += Self.block(5, Self.little(1, 12))
    }
    return octets
  }

  private static func block(_ type: UInt64, _ body: [UInt8]) -> [UInt8] {
    little(type, 4) + little(UInt64(body.count + 12), 4) + body + little(UInt64(body.count + 12), 4)
  }

  private static func option(_ code: UInt64, _ value: [UInt8]) -> [UInt8] {
    little(code, 2) + little(UInt64(value.count), 2) + value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  private static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) : 0 }
  }

  private static func big(_ number: UInt64, _ count: Int) -> [UInt8] { little(number, count).reversed() }
}
