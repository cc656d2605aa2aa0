import Foundation
import Phone
import Testing

/// The file of a library: private, ours, and hostile until shown otherwise.
struct LibraryFileTests {
  @Test func onlyItsOwnerMayReadIt() throws {
    let folder = TemporaryFolder()
    let previous = umask(0)
    defer { umask(previous) }
    var journalModes: Set<Int?> = []
    let library = try PhoneLibrary(.file(folder.file("library"))) { (_: String) throws(LibraryFailure) in
      if let mode = try? folder.mode("library-journal") { journalModes.insert(mode) }
    }
    try library.pair(sampleBond(recorderA), at: second(1))
    try library.unpair(at: second(2))
    #expect(try folder.mode("library") == 0o600)
    #expect(journalModes == [0o600])
  }

  @Test func anOpenFileIsMadePrivateAndALinkRefused() throws {
    let folder = TemporaryFolder()
    let path = folder.file("library")
    _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
    _ = try PhoneLibrary(.file(path))
    #expect(try folder.mode("library") == 0o600)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
    #expect(throws: LibraryFailure.self) { try PhoneLibrary(.file(folder.file("link"))) }
    #expect(throws: LibraryFailure.file(path: folder.file("no/library"), errorNumber: ENOENT)) {
      try PhoneLibrary(.file(folder.file("no/library")))
    }
  }

  @Test func aSecondProgramIsRefusedWhileTheFirstHasIt() throws {
    let folder = TemporaryFolder()
    let first = try PhoneLibrary(.file(folder.file("library")))
    #expect(throws: LibraryFailure.self) { try PhoneLibrary(.file(folder.file("library"))) }
    try first.pair(sampleBond(recorderA), at: second(1))
    #expect(try first.bonds() == [sampleBond(recorderA)])
  }

  /// Places in the header of an SQLite file (Database File Format, 1.3): user version and application identifier.
  @Test(
    arguments: [
      (60, [0, 0, 0, 99], LibraryFailure.newerSchema(found: 99, known: 3)), (68, [1, 2, 3, 4], .notALibrary),
      (60, [0, 0, 0, 0], .notALibrary),
    ] as [(Int, [UInt8], LibraryFailure)])
  func filesOfOthersAreLeftAlone(_ offset: Int, _ octets: [UInt8], _ expected: LibraryFailure) throws {
    let folder = TemporaryFolder()
    let path = folder.file("library")
    _ = try PhoneLibrary(.file(path))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(offset..<(offset + 4), with: octets)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: expected) { try PhoneLibrary(.file(path)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func damageIsATypedFailureAndNeverATrap() throws {
    let folder = TemporaryFolder()
    let path = folder.file("library")
    do {
      let library = try PhoneLibrary(.file(path))
      try library.pair(sampleBond(recorderA), at: second(1))
      let number = try LibraryRules.complete(library, "0000240101120000", size: 5000)
      try library.remove(number, at: second(2))
      _ = try LibraryRules.complete(library, "0000240101120001", size: 5000)
      try library.refuse(2, on: recorderA, at: second(3))
      try library.begin(sampleUpdate(recorderA, version: 3))
    }
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      var damaged = sound
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        damaged = damaged.prefix(Int.random(in: 0..<damaged.count, using: &generator))
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      do {
        let library = try PhoneLibrary(.file(path))
        _ = try LibraryContent(library)
        _ = try library.take(completeList: [], from: recorderA)
      } catch is LibraryFailure {
        continue
      }
    }
  }

  @Test func removedContentIsNowhereInTheFile() throws {
    let folder = TemporaryFolder()
    let content = Array("a secret that somebody dictated ".utf8) + [UInt8](repeating: 7, count: 20_000)
    func holdsContent() throws -> Bool {
      try folder.names.contains { name in
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        return bytes.range(of: Data(content.prefix(16))) != nil
      }
    }
    let library = try PhoneLibrary(.file(folder.file("library")))
    guard
      case .download(let number) = try library.take(size: 20_032, of: identifier("0000240101120000"), from: recorderA)
    else { return }
    try library.store(content, in: number, at: second(1))
    #expect(try holdsContent())
    try library.remove(number, at: second(2))
    #expect(try !holdsContent())
  }
}
