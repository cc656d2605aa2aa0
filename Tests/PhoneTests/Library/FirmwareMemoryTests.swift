import Foundation
import Phone
import Testing

/// What the phone remembers of firmware: refusals, updates under way, what it installed.
struct FirmwareMemoryTests {
  @Test func aRefusalIsForOneVersionOnOneRecorder() throws {
    let library = try PhoneLibrary()
    try library.refuse(2, on: recorderA, at: second(1))
    try library.refuse(2, on: recorderA, at: second(2))
    try library.refuse(.max, on: recorderB, at: second(3))
    #expect(try library.isRefused(2, on: recorderA))
    #expect(try !library.isRefused(3, on: recorderA))
    #expect(try !library.isRefused(2, on: recorderB))
    #expect(try library.isRefused(.max, on: recorderB))
    #expect(try library.refusedFirmware().map(\.refusedAt) == [second(2), second(3)])
  }

  @Test func whoBeginsAnUpdateNoLongerRefusesIt() throws {
    let library = try PhoneLibrary()
    for version in [2, 3] as [UInt32] { try library.refuse(version, on: recorderA, at: second(1)) }
    try library.refuse(3, on: recorderB, at: second(1))
    try library.begin(sampleUpdate(recorderA, version: 3))
    #expect(try library.isRefused(2, on: recorderA))
    #expect(try !library.isRefused(3, on: recorderA))
    #expect(try library.isRefused(3, on: recorderB))
  }

  @Test func anUpdateEndsByBeingCompletedOrAbandoned() throws {
    let library = try PhoneLibrary()
    try library.completeUpdate(of: recorderA, at: second(1))
    try library.abandonUpdate(of: recorderA)
    #expect(try library.installedRelease(on: recorderA) == nil)
    try library.begin(sampleUpdate(recorderA, version: 1))
    try library.begin(sampleUpdate(recorderA, version: 2))
    try library.begin(sampleUpdate(recorderB, version: 9))
    #expect(try library.pendingUpdate(of: recorderA) == sampleUpdate(recorderA, version: 2))
    try library.completeUpdate(of: recorderA, at: second(8))
    #expect(try library.pendingUpdates() == [sampleUpdate(recorderB, version: 9)])
    let installed = try #require(try library.installedRelease(on: recorderA))
    #expect(installed.version == 2)
    #expect(installed.name == "1.2.0")
    #expect(installed.installedAt == second(8))
    try library.abandonUpdate(of: recorderB)
    #expect(try library.pendingUpdates().isEmpty)
    #expect(try library.installedReleases() == [installed])
    try library.begin(sampleUpdate(recorderA, version: 3))
    try library.completeUpdate(of: recorderA, at: second(9))
    #expect(try library.installedReleases().map(\.version) == [3])
  }

  @Test func allOfItSurvivesReopeningAndUnpairing() throws {
    let folder = TemporaryFolder()
    var library = try PhoneLibrary(.file(folder.file("library")))
    try library.pair(sampleBond(recorderA), at: second(1))
    try library.refuse(5, on: recorderA, at: second(2))
    try library.begin(sampleUpdate(recorderA, version: 2))
    try library.completeUpdate(of: recorderA, at: second(3))
    try library.begin(sampleUpdate(recorderA, version: 3))
    try library.unpair(at: second(4))
    let before = try LibraryContent(library)
    // The old connection must be gone before the file is opened again.
    library = try PhoneLibrary()
    library = try PhoneLibrary(.file(folder.file("library")))
    #expect(try LibraryContent(library) == before)
    #expect(before.refusedFirmware.count == 1)
    #expect(before.installedReleases.count == 1)
    #expect(before.pendingUpdates == [sampleUpdate(recorderA, version: 3)])
  }

  /// `Vectors/version-1.library` was written by the program before it knew of firmware.
  @Test func aLibraryOfTheFirstVersionIsMigratedAndKeepsWhatItHeld() throws {
    let vector = try #require(Bundle.module.resourceURL?.appending(path: "Vectors/version-1.library"))
    let folder = TemporaryFolder()
    let path = folder.file("library")
    try Data(contentsOf: vector).write(to: URL(filePath: path))
    do {
      let library = try PhoneLibrary(.file(path))
      let content = try LibraryContent(library)
      #expect(content.records.count == 1)
      #expect(content.contents.first??.count == 100)
      #expect(content.records.first?.position == .zero)
      #expect(content.records.first?.transcript == nil)
      #expect(try library.newRecordCount() == 1)
      #expect(content.tombstones.count == 1)
      #expect(content.bonds == [sampleBond(recorderA)])
      #expect(content.paired?.identity == recorderA)
      #expect(content.ownAddress != nil)
      #expect(content.refusedFirmware.isEmpty)
      #expect(content.installedReleases.isEmpty)
      #expect(content.pendingUpdates.isEmpty)
      try library.refuse(2, on: recorderA, at: second(9))
    }
    #expect(try PhoneLibrary(.file(path)).isRefused(2, on: recorderA))
  }
}
