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

  /// Writes a record. Nothing that is there is written over: where a name is taken, by what was written before or by
  /// anything else, a number stands behind it.
  ///
  /// Throws the system's error where a file or the folder cannot be written.
  package mutating func write(_ record: CapturedRecord) throws {
    if record.isCovered {
      covered += 1
      return
    }
    try FileSystem.makeFolder(folder, mode: 0o755)
    let identifier = record.identifier?.description ?? "unknown"
    var (name, number) = (identifier, 1)
    while true {
      if let files = try newFiles(name) {
        try files.record.writeAll(record.octets)
        try files.sound.writeAll(WaveFile(samples: RecordAudio.samples(of: record.octets)).encoded)
        try files.record.finish()
        try files.sound.finish()
        return written.append(name)
      }
      number += 1
      name = "\(identifier)-\(number)"
    }
  }

  /// Makes both files of a record; `nil` where one of them, or a link of its name, is there already.
  private func newFiles(_ name: String) throws(SystemCallFailure) -> (record: FileDescriptor, sound: FileDescriptor)? {
    let paths = ["record", "wav"].map { "\(folder)/\(name).\($0)" }
    for path in paths where try FileSystem.kind(of: path) != nil { return nil }
    // What somebody said is nobody else's business.
    func make(_ path: String) throws(SystemCallFailure) -> FileDescriptor {
      try .open(path, .writing, [.create, .exclusive, .noFollow], mode: 0o600)
    }
    return (try make(paths[0]), try make(paths[1]))
  }
}
