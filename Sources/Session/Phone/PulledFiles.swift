import DictofunProtocol
import Foundation
import World

/// The folder to which a pull writes records: each as it is, and as sound.
package struct PulledFiles: Sendable {
  private let folder: String

  package init(folder: String) { self.folder = folder }

  /// Writes the records that are not there yet. Each file gets its name only when it is complete. Returns the
  /// identifiers of the records written.
  ///
  /// - Throws: Foundation's error where a file or the folder cannot be written.
  package func write(_ records: [LibraryEntry]) throws -> [String] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var written: [String] = []
    for record in records {
      let base = "\(folder)/\(record.identifier)"
      if FileManager.default.fileExists(atPath: base + ".record") { continue }
      let samples = RecordAudio.samples(of: record.bytes)
      try Data(WaveFile(samples: samples).encoded).write(to: URL(filePath: base + ".wav"), options: .atomic)
      try Data(record.bytes).write(to: URL(filePath: base + ".record"), options: .atomic)
      written.append(record.identifier)
    }
    return written
  }
}
