import Reports
import System

/// Files and folders that options name for results.
enum OutputFile {
  /// Writes a whole file, which has its name only when it is complete, readable by its owner alone where `isPrivate`. A pipe
  /// or a device gets the octets as they are.
  static func write(_ octets: [UInt8], to path: String, isPrivate: Bool = false) throws(UsageFailure) {
    do throws(ReportFailure) {
      guard isFile(path) else { return try pour(octets, into: path) }
      let file = try ReportFile(path, isPrivate: isPrivate)
      try file.write(octets)
      try file.commit()
    } catch { throw UsageFailure("\(error)") }
  }

  /// Writes a text as a whole file.
  static func write(_ text: String, to path: String) throws(UsageFailure) { try write(Array(text.utf8), to: path) }

  /// Finds out whether a file can be written, and leaves nothing behind.
  static func check(_ path: String) throws(UsageFailure) {
    guard isFile(path) else { return }
    do { try ReportFile(path).abandon() } catch { throw UsageFailure("\(error)") }
  }

  /// Makes a folder where it is not there yet, and finds out whether files can be written in it.
  static func checkFolder(_ path: String) throws(UsageFailure) {
    do throws(ReportFailure) {
      let folder = try ReportFolder(path)
      do { try folder.tryWriting() } catch {
        throw ReportFailure(operation: "write to the folder", path: path, code: error.code)
      }
    } catch { throw UsageFailure("\(error)") }
  }

  /// The same for a folder that is made only when there is something for it: makes no more than those above it.
  static func checkFutureFolder(_ path: String) throws(UsageFailure) {
    if FileSystem.may([], path) { return try checkFolder(path) }
    let name = path.hasSuffix("/") ? path.dropLast() : path[...]
    try checkFolder(name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? ".")
  }

  /// Whether a file of this name is or would be a regular one; a link is taken for what it leads to.
  private static func isFile(_ path: String) -> Bool { (try? FileSystem.kind(of: path)) != .other }

  private static func pour(_ octets: [UInt8], into path: String) throws(ReportFailure) {
    do throws(SystemCallFailure) {
      let descriptor = try FileDescriptor.open(path, .writing, [.truncate])
      defer { descriptor.close() }
      try descriptor.writeAll(octets)
    } catch { throw ReportFailure(operation: "write", path: path, code: error.code) }
  }
}

extension ParsedArguments {
  /// The file that an option names for a result; `nil` where the option is not given. Before any work, so that no result is
  /// lost because there is nowhere to keep it, throws where it cannot be written.
  func outputFile(_ name: String) throws(UsageFailure) -> String? {
    guard let path = value(name) else { return nil }
    try OutputFile.check(path)
    return path
  }

  /// The folder that an option names for results, made where it is not there; `nil` where the option is not given. Throws
  /// where no file can be written in it.
  func outputFolder(_ name: String) throws(UsageFailure) -> String? {
    guard let path = value(name) else { return nil }
    try OutputFile.checkFolder(path)
    return path
  }
}
