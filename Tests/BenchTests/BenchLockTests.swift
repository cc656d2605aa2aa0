import Foundation
import System
import Testing
import YAML

@testable import Bench

@Suite struct BenchLocks {
  private static func owner(_ user: String, on host: String = "lab1") -> BenchLock.Owner {
    BenchLock.Owner(user: user, process: 17, host: host, since: 1_700_000_000)
  }

  /// A place for a lock; the folder is removed after the test.
  private static func withPlace(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-lock-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "bench.lock").path)
  }

  @Test func theSecondRunLearnsWhoHasTheBench() throws {
    try Self.withPlace { path in
      let first = try BenchLock(path, for: Self.owner("anna"))
      let failure = #expect(throws: BenchLock.Failure.self) { _ = try BenchLock(path, for: Self.owner("ben")) }
      #expect(failure == .taken(path: path, by: Self.owner("anna")))
      #expect(
        failure?.sentence(at: 1_700_000_185)
          == "the bench is in use by anna (process 17 on lab1), for 3 min 05 s; wait for the end of that run, or remove "
          + "\(path) if that machine is gone")
      first.release()
    }
  }

  @Test func aBenchThatWasGivenBackIsFree() throws {
    try Self.withPlace { path in
      try BenchLock(path, for: Self.owner("anna")).release()
      #expect(!FileSystem.may([], path))
      #expect(try BenchLock(path, for: Self.owner("ben")).predecessor == nil)
    }
  }

  @Test func whatAKilledRunLeftIsTakenOver() throws {
    try Self.withPlace { path in
      let lock = try BenchLock(path, for: Self.owner("anna"))
      let left = try #require(FileManager.default.contents(atPath: path))
      lock.release()
      try left.write(to: URL(filePath: path))
      #expect(try BenchLock(path, for: Self.owner("ben")).predecessor == Self.owner("anna"))
    }
  }

  @Test func anotherMachinesLockIsNotTakenOver() throws {
    try Self.withPlace { path in
      let lock = try BenchLock(path, for: Self.owner("anna", on: "lab2"))
      let left = try #require(FileManager.default.contents(atPath: path))
      lock.release()
      try left.write(to: URL(filePath: path))
      #expect(throws: BenchLock.Failure.taken(path: path, by: Self.owner("anna", on: "lab2"))) {
        _ = try BenchLock(path, for: Self.owner("ben"))
      }
      #expect(FileManager.default.contents(atPath: path) == left)
    }
  }

  /// The holder removes the file while somebody waits for the lock of the old one.
  @Test func aRemovedFileIsNotHeld() throws {
    try Self.withPlace { path in
      let lock = try BenchLock(path, for: Self.owner("anna"))
      let old = try FileDescriptor.open(path, .reading)
      lock.release()
      #expect(try !old.isFile(at: path))
      let other = try BenchLock(path, for: Self.owner("ben"))
      #expect(try !old.isFile(at: path))
      other.release()
    }
  }

  @Test func anEmptyFileIsTakenOver() throws {
    try Self.withPlace { path in
      try Data().write(to: URL(filePath: path))
      #expect(try BenchLock(path, for: Self.owner("ben")).predecessor == nil)
    }
  }

  @Test(arguments: ["\u{0}\u{FF}", "user: x", "user: x\nhost: y\nprocess: 99999999999\nsince: 1\n"])
  func aFileThatNoRunWroteIsRefusedAndLeftAsItIs(text: String) throws {
    try Self.withPlace { path in
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: BenchLock.Failure.foreign(path: path)) { _ = try BenchLock(path, for: Self.owner("ben")) }
      #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    }
  }

  @Test func aFolderThatDoesNotExistIsSaid() throws {
    let failure = #expect(throws: BenchLock.Failure.self) {
      _ = try BenchLock("/nonexistent/bench.lock", for: Self.owner("anna"))
    }
    #expect(failure?.sentence(at: 0) == "cannot lock the bench at /nonexistent/bench.lock: No such file or directory")
  }

  @Test(arguments: [
    ("a.lock", "benches/a.lock"), ("/run/a.lock", "/run/a.lock"), ("../a.lock", "benches/../a.lock"),
  ])
  func aLockIsSeenFromTheBenchFile(text: String, path: String) {
    let file = SourceFile(
      path: "benches/bench.yaml",
      text: "place: x\nadapters: [\"usb:0\"]\nrecorders: [{address: \"C0:01:02:03:04:05\"}]\nlock: \(text)\n")
    #expect(BenchFile.read(file).bench?.lock == path)
  }
}
