/// Intel HEX: a line a record, each with its own sum (Intel, Hexadecimal Object File Format Specification, 1988).
enum IntelHex {
  static func read(_ file: [UInt8]) throws(ImageFailure.Reason) -> ImageContent {
    var content = ImageContent()
    content.symbols = SymbolTable([], lines: LineTable(lack: "an Intel HEX file has neither symbols nor lines"))
    var base: UInt32 = 0
    var hasEnded = false
    var number = 0
    for ended in file.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = ended.last == 0x0D ? ended.dropLast() : ended
      if line.isEmpty { continue }
      if hasEnded { throw .badLine(number, "there is a record behind the end of the file") }
      let record = try Self.record(line, number)
      switch record.kind {
      case 0x00:
        let (address, hasWrapped) = base.addingReportingOverflow(UInt32(record.offset))
        guard !hasWrapped, UInt64(address) + UInt64(record.data.count) <= 1 << 32 else {
          throw .badLine(number, "ends beyond the address space")
        }
        append(record.data, at: address, to: &content)
      case 0x01: hasEnded = true
      case 0x02: base = try word(record, number) << 4
      case 0x04: base = try word(record, number) << 16
      // Where execution starts says the vector table.
      case 0x03, 0x05: break
      default: throw .badLine(number, "record type \(record.kind) is unknown; expected 0 to 5")
      }
    }
    guard hasEnded else { throw .truncated("there is no end-of-file record") }
    return content
  }

  private struct Record {
    var kind: UInt8
    var offset: UInt16
    var data: ArraySlice<UInt8>
  }

  private static func record(_ line: ArraySlice<UInt8>, _ number: Int) throws(ImageFailure.Reason) -> Record {
    guard line.first == UInt8(ascii: ":") else { throw .badLine(number, "does not begin with \":\"") }
    guard let octets = octets(line.dropFirst()) else {
      throw .badLine(number, "is not a sequence of pairs of hexadecimal digits")
    }
    guard octets.count >= 5, octets.count == Int(octets[0]) + 5 else {
      throw .badLine(number, "states \(octets.first ?? 0) octets of data, has \(max(0, octets.count - 5))")
    }
    guard octets.reduce(0, &+) == 0 else { throw .badLine(number, "its checksum is wrong") }
    return Record(
      kind: octets[3], offset: UInt16(octets[1]) << 8 | UInt16(octets[2]), data: octets[4..<(octets.count - 1)])
  }

  private static func octets(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return result
  }

  private static func word(_ record: Record, _ number: Int) throws(ImageFailure.Reason) -> UInt32 {
    guard record.data.count == 2, let high = record.data.first, let low = record.data.last else {
      throw .badLine(number, "an address record has \(record.data.count) octets; expected 2")
    }
    return UInt32(high) << 8 | UInt32(low)
  }

  private static func append(_ data: ArraySlice<UInt8>, at address: UInt32, to content: inout ImageContent) {
    if let last = content.segments.last, last.end == UInt64(address) {
      content.segments[content.segments.count - 1].octets += data
    } else {
      content.segments.append(FirmwareImage.Segment(address: address, octets: Array(data)))
    }
  }
}
