import System

/// Files that the user names, read with a limit: any of them may be huge, or never end.
enum LimitedFile {
  /// Octets of a capture, a package, a sound or an image that are read at most.
  static let limit = 256 << 20

  /// The octets of a file, which messages call `name` before its path. Throws for one that cannot be read, and for one that
  /// is larger than `limit`.
  static func octets(_ path: String, called name: String = "", limit: Int = limit) throws(UsageFailure) -> [UInt8] {
    let octets: [UInt8]
    do throws(SystemCallFailure) {
      let file = try FileDescriptor.open(path, .reading)
      defer { file.close() }
      octets = try file.readAll(limit: limit + 1)
    } catch { throw UsageFailure("cannot read \(name)\(path): \(error.code)") }
    guard octets.count <= limit else { throw UsageFailure("\(path) is larger than \(limit >> 20) MiB") }
    return octets
  }
}
