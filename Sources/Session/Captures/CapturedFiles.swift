import DictofunProtocol
import Requirements
import System

/// The folder to which a check writes the records that a capture holds, each as it is and as sound.
package struct CapturedFiles {
  private let folder: String
  /// The records that were written, by name.
  package private(set) var written: [String] = []
  /// How many records were not written because the capture covers recordings.
  package private(set) var covered = 0

  /// Names the folder, which is made when there is something to write.
  package init(folder: String) { self.folder = folder }

  /// Writes a record. One that the phone fetched again has a number behind its name.
  ///
  /// Throws the system's error where a file or the folder cannot be written.
  package mutating func write(_ record: CapturedRecord) throws {
    if record.isCovered {
      covered += 1
      return
    }
    try FileSystem.makeFolder(folder, mode: 0o755)
    let identifier = record.identifier?.description ?? "unknown"
    var name = identifier
    var number = 1
    while written.contains(name) {
      number += 1
      name = "\(identifier)-\(number)"
    }
    for (suffix, octets) in [
      ("record", record.octets), ("wav", WaveFile(samples: RecordAudio.samples(of: record.octets)).encoded),
    ] {
      let path = "\(folder)/\(name).\(suffix)"
      // What somebody said is nobody else's business.
      let file = try FileDescriptor.open(path, .writing, [.create, .truncate], mode: 0o600)
      try file.writeAll(octets)
      try file.finish()
    }
    written.append(name)
  }
}
