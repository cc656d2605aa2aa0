import Foundation
import Testing

@testable import System

@Suite struct Descriptors {
  @Test func closeWithTheirOwnerAndOnlyOnce() throws {
    var number: Int32 = -1
    do {
      let file = try FileDescriptor.open("/dev/null", .reading)
      number = file.number
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(fcntl(number, F_GETFD) == -1)
    let closed = try FileDescriptor.open("/dev/null", .reading)
    closed.close()
    #expect(!closed.isOpen)
    let next = try FileDescriptor.open("/dev/null", .reading)
    // The number is another one's now, which a second close must not touch.
    closed.close()
    #expect(fcntl(next.number, F_GETFD) >= 0)
  }

  @Test func thatAreBorrowedStayOpen() throws {
    let owner = try FileDescriptor.open("/dev/null", .reading)
    FileDescriptor(borrowing: owner.number).close()
    #expect(fcntl(owner.number, F_GETFD) >= 0)
  }

  @Test func ofOnePlaceHaveOneCanonicalPath() throws {
    let folder = try Folder()
    try FileSystem.makeFolder(folder.path + "/inner", mode: 0o700)
    try FileSystem.makeLink(folder.path + "/link", to: folder.path + "/inner")
    // What does not exist yet has the path that it would have.
    #expect(FileSystem.canonical(folder.path + "/link/../inner/./x") == FileSystem.canonical(folder.path) + "/inner/x")
    #expect(FileSystem.canonical("x-that-is-not-there") == FileSystem.canonical(".") + "/x-that-is-not-there")
    #expect(FileSystem.canonical("/nowhere/at-all/x") == "/nowhere/at-all/x")
  }

  @Test func failWithTheCallAndItsNumber() {
    #expect(throws: SystemCallFailure("open", .noSuchFile)) { try FileDescriptor.open("/nowhere/at-all", .reading) }
    #expect(SystemCallFailure("open", .noSuchFile).description == "open: No such file or directory")
    #expect(Errno(rawValue: 99_999).description == "error 99999")
  }

  @Test func readWhatIsThereAndTheEnd() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    try reading.setNonBlocking()
    #expect(try reading.read(upTo: 10) == nil)
    #expect(!reading.isReady(for: .readable, within: 0))
    #expect(try writing.write([1, 2, 3]) == 3)
    #expect(reading.isReady(for: .readable, within: 0))
    #expect(try reading.read(upTo: 2) == [1, 2])
    #expect(try reading.readAll() == [3])
    writing.close()
    #expect(try reading.read(upTo: 10) == [])
  }

  @Test func writeAsMuchAsFits() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.setNonBlocking()
    var written = 0
    while case let count = try writing.write([UInt8](repeating: 7, count: 4_096)[...]), count > 0 { written += count }
    #expect(written >= 4_096)
    #expect(!writing.isReady(for: .writable, within: 0))
    _ = try reading.read(upTo: written)
    #expect(writing.isReady(for: .writable, within: 0))
  }

  @Test func areLockedByOneAtATime() throws {
    let folder = try Folder()
    let first = try FileDescriptor.open(folder.path, .reading, .directory)
    let second = try FileDescriptor.open(folder.path, .reading, .directory)
    try first.lock()
    #expect(throws: SystemCallFailure("flock", .wouldBlock)) { try second.lock() }
    first.close()
    try second.lock()
  }

  /// A process that is just being started has such a copy until its own program begins.
  @Test func areGivenBackThoughThereIsACopy() throws {
    let folder = try Folder()
    let first = try FileDescriptor.open(folder.path, .reading, .directory)
    let copy = FileDescriptor(adopting: dup(first.number))
    defer { copy.close() }
    try first.lock()
    first.close()
    try FileDescriptor.open(folder.path, .reading, .directory).lock()
  }
}

@Suite struct Files {
  @Test func foldersAreMadeWithThoseAboveThem() throws {
    let folder = try Folder()
    let path = folder.path + "/a/b/c"
    try FileSystem.makeFolder(path, mode: 0o700)
    try FileSystem.makeFolder(path, mode: 0o700)
    #expect(try FileSystem.kind(of: path) == .folder)
    #expect(try FileSystem.kind(of: path + "/nothing") == nil)
    #expect(throws: SystemCallFailure("mkdir", Errno(rawValue: ENOTDIR))) {
      try FileSystem.makeFolder("/dev/null/a", mode: 0o700)
    }
  }

  @Test func namesComeInOrder() throws {
    let folder = try Folder()
    for name in ["b", "a", "ü"] { try FileSystem.makeFolder("\(folder.path)/\(name)", mode: 0o700) }
    #expect(try FileSystem.names(in: folder.path) == [".", "..", "a", "b", "ü"])
    #expect(throws: SystemCallFailure("opendir", .noSuchFile)) { try FileSystem.names(in: folder.path + "/x") }
  }

  @Test func aLockedFolderKeepsFilesForItsOwnerOnly() throws {
    let place = try Folder()
    let folder = try LockedFolder(place.path)
    #expect(throws: SystemCallFailure("flock", .wouldBlock)) { try LockedFolder(place.path) }
    #expect(try folder.read("a") == nil)
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try folder.write("a", content)
    try folder.write("b", [1])
    let mode = try FileManager.default.attributesOfItem(atPath: place.path + "/a")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try folder.rename("a", to: "b")
    #expect(try folder.read("b") == content)
    try folder.remove("b")
    try folder.remove("b")
    #expect(try folder.names() == [".", ".."])
  }

  @Test func linksAreReadAndNotFollowed() throws {
    let folder = try Folder()
    try FileSystem.makeLink(folder.path + "/link", to: "/dev/null")
    #expect(FileSystem.target(ofLink: folder.path + "/link") == "/dev/null")
    #expect(FileSystem.target(ofLink: folder.path) == nil)
    #expect(throws: SystemCallFailure.self) { try FileDescriptor.open(folder.path + "/link", .reading, .noFollow) }
  }

  @Test func freeSpaceIsToldForAFolderThatExists() throws {
    #expect(try FileSystem.freeOctets(at: "/") > 0)
    #expect(throws: SystemCallFailure("statvfs", .noSuchFile)) { try FileSystem.freeOctets(at: "/nowhere") }
  }
}

/// A folder that goes with its owner.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "dictobench-system-\(ProcessInfo.processInfo.globallyUniqueString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
