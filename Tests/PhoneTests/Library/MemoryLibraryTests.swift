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

  /// Fills every table, and tells what the library then holds.
  private func fill(_ library: PhoneLibrary, octets: Int = 64) throws -> LibraryContent {
    let name = identifier("2611231200000001")
    let content = [UInt8](repeating: 1, count: octets)
    for removes in [true, false] {
      _ = try library.take(size: UInt32(octets), of: name, from: removes ? recorderA : recorderB)
      let record = try #require(try library.records().last { $0.size == UInt32(octets) })
      try library.store(content, in: record.number, at: second(1))
      if removes { try library.remove(record.number, at: second(2)) }
    }
    try library.pair(sampleBond(recorderA), at: second(1))
    try library.keep(ownAddress: recorderB)
    try library.refuse(4, on: recorderB, at: second(3))
    try library.begin(sampleUpdate(recorderA, version: 3))
    try library.completeUpdate(of: recorderA, at: second(4))
    try library.begin(sampleUpdate(recorderB, version: 5))
    return try LibraryContent(library)
  }

  /// Whoever had its database before.
  @Test func aLibraryFromAStockIsAsANewOne() throws {
    let stock = LibraryStock()
    let fresh = try LibraryContent(PhoneLibrary())
    let filled = try fill(PhoneLibrary())
    weak var database: Database?
    for _ in 0..<3 {
      let library = try PhoneLibrary(from: stock)
      #expect(database == nil || database === library.database)
      database = library.database
      #expect(try LibraryContent(library) == fresh)
      #expect(try answers(library) == answers(PhoneLibrary()))
      #expect(try fill(library) == filled)
      // As if the program had been ended in the middle.
      try library.database.run("be killed", "BEGIN IMMEDIATE")
      try library.database.run("be killed", "DELETE FROM records")
    }
    #expect(database != nil)
  }

  @Test func aStockKeepsNoLargeDatabase() throws {
    let stock = LibraryStock()
    weak var database: Database?
    do {
      let library = try PhoneLibrary(from: stock)
      _ = try fill(library, octets: 1 << 20)
      database = library.database
    }
    #expect(database == nil)
  }
}
