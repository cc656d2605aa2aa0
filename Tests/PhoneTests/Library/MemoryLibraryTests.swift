import Testing

@testable import Phone

/// A library in memory begins as a copy of an empty one, and is what a new file would be.
struct MemoryLibraryTests {
  private static let questions = [
    "SELECT CAST(sql AS BLOB) FROM sqlite_master ORDER BY name", "PRAGMA user_version", "PRAGMA application_id",
    "PRAGMA secure_delete", "PRAGMA trusted_schema", "PRAGMA cell_size_check",
    "SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check",
  ]

  private func answers(_ library: PhoneLibrary) throws -> [[String]] {
    try Self.questions.map { question in
      try library.database.rows("examine the library", question) { row throws(LibraryFailure) in
        // Statements that SQLite makes by itself have no text.
        if row.isNull(0) { return "none" }
        do { return try String(row.integer(0)) } catch { return try row.text(0) }
      }
    }
  }

  @Test func itHasTheTablesAndSettingsOfAFile() throws {
    let folder = TemporaryFolder()
    let inMemory = try answers(PhoneLibrary())
    #expect(try inMemory == answers(PhoneLibrary(.file(folder.file("library")))))
    #expect(inMemory[1] == ["3"])
    #expect(inMemory[6] == ["ok"])
  }

  @Test func eachIsALibraryOfItsOwn() throws {
    let (one, other) = (try PhoneLibrary(), try PhoneLibrary())
    try one.pair(sampleBond(recorderA), at: second(1))
    #expect(try one.bonds() == [sampleBond(recorderA)])
    #expect(try other.bonds() == [])
    #expect(try PhoneLibrary().bonds() == [])
  }
}
