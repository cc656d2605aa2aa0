import Testing

@testable import Bytes

@Suite struct ByteReaders {
  private static let octets: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88]

  @Test func numbersAreLittleEndian() throws {
    var reader = ByteReader(Self.octets.span)
    #expect(try reader.readUInt8("a") == 0x01)
    #expect(try reader.readUInt16("b") == 0x0302)
    #expect(try reader.readBytes(3, "c") == [4, 5, 6])
    let offset = reader.offset
    #expect(offset == 6)
    let remaining = reader.remaining
    #expect(remaining == 2)
    reader = ByteReader(Self.octets.span)
    #expect(try reader.readUInt32("d") == 0x0403_0201)
    reader = ByteReader(Self.octets.span)
    #expect(try reader.readUInt64("e") == 0x8807_0605_0403_0201)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
    let negative: [UInt8] = [0xFE]
    reader = ByteReader(negative.span)
    #expect(try reader.readInt8("f") == -2)
  }

  @Test func bytesComeInTheirOrder() throws {
    var reader = ByteReader(Self.octets.span)
    #expect(try reader.readBytes(3, "a") == [1, 2, 3])
    #expect(try reader.readBytes(0, "b") == [])
    #expect(reader.readRemaining() == [4, 5, 6, 7, 0x88])
    #expect(reader.readRemaining() == [])
    try reader.expectEnd("c")
  }

  @Test(arguments: 0...7) func aNumberThatIsCutShortIsReportedAtItsPlace(_ available: Int) {
    let octets = Array(Self.octets.prefix(available))
    func failure(_ read: (inout ByteReader) throws(DecodingFailure) -> Void) -> DecodingFailure? {
      var reader = ByteReader(octets.span)
      do { try read(&reader) } catch { return error }
      return nil
    }
    func truncated(_ needed: Int) -> DecodingFailure? {
      available < needed
        ? DecodingFailure(.truncated(needed: needed, available: available), field: "n", offset: 0) : nil
    }
    #expect(failure { reader throws(DecodingFailure) in _ = try reader.readUInt8("n") } == truncated(1))
    #expect(failure { reader throws(DecodingFailure) in _ = try reader.readUInt16("n") } == truncated(2))
    #expect(failure { reader throws(DecodingFailure) in _ = try reader.readBytes(5, "n") } == truncated(5))
    // Longer numbers are read in halves, and the failure names the half that is missing.
    #expect((failure { reader throws(DecodingFailure) in _ = try reader.readUInt32("n") } != nil) == (available < 4))
    #expect(failure { reader throws(DecodingFailure) in _ = try reader.readUInt64("n") } != nil)
  }

  @Test func aFailedReadTakesNothing() throws {
    let octets: [UInt8] = [1, 2]
    var reader = ByteReader(octets.span)
    #expect(throws: DecodingFailure.self) { try reader.readBytes(3, "a") }
    let offset = reader.offset
    #expect(offset == 0)
    #expect(try reader.readUInt16("b") == 0x0201)
  }

  @Test func aNegativeCountIsRefused() {
    var reader = ByteReader(Self.octets.span)
    #expect(throws: DecodingFailure(.invalid(value: .max), field: "a", offset: 0)) { try reader.readBytes(-1, "a") }
    #expect(throws: DecodingFailure(.truncated(needed: .max, available: 8), field: "a", offset: 0)) {
      try reader.readBytes(.max, "a")
    }
  }

  @Test func whatIsLeftOverIsCounted() {
    var reader = ByteReader(Self.octets.span)
    _ = try? reader.readUInt32("a")
    #expect(throws: DecodingFailure(.trailing(count: 4), field: "message", offset: 4)) {
      try reader.expectEnd("message")
    }
  }

  @Test func failuresSayWhatIsWrongAndWhere() {
    let reasons: [(DecodingFailure.Reason, String)] = [
      (.truncated(needed: 4, available: 1), "size: needs 4 bytes at offset 2, 1 available"),
      (.trailing(count: 3), "size: 3 bytes too many at offset 2"),
      (.invalid(value: 0xAB), "size: invalid value 0xab at offset 2"),
      (.tooLong(length: 9, limit: 8), "size: length 9 at offset 2 exceeds 8"),
    ]
    for (reason, text) in reasons { #expect(DecodingFailure(reason, field: "size", offset: 2).description == text) }
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var writer = ByteWriter()
    writer.write(UInt8(1))
    writer.write(Int8(-1))
    writer.write(UInt16(0x1234))
    writer.write(UInt32(0xDEAD_BEEF))
    writer.write(UInt64(0x0123_4567_89AB_CDEF))
    writer.write([9, 8])
    var reader = ByteReader(writer.bytes.span)
    #expect(try reader.readUInt8("a") == 1)
    #expect(try reader.readInt8("a") == -1)
    #expect(try reader.readUInt16("a") == 0x1234)
    #expect(try reader.readUInt32("a") == 0xDEAD_BEEF)
    #expect(try reader.readUInt64("a") == 0x0123_4567_89AB_CDEF)
    #expect(reader.readRemaining() == [9, 8])
  }
}
