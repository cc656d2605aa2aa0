import Bytes
import Crypto
import System

/// The folder that `--out` names: `junit.xml`, `events.ndjson`, `summary.json` and `captures/`.
package struct ReportFolder: Sendable {
  /// Path of the folder.
  package let path: String

  /// Makes the folder, and those above it, where they are not there yet.
  package init(_ path: String) throws(ReportFailure) {
    self.path = path
    try Self.make(path)
  }

  /// Takes the folder for this run alone, as long as what is returned lives, and finds out whether files can be written
  /// there, before anything runs.
  package func takeForOneRun() throws(ReportFailure) -> LockedFolder {
    let lock: LockedFolder
    do throws(SystemCallFailure) { lock = try LockedFolder(path) } catch {
      let isTaken = error.code == .wouldBlock
      throw ReportFailure(operation: isTaken ? "write beside another run to" : "lock", path: path, code: error.code)
    }
    try tryWriting()
    return lock
  }

  /// Finds out whether files can be written there, and leaves none.
  package func tryWriting() throws(ReportFailure) { try ReportFile(path + "/.writable").abandon() }

  private static func make(_ path: String) throws(ReportFailure) {
    let operation = "make the folder"
    let kind: FileSystem.Kind?
    do throws(SystemCallFailure) {
      try FileSystem.makeFolder(path, mode: 0o755)
      kind = try FileSystem.kind(of: FileSystem.canonical(path))
    } catch {
      throw ReportFailure(operation: operation, path: path, code: error.code)
    }
    guard kind == .folder else {
      throw ReportFailure(
        operation: operation, path: path, code: .fileExists, reason: "a file has this name, expected a folder")
    }
  }

  /// Makes the folder of captures, where it is not there yet.
  func makeCaptures() throws(ReportFailure) { try Self.make(path + "/captures") }

  /// Where the capture of an attempt at a scenario belongs, relative to the folder; `number` counts attempts and
  /// repetitions from 0. Makes the folder of captures.
  package func capturePath(_ scenario: String, _ number: Int = 0) throws(ReportFailure) -> String {
    try makeCaptures()
    return "captures/" + Self.fileName(scenario) + (number == 0 ? "" : ".\(number)") + ".btsnoop"
  }

  /// Scalars of a scenario's name that stand in the name of a file.
  private static let nameLimit = 160

  /// A name of a scenario as a name of a file; no two names have the same one. What is neither letter, digit, `.`, `=`, `-`
  /// nor `,` becomes `_`, and where that, or what was cut off, could belong to another name, a digest of the name follows.
  static func fileName(_ scenario: String) -> String {
    let plain = scenario.unicodeScalars.prefix(nameLimit).map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
      return isPlain || "=-,.".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    let name = String(plain)
    guard usualName(of: name).utf8.elementsEqual(scenario.utf8), !name.hasPrefix(".") else {
      let digest = Hexadecimal.string(Array(SHA256.digest(Array(scenario.utf8)).prefix(8)))
      return (name.hasPrefix(".") ? "_" + name.dropFirst() : name) + "~" + digest
    }
    return name
  }

  /// The name of the one scenario whose files are called so without a digest: an id, and perhaps a cell in brackets, in
  /// which blanks stand before units, and colons in times of day.
  private static func usualName(of fileName: String) -> String {
    guard let start = fileName.firstIndex(of: "_"), let end = fileName.lastIndex(of: "_"), start < end else {
      return fileName
    }
    let cell = fileName[fileName.index(after: start)..<end]
      .replacing(/_(\d\d)_(\d\d)_(\d\d)/) { " \($0.1):\($0.2):\($0.3)" }
      .replacing("__", with: " %").replacing("_", with: " ")
    return "\(fileName[..<start])[\(cell)]\(fileName[fileName.index(after: end)...])"
  }

  /// Removes the files of an earlier run whose names end, and whose octets begin, like this. Those that cannot be read or
  /// removed stay.
  func removeFiles(endingWith suffix: String, beginningWith beginning: [UInt8] = []) {
    for name in (try? FileSystem.names(in: path)) ?? [] where name.hasSuffix(suffix) {
      removeFile(name, beginningWith: beginning)
    }
  }

  /// Removes a file of an earlier run whose octets begin like this; one that cannot be read or removed stays.
  func removeFile(_ name: String, beginningWith beginning: [UInt8]) {
    let file = path + "/" + name
    if beginning.isEmpty || Self.file(file, beginsWith: beginning) { try? FileSystem.remove(file) }
  }

  private static func file(_ path: String, beginsWith beginning: [UInt8]) -> Bool {
    guard let file = try? ReportFile.opened(path) else { return false }
    defer { file.close() }
    return (try? file.readAll(limit: beginning.count)) == beginning
  }

  /// Writes a file whole, under another name first.
  func write(_ name: String, _ octets: [UInt8]) throws(ReportFailure) { try write([(name, octets)]) }

  /// Writes files that belong together: none of them gets its name before all of them are on the disk.
  func write(_ files: [(name: String, octets: [UInt8])]) throws(ReportFailure) {
    var written: [ReportFile] = []
    for (name, octets) in files {
      let file = try ReportFile(path + "/" + name)
      try file.write(octets)
      try file.complete()
      written.append(file)
    }
    for file in written { try file.commit() }
  }
}
