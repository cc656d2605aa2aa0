import DictofunProtocol
import Phone
import Testing

/// How far the user has listened and what is said belong to a record, and survive the program.
struct ListeningTests {
  @Test func aPositionAndATranscriptSurviveReopening() throws {
    let folder = TemporaryFolder()
    let number: RecordNumber
    do {
      let library = try PhoneLibrary(.file(folder.file("library")))
      number = try LibraryRules.complete(library, "0000240101120000", size: 64)
      try LibraryRules.complete(library, "0000240101120001", size: 64)
      #expect(try library.newRecordCount() == 2)
      try library.keep(position: .milliseconds(1_234), in: number)
      try library.keep(transcript: "buy m\u{EF}lk", of: number)
    }
    let library = try PhoneLibrary(.file(folder.file("library")))
    let record = try library.record(number)
    #expect(record.position == .milliseconds(1_234))
    #expect(record.transcript == "buy m\u{EF}lk")
    #expect(record.isHeard)
    #expect(!record.isNew)
    #expect(try library.newRecordCount() == 1)
    #expect(try library.recordsWithoutTranscript().map(\.identifier) == [identifier("0000240101120001")])
  }

  @Test func aLongTranscriptIsCutAndANegativePositionIsTheBeginning() throws {
    let library = try PhoneLibrary()
    let number = try LibraryRules.complete(library, "0000240101120000", size: 64)
    try library.keep(transcript: String(repeating: "x", count: 100_000), of: number)
    try library.keep(position: .seconds(-1), in: number)
    #expect(try library.record(number).transcript?.count == 16_384)
    #expect(try library.record(number).position == .zero)
  }

  @Test func aRemovedRecordHasNeither() throws {
    let library = try PhoneLibrary()
    let number = try LibraryRules.complete(library, "0000240101120000", size: 64)
    try library.remove(number, at: second(2))
    #expect(throws: LibraryFailure.unknownRecord(number)) { try library.keep(transcript: "late", of: number) }
    #expect(throws: LibraryFailure.unknownRecord(number)) { try library.keep(position: .zero, in: number) }
  }

  /// A record whose content is missing is not new for its user yet.
  @Test func onlyWhatIsHereCounts() throws {
    let library = try PhoneLibrary()
    _ = try library.take(size: 10, of: identifier("0000240101120000"), from: recorderA)
    #expect(try library.newRecordCount() == 0)
    #expect(try library.recordsWithoutTranscript().isEmpty)
  }
}
