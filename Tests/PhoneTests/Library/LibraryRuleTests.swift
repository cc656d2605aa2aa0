import Bytes
import DictofunProtocol
import Phone
import Testing

/// Helpers for tests that need records in a library.
enum LibraryRules {
  /// Lets a record of `recorderA` arrive.
  @discardableResult
  static func complete(_ library: PhoneLibrary, _ digits: String, size: UInt32) throws -> RecordNumber {
    let decision = try library.take(size: size, of: identifier(digits), from: recorderA)
    guard case .download(let number) = decision else {
      Issue.record("expected a download, got \(decision)")
      return RecordNumber(rawValue: 0)
    }
    try library.store([UInt8](repeating: 1, count: Int(size)), in: number, at: second(1))
    return number
  }
}

/// Which records are downloaded, in which order they are shown, and what is remembered of a recorder.
struct LibraryRuleTests {
  /// What happened to the record of 100 octets before the identifier is met again.
  enum Past: CaseIterable, Sendable { case never, announced, downloaded, removed }
  /// What the recorder's lists said in between.
  enum Between: CaseIterable, Sendable { case nothing, present, absent, unpaired, otherRecorder }
  enum Expected: Sendable { case download, present, removed }

  private static let table: [(Past, Between, UInt32, Expected)] = Past.allCases.flatMap { past in
    Between.allCases.flatMap { between in
      [100, 101].map { size in
        let isSame = size == 100 && between != .absent
        let expected: Expected =
          switch past {
          case .downloaded where isSame: .present
          case .removed where isSame: .removed
          default: .download
          }
        return (past, between, UInt32(size), expected)
      }
    }
  }

