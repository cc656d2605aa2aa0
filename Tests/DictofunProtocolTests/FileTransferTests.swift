import Bytes
import Testing

@testable import DictofunProtocol

/// Numbers for properties; every test starts its own from a fixed seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func octets(upTo maximum: Int) -> [UInt8] {
    (0..<Int.random(in: 0...maximum, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}

func identifiers(_ count: Int) -> [RecordIdentifier] {
  let start = CivilTime(secondsSinceEpoch: 1_704_110_400)
  return (0..<count).map { RecordIdentifier(start.adding(seconds: Int64($0) * 61)) }
}

@Suite struct FileTransferTests {
  @Test func advertisementIsTheOneOfTheFirmware() {
    #expect(
      Hexadecimal.string(DictofunAdvertisement.advertisingData)
        == "031900000201061107" + "7b8068af8fbd8287204822b8011045a0" + "050864696374")
    #expect(DictofunAdvertisement.advertisingData.count == 31)
    #expect(DictofunAdvertisement.scanResponseData == [0x03, 0x03, 0x05, 0x18])
    #expect(DictofunUUID.fileTransferService.description == "a0451001-b822-4820-8782-bd8faf68807b")
  }

  @Test(arguments: [
    (0, [8]), (1, [24]), (7, [120]), (8, [120, 16]), (15, [120, 128]), (20, [120, 128, 80]),
    (253, [120] + Array(repeating: 128, count: 30) + [96]),
  ])
  func listHasTheLayoutOfTheFirmware(count: Int, lengths: [Int]) throws {
    let wanted = identifiers(count)
    let parts = FilesList.parts(wanted)
    #expect(parts.map(\.count) == lengths)
    var assembler = FilesListAssembler()
    for part in parts.dropLast() { #expect(try assembler.append(part) == .incomplete) }
    #expect(try assembler.append(parts.last ?? []) == .complete(wanted))
    #expect(assembler.announcedCount == count)
  }

  @Test(arguments: [20, 128, 182])
  func listSurvivesBeingCutByASmallTransmissionUnit(longest: Int) throws {
    let wanted = identifiers(30)
    var assembler = FilesListAssembler()
    var progress = FilesListAssembler.Progress.incomplete
    for part in FilesList.parts(wanted) {
      for start in stride(from: 0, to: part.count, by: longest) {
        progress = try assembler.append(Array(part[start..<min(start + longest, part.count)]))
      }
    }
    #expect(progress == .complete(wanted))
  }

  @Test(arguments: [
    [[UInt8]](arrayLiteral: []),
    [[0, 0, 1, 0, 0, 0, 0, 0]],
    [[1, 0, 0, 0, 1, 0, 0, 0]],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [[1, 0, 0, 0, 0, 0, 0, 0], []],
  ])
  func listThatCannotBeIsRefused(parts: [[UInt8]]) {
    var assembler = FilesListAssembler()
    #expect(throws: DecodingFailure.self) { for part in parts { _ = try assembler.append(part) } }
  }

  @Test(arguments: [
    (0, 247, [0]), (64, 247, [64]), (200, 247, [200]), (256, 247, [200, 56]), (448, 247, [200, 56, 192]),
    (512, 247, [200, 56, 200, 56]), (8064, 247, Array(repeating: [200, 56], count: 31).flatMap { $0 } + [128]),
    (256, 185, [182, 74]), (256, 23, Array(repeating: 20, count: 12) + [16]), (300, 203, [200, 56, 44]),
  ])
  func fileIsCutAsTheFirmwareCutsIt(size: Int, unit: Int, lengths: [Int]) {
    #expect(FileDataLayout.packetLengths(fileSize: size, maximumTransmissionUnit: unit) == lengths)
  }

  @Test(arguments: [
    (FileInformation(size: 8064), "0a007b2273223a383036347d"), (FileInformation(size: 448), "09007b2273223a3434387d"),
    (FileInformation(size: 0), "07007b2273223a307d"),
    (
      FileInformation(size: 512, sampleRate: 16000, codec: 0),
      "19007b2273223a3531322c2266223a31363030302c2263223a307d"
    ),
  ])
  func fileInformationHasTheOctetsOfTheFirmware(value: FileInformation, hexadecimal: String) throws {
    #expect(Hexadecimal.string(value.encoded) == hexadecimal)
    #expect(try FileInformation(decoding: value.encoded) == value)
  }

  @Test(arguments: [
    #"{"s":1"#, #"{"s":4294967296}"#, #"{"s":-1}"#, #"{"f":1}"#, #"{"s":1,"s":2}"#, #"{"s":1}x"#, "", "[1]",
    #"{"s":"1"}"#,
    #"{"s\":1}"#, #"{"s":}"#, #"{"s":1,}"#,
  ])
  func fileInformationThatIsNotAnObjectOfNumbersIsRefused(text: String) {
    let octets = [UInt8(text.utf8.count), 0] + Array(text.utf8)
    #expect(throws: DecodingFailure.self) { try FileInformation(decoding: octets) }
  }

  @Test func fileInformationMayHaveBlanksAndUnknownKeys() throws {
    let text = #" { "x" : 7 , "size" : 9, "s" : 4294967295 } "#
    let octets = [UInt8(text.utf8.count), 0] + Array(text.utf8)
    #expect(try FileInformation(decoding: octets) == FileInformation(size: .max))
    #expect(throws: DecodingFailure.self) { try FileInformation(decoding: octets + [0]) }
  }

  @Test(arguments: [
    ([], "0e0000d0ff00002000000000 0000"), ([8064], "0e0080b0ff00803f000001000000"),
    ([448, 32], "0e0020ceff00e021000002000000"),
  ])
  func fileSystemStatusHasTheOctetsOfTheFirmware(sizes: [Int], hexadecimal: String) throws {
    let status = FileSystemStatus(fileSizes: sizes)
    #expect(Hexadecimal.string(status.encoded) == hexadecimal.filter { $0 != " " })
    #expect(try FileSystemStatus(decoding: status.encoded) == status)
    #expect(status.freeBytes + status.occupiedBytes == 16_773_120)
  }

  @Test(arguments: [
    ("01", ControlPointRequest.listFiles), ("04", .fileSystemStatus), ("06", .receiveComplete),
    ("02" + String(repeating: "39", count: 16), .fileInformation(RecordIdentifier(repeating: 0x39))),
    ("03" + String(repeating: "30", count: 16), .fileData(.fallback)),
    ("", .unaccepted([])), ("00", .unaccepted([0])), ("05", .unaccepted([5])), ("0100", .unaccepted([1, 0])),
    ("02", .unaccepted([2])), ("0400", .unaccepted([4, 0])), ("ff", .unaccepted([0xFF])),
  ])
  func requestIsAcceptedOnlyWithItsExactLength(hexadecimal: String, request: ControlPointRequest) {
    let octets = Hexadecimal.bytes(hexadecimal) ?? [0xEE]
    #expect(ControlPointRequest(decoding: octets) == request)
    #expect(request.encoded == octets)
    #expect(request.opcode == octets.first)
  }

  @Test(arguments: [
    (GeneralStatus.fileNotFound(RecordIdentifier(repeating: 0x39)), "02" + String(repeating: "39", count: 16)),
    (.fileSystemCorrupt, "03"), (.ok, "01"), (.aborted(reason: 7), "0407"), (.genericFailure, "05"),
  ])
  func generalStatusHasTheOctetsOfTheFirmware(status: GeneralStatus, hexadecimal: String) throws {
    #expect(Hexadecimal.string(status.encoded) == hexadecimal)
    #expect(try GeneralStatus(decoding: status.encoded) == status)
    #expect(throws: DecodingFailure.self) { try GeneralStatus(decoding: status.encoded + [0]) }
  }

  @Test func identifierNamesItsTrueDate() throws {
    let time = try #require(CivilTime("2024-12-31 23:59:58"))
    let identifier = RecordIdentifier(time)
    #expect(identifier.description == "0000241231235958")
    #expect(identifier.date == time)
    #expect(RecordIdentifier(identifier.octets) == identifier)
    #expect(identifier < RecordIdentifier(time.adding(seconds: 2)))
    // The published firmware's December 31st has month and day zero.
    #expect(RecordIdentifier("0000240000235958")?.isValid == false)
    #expect(RecordIdentifier("000024010112000x") == nil)
    #expect(RecordIdentifier("00002401011200001") == nil)
    #expect(RecordIdentifier(repeating: 1).description == "0x01010101010101010101010101010101")
    #expect(RecordIdentifier.fallback.isValid == false)
  }

  @Test func decodersAnswerAnyOctets() {
    var numbers = SeededNumbers(1)
    for _ in 0..<20_000 {
      let octets = numbers.octets(upTo: 40)
      #expect(ControlPointRequest(decoding: octets).encoded == octets)
      if let value = try? FileSystemStatus(decoding: octets) { #expect(value.encoded == octets) }
      if let value = try? GeneralStatus(decoding: octets) { #expect(value.encoded == octets) }
      if let value = try? CurrentTime(decoding: octets) { #expect(value.encoded == octets) }
      _ = try? FileInformation(decoding: octets)
      _ = try? FileInformation(decoding: [UInt8(octets.count), 0] + octets)
      _ = RecordIdentifier(octets)?.date
      var assembler = FilesListAssembler()
      while let progress = try? assembler.append(octets), progress == .incomplete {}
    }
  }
}
