import Text
import Testing

@testable import Bytes

@Suite struct Texts {
  @Test(
    arguments: [
      ("", []), ("00ff", [0, 0xFF]), ("0A:0b 0C\n0d", [0x0A, 0x0B, 0x0C, 0x0D]),
    ] as [(String, [UInt8])])
  func hexadecimalIsRead(_ text: String, _ octets: [UInt8]) { #expect(Hexadecimal.bytes(text) == octets) }

  @Test(arguments: ["0", "0g", "0 0", "é0", "0x00"])
  func whatIsNotHexadecimalIsNotRead(_ text: String) { #expect(Hexadecimal.bytes(text) == nil) }

  @Test func hexadecimalIsWritten() {
    #expect(Hexadecimal.string([0, 0x0F, 0xA0]) == "000fa0")
    #expect(Hexadecimal.digits(UInt16(10)) == "000A")
    #expect(Hexadecimal.digits(UInt8.max) == "FF")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\tb\nc", "a b c"), ("\u{1B}[2J", #"\u{1B}[2J"#), ("ünïcode ✓", "ünïcode ✓"),
    ("\u{202E}evil", #"\u{202E}evil"#), ("a\u{200B}b", #"a\u{200B}b"#),
  ])
  func invisibleCharactersAreSpelledOut(_ text: String, _ expected: String) {
    #expect(PlainText.escaped(text) == expected)
  }

  @Test func longTextIsCut() {
    #expect(PlainText.escaped("abcdef", limit: 3) == "abc…")
    #expect(PlainText.escaped("abc", limit: 3) == "abc")
  }

  /// Each alone, because text in which nothing needs it is written another way.
  @Test(arguments: [
    ("plain ~", "plain ~"), ("a\"", #"a\""#), ("a\\", #"a\\"#), ("a\n", #"a\n"#), ("a\u{1B}", #"a\u001B"#),
    ("a\u{7F}", #"a\u007F"#), ("a\u{9B}", #"a\u009B"#), ("a\u{2028}", #"a\u2028"#), ("aé", "aé"), ("", ""),
    ("a\u{AD}", #"a\u00AD"#), ("a\u{202E}", #"a\u202E"#), ("a\u{2066}", #"a\u2066"#), ("a\u{FEFF}", #"a\uFEFF"#),
    ("a\u{FFFD}", "a\u{FFFD}"), ("a\u{1F600}", "a\u{1F600}"),
  ])
  func whatEndsAStringHidesTextOrMovesATerminalIsEscaped(_ text: String, _ expected: String) {
    #expect(JSONValue.string(text).text == "\"\(expected)\"")
  }

  @Test func documentsAreWritten() {
    let document = JSONValue.object([
      "a": .array([.integer(-1), .unsigned(.max), .boolean(true), .null]), "b": .string("\"\\\n\u{7F}é"),
      "c": .seconds(.milliseconds(1_500)), "d": .millionths(25), "e": .optional(nil),
      "f": .object([(String, JSONValue)]()),
    ])
    #expect(
      document.text
        == #"{"a":[-1,18446744073709551615,true,null],"b":"\"\\\n\u007Fé","c":1.500000,"d":0.000025,"e":null,"f":{}}"#
    )
    #expect(JSONValue.array([.integer(.min), .integer(.max), .integer(0)]).text == "[\(Int.min),\(Int.max),0]")
    #expect(JSONValue.strings(["x"]).indentedText == "[\n  \"x\"\n]\n")
    #expect(DecimalSeconds.text(.seconds(-1)) == "0.000000")
  }
}

@Suite struct Identifiers {
  @Test func addressesAreReadAndWritten() throws {
    let address = try #require(BluetoothAddress("C6:05:04:03:02:01"))
    #expect(address.kind == .random)
    #expect(address.description == "C6:05:04:03:02:01")
    #expect(BluetoothAddress("FE:DC:BA:98:76:54")?.description == "FE:DC:BA:98:76:54")
    #expect(address.littleEndian == [1, 2, 3, 4, 5, 0xC6])
    #expect(BluetoothAddress(littleEndian: address.littleEndian, .random) == address)
    #expect(address.isStaticRandom)
    #expect(!address.isResolvablePrivate)
    #expect(BluetoothAddress("46:05:04:03:02:01/R")?.isResolvablePrivate == true)
    #expect(BluetoothAddress("46:05:04:03:02:01/P")?.isResolvablePrivate == false)
    var writer = ByteWriter()
    writer.write(address)
    var reader = ByteReader(writer.bytes.span)
    #expect(try reader.readAddress(.random, "address") == address)
  }

  @Test(arguments: [
    "", "C6:05:04:03:02", "C6:05:04:03:02:01:00", "C6:05:04:03:02:0", "G6:05:04:03:02:01", "C6:05:04:03:02:01/X",
  ])
  func whatIsNotAnAddressIsNotRead(_ text: String) { #expect(BluetoothAddress(text) == nil) }

  @Test func shortUUIDsHaveALongForm() throws {
    let short = BluetoothUUID(0x180F)
    #expect(short.description == "180F")
    #expect(short.littleEndian == [0x0F, 0x18])
    #expect(short.littleEndian128.count == 16)
    #expect(BluetoothUUID(littleEndian: short.littleEndian128) == short)
    #expect(BluetoothUUID("0x180f") == short)
    #expect(BluetoothUUID("0000180f-0000-1000-8000-00805f9b34fb") == short)
  }

  @Test func longUUIDsKeepTheirOctets() throws {
    let text = "a0451001-b822-4820-8782-bd8faf68807b"
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.short == nil)
    #expect(uuid.description == text)
    #expect(uuid.littleEndian.first == 0x7B)
    #expect(BluetoothUUID(littleEndian: uuid.littleEndian) == uuid)
    #expect(BluetoothUUID(littleEndian: [1, 2, 3]) == nil)
    #expect(BluetoothUUID("a0451001-b822-4820-8782bd8faf68807b") == nil)
  }

  @Test func layoutsCountTheirLengthsAndKeepTheirLimits() throws {
    let layout = WireLayout(
      "message",
      [
        .number("kind"), WireField("length", .length(octets: 2, countsItself: false)),
        .number("value", octets: 4, maximum: 1_000),
      ])
    let octets = layout.octets(of: [7, 0, 999])
    #expect(octets == [7, 4, 0, 0xE7, 0x03, 0, 0])
    #expect(try layout.numbers(of: octets) == [7, 4, 999])
    #expect(throws: DecodingFailure(.truncated(needed: 4, available: 3), field: "message value", offset: 3)) {
      try layout.numbers(of: [7, 3, 0, 1, 0, 0])
    }
    #expect(throws: DecodingFailure(.invalid(value: 5), field: "message length", offset: 1)) {
      try layout.numbers(of: [7, 5, 0, 1, 0, 0, 0])
    }
    #expect(throws: DecodingFailure(.invalid(value: 1_001), field: "message value", offset: 3)) {
      try layout.numbers(of: [7, 4, 0, 0xE9, 0x03, 0, 0])
    }
  }
}