  @Test(arguments: table)
  func aRecordIsKnownBySizeAndByNeverHavingBeenAbsent(
    _ past: Past, _ between: Between, _ size: UInt32, _ expected: Expected
  ) throws {
    let name = identifier("0000240101120000")
    let folder = TemporaryFolder()
    do {
      let library = try PhoneLibrary(.file(folder.file("library")))
      try library.pair(sampleBond(recorderA), at: second(0))
      _ = try library.take(completeList: [name], from: recorderA)
      if past == .announced { _ = try library.take(size: 100, of: name, from: recorderA) }
      if past == .downloaded || past == .removed {
        let number = try LibraryRules.complete(library, "0000240101120000", size: 100)
        if past == .removed { try library.remove(number, at: second(2)) }
      }
    }
    let library = try PhoneLibrary(.file(folder.file("library")))
    switch between {
    case .nothing: break
    case .present: _ = try library.take(completeList: [identifier("0000240101120001"), name], from: recorderA)
    case .absent: _ = try library.take(completeList: [identifier("0000240101120001")], from: recorderA)
    case .unpaired: try library.unpair(at: second(3))
    case .otherRecorder: _ = try library.take(completeList: [], from: recorderB)
    }
    let plan = try library.take(completeList: [name], from: recorderA)
    let isSettled = (past == .downloaded || past == .removed) && between != .absent
    #expect(plan.unfinished == (isSettled ? [] : [name]))
    #expect(plan.settled.map(\.size) == (isSettled ? [100] : []))
    #expect(plan.settled.allSatisfy { $0.identifier == name && $0.isRemoved == (past == .removed) })
    switch (try library.take(size: size, of: name, from: recorderA), expected) {
    case (.download(let number), .download):
      // An earlier record of the same identifier is left as it was.
      #expect(try !library.record(number).isComplete)
      try library.store([UInt8](repeating: 2, count: Int(size)), in: number, at: second(4))
      #expect(try library.take(size: size, of: name, from: recorderA) == .present(number))
      #expect(
        try library.records().count == (past == .downloaded ? 2 : 1)
          + (past == .announced && between == .absent ? 1 : 0))
    case (.present, .present), (.removed, .removed): break
    case (let decision, _): Issue.record("expected \(expected), got \(decision)")
    }
  }

  @Test func recordsOfTwoRecordersAreNotMistaken() throws {
    let library = try PhoneLibrary()
    try LibraryRules.complete(library, "0000240101120000", size: 10)
    let plan = try library.take(completeList: [identifier("0000240101120000")], from: recorderB)
    #expect(plan.unfinished == [identifier("0000240101120000")])
  }

  @Test func repeatedIdentifiersAreAskedForOnce() throws {
    let zeros = RecordIdentifier.fallback
    let library = try PhoneLibrary()
    let plan = try library.take(completeList: [zeros, identifier("0000240101120000"), zeros, zeros], from: recorderA)
    #expect(plan.unfinished == [zeros, identifier("0000240101120000")])
    #expect(plan.duplicateCount == 2)
  }

  @Test func contentOfAnotherSizeIsNotStored() throws {
    let library = try PhoneLibrary()
    guard case .download(let number) = try library.take(size: 10, of: .fallback, from: recorderA) else { return }
    #expect(throws: LibraryFailure.wrongSize(announced: 10, arrived: 9)) {
      try library.store([UInt8](repeating: 0, count: 9), in: number, at: second(1))
    }
    #expect(try library.content(of: number) == nil)
    // The next list finds it shorter; a download begins again.
    #expect(try library.take(size: 0, of: .fallback, from: recorderA) == .download(number))
    try library.store([], in: number, at: second(1))
    #expect(try library.content(of: number) == [])
    #expect(try library.record(number).isComplete)
  }

  @Test func aRemovedRecordIsGoneAndCannotBeStoredAgain() throws {
    let library = try PhoneLibrary()
    let number = try LibraryRules.complete(library, "0000240101120000", size: 10)
    try library.remove(number, at: second(2))
    #expect(throws: LibraryFailure.unknownRecord(number)) { try library.remove(number, at: second(2)) }
    #expect(throws: LibraryFailure.unknownRecord(number)) { try library.store([], in: number, at: second(3)) }
    #expect(throws: LibraryFailure.unknownRecord(number)) { try library.content(of: number) }
    #expect(try library.tombstones().map(\.size) == [10])
  }

  @Test func newestComesFirstWhateverTheClockDid() throws {
    let library = try PhoneLibrary()
    // December is month 00 and the 31st day 00 in the published firmware; a dead clock gives zeros.
    let newestFirst = [
      "0000250101000000", "0000240000235959", "0000240030120000", "0000241000120000", "0000241030235959",
      "0000240101120000", "0000000000000000",
    ]
    for position in [5, 6, 4, 1, 0, 2, 3] {
      try LibraryRules.complete(library, newestFirst[position], size: UInt32(position))
    }
    #expect(try library.records().map(\.identifier.description) == newestFirst)
  }

  @Test func tiesStandByArrivalTheLatestFirst() throws {
    let library = try PhoneLibrary()
    let first = try LibraryRules.complete(library, "0000000000000000", size: 1)
    let second = try LibraryRules.complete(library, "0000000000000000", size: 2)
    #expect(try library.records().map(\.number) == [second, first])
  }

  @Test func oneRecorderIsPairedAtATime() throws {
    let library = try PhoneLibrary()
    try library.pair(sampleBond(recorderA), at: second(1))
    #expect(throws: LibraryFailure.alreadyPaired(with: recorderA)) {
      try library.pair(sampleBond(recorderB), at: second(2))
    }
    #expect(try library.bonds() == [sampleBond(recorderA)])
    try library.pair(sampleBond(recorderA, key: 7), at: second(3))
    #expect(try library.bonds() == [sampleBond(recorderA, key: 7)])
    #expect(try library.pairedRecorder()?.pairedAt == second(1))
    try library.unpair(at: second(4))
    #expect(try library.bonds().isEmpty)
    #expect(try library.pairedRecorder() == nil)
    try library.update(sampleBond(recorderA))
    #expect(try library.bonds().isEmpty)
    try library.pair(sampleBond(recorderB), at: second(5))
    #expect(try library.connectionHistory().map(\.status) == [.paired, .unpaired, .paired])
  }

  @Test func theHistoryKeepsItsLatestThousand() throws {
    let library = try PhoneLibrary()
    for index in 0..<1010 {
      let reason = UInt8(truncatingIfNeeded: index)
      try library.note(
        ConnectionStatusEntry(recorder: recorderA, status: .disconnected(reason: reason), at: second(Int64(index))))
    }
    let history = try library.connectionHistory()
    #expect(history.count == 1000)
    #expect(history.first?.at == second(10))
    #expect(history.last?.status == .disconnected(reason: 0xF1))
  }
}
