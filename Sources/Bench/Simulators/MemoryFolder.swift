import Bytes
import Recorder
import System
import Text
import Timeline

/// Why a folder with a recorder's memory cannot be used.
package struct MemoryTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for the person who named the folder.
  package let description: String
}

/// The operations on files through which all of a memory passes, so that a test can end the program at any of them.
package protocol MemoryFiles: AnyObject {
  /// Octets of a file; `nil` where there is none.
  func read(_ name: String) throws(SystemCallFailure) -> [UInt8]?
  /// Names of the files that are there.
  func names() throws(SystemCallFailure) -> [String]
  /// Makes a file that only its owner can read.
  func write(_ name: String, _ octets: [UInt8]) throws(SystemCallFailure)
  /// Gives a file another name, in place of one that has it.
  func rename(_ name: String, to other: String) throws(SystemCallFailure)
  /// Removes a file.
  func remove(_ name: String) throws(SystemCallFailure)
}

/// A folder that keeps what a simulated recorder keeps without power, as long as nobody else uses it.
///
/// A table in `recorder.memory`, and beside it a file for each content that the table names, by its SHA-256. Contents are
/// written first, then the table takes its name, then what it no longer names is removed: whoever ends the program at
/// whatever moment finds the memory from before the change or from after it. Nothing is written before the first change.
package final class MemoryFolder {
  /// Name of the table.
  package static let tableName = "recorder.memory"
  /// Name of a file that is there as long as the first table is not.
  private static let markerName = "recorder.new"
  private static let contentSuffix = ".content"
  private static let partialSuffix = ".partial"

  private let path: String
  private let files: any MemoryFiles
  private var encoder = MemoryEncoder()
  /// Names of the contents that are there.
  private var present: [String] = []
  /// What an ended program left behind.
  private var rubbish: [String] = []
  private var isNew = false

  /// Opens a folder, which is made where there is none.
  package convenience init(_ path: String) throws(MemoryTrouble) {
    let files: FolderFiles
    do { files = try FolderFiles(path) } catch {
      if error.code == .wouldBlock {
        throw MemoryTrouble(
          description: "\(PlainText.escaped(path)) is used by another simulation: give it its own folder")
      }
      throw MemoryTrouble(description: "\(PlainText.escaped(path)) cannot be used: \(error)")
    }
    self.init(path, files)
  }

  /// A folder whose files are reached in this way.
  package init(_ path: String, _ files: any MemoryFiles) {
    self.path = path
    self.files = files
  }

  /// What the recorder keeps; `nil` where it was never simulated. A clock that was left running has run on.
  ///
  /// - Throws: ``MemoryTrouble`` where the memory is damaged or newer than this program, which leaves it as it is.
  package func load(wall: Int64 = MachineClock.nanosecondsSince1970()) throws(MemoryTrouble) -> RecorderMemory? {
    let place = PlainText.escaped("\(path)/\(Self.tableName)")
    do {
      let names = try files.names()
      present = names.filter { $0.hasSuffix(Self.contentSuffix) }
      rubbish = names.filter { $0.hasSuffix(Self.partialSuffix) }
      guard let table = try files.read(Self.tableName) else {
        guard present.isEmpty || names.contains(Self.markerName) else {
          throw MemoryTrouble(
            description: "\(place) is missing beside what it names: restore it, or take an empty folder")
        }
        isNew = true
        return nil
      }
      if names.contains(Self.markerName) { rubbish.append(Self.markerName) }
      do throws(MemoryRefusal) {
        return try RecorderMemory(decoding: table, wall: wall) { [files] digest in try? files.read(Self.name(digest)) }
      } catch {
        switch error {
        case .damaged:
          throw MemoryTrouble(
            description: "\(place) is damaged and is left as it is: restore it, or take another folder")
        case .newer(let version):
          throw MemoryTrouble(
            description:
              "\(place) has version \(version), and this program knows \(EncodedMemory.version): use a newer one")
        }
      }
    } catch let trouble as MemoryTrouble {
      throw trouble
    } catch {
      throw MemoryTrouble(description: "\(place) cannot be read: \(error)")
    }
  }

  /// Keeps a memory in place of the last one.
  package func save(
    _ memory: RecorderMemory, at instant: Instant, wall: Int64 = MachineClock.nanosecondsSince1970()
  ) throws(MemoryTrouble) {
    let encoded = encoder.encode(memory, at: instant, wall: wall)
    let named = encoded.contents.map { Self.name($0.digest) }
    do {
      if isNew {
        try files.write(Self.markerName, [])
        rubbish.append(Self.markerName)
        isNew = false
      }
      for (name, content) in zip(named, encoded.contents) where !present.contains(name) {
        try put(name, content.octets)
        present.append(name)
      }
      try put(Self.tableName, encoded.table)
      for name in rubbish + present.filter({ !named.contains($0) }) { try files.remove(name) }
      rubbish = []
      present = named
    } catch {
      throw MemoryTrouble(description: "\(PlainText.escaped(path)) cannot be written: \(error)")
    }
  }

  private func put(_ name: String, _ octets: [UInt8]) throws(SystemCallFailure) {
    try files.write(name + Self.partialSuffix, octets)
    try files.rename(name + Self.partialSuffix, to: name)
  }

  private static func name(_ digest: [UInt8]) -> String { Hexadecimal.string(digest) + contentSuffix }
}

/// Files of a folder with mode 0700, which is locked as long as they are used.
final class FolderFiles: MemoryFiles {
  private let folder: LockedFolder

  init(_ path: String) throws(SystemCallFailure) {
    try FileSystem.makeFolder(path, mode: 0o700)
    folder = try LockedFolder(path)
  }

  func read(_ name: String) throws(SystemCallFailure) -> [UInt8]? { try folder.read(name) }
  func names() throws(SystemCallFailure) -> [String] { try folder.names() }
  func write(_ name: String, _ octets: [UInt8]) throws(SystemCallFailure) { try folder.write(name, octets) }
  func rename(_ name: String, to other: String) throws(SystemCallFailure) { try folder.rename(name, to: other) }
  func remove(_ name: String) throws(SystemCallFailure) { try folder.remove(name) }
}
