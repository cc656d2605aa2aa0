import Bytes
import Crypto
import DictofunProtocol
import Foundation
import System
import World

/// The folder to which a pull writes records: each as it is, and as sound. Only their owner can read them.
package struct PulledFiles: Sendable {
  private let folder: String

  package init(folder: String) { self.folder = folder }

  /// Writes the records that are not there yet. A record whose name is taken by another one, of another recorder or
  /// another time, gets a name with a part of its digest. Each file gets its name only when it is complete. Returns the
  /// names of the records written.
  ///
  /// Throws the system's error where a file or the folder cannot be written.
  package func write(_ records: [LibraryEntry]) throws -> [String] {
    try FileSystem.makeFolder(folder, mode: 0o755)
    var written: [String] = []
    for record in records {
      guard let name = freeName(of: record) else { continue }
      let samples = RecordAudio.samples(of: record.bytes)
      try write(WaveFile(samples: samples).encoded, to: name + ".wav")
      try write(record.bytes, to: name + ".record")
      written.append(name)
    }
    return written
  }

  /// The path of the sound of a record that was written.
  func soundPath(of record: LibraryEntry) -> String { "\(folder)/\(name(of: record).name).wav" }

  /// Writes what is said in a record beside its sound.
  func write(transcript: String, of record: LibraryEntry) throws {
    try write(Array((transcript + "\n").utf8), to: name(of: record).name + ".txt")
  }

  /// The name under which a record is to be written; `nil` where it is there already.
  private func freeName(of record: LibraryEntry) -> String? {
    let (name, isWritten) = name(of: record)
    return isWritten && FileManager.default.fileExists(atPath: "\(folder)/\(name).wav") ? nil : name
  }

  /// The name of a record's files, and whether they hold it already.
  private func name(of record: LibraryEntry) -> (name: String, isWritten: Bool) {
    if let found = FileManager.default.contents(atPath: "\(folder)/\(record.identifier).record"),
      Array(found) != record.bytes
    {
      let name = "\(record.identifier)-\(Hexadecimal.string(Array(SHA256.digest(record.bytes).prefix(4))))"
      return (name, FileManager.default.contents(atPath: "\(folder)/\(name).record").map(Array.init) == record.bytes)
    }
    return (record.identifier, FileManager.default.fileExists(atPath: "\(folder)/\(record.identifier).record"))
  }

  private func write(_ octets: [UInt8], to name: String) throws {
    let (partial, path) = ("\(folder)/.\(name).partial", "\(folder)/\(name)")
    // What an interrupted pull left has nobody who writes it.
    try FileSystem.remove(partial)
    let file = try FileDescriptor.open(partial, .writing, [.create, .exclusive, .noFollow], mode: 0o600)
    do {
      try file.writeAll(octets)
      try file.finish()
      try FileSystem.rename(partial, to: path)
    } catch {
      try? FileSystem.remove(partial)
      throw error
    }
  }
}
