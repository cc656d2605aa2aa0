import System

/// Files that the user names, read with a limit: any of them may be huge, or never end.
enum LimitedFile {
  /// Octets of a capture, a package, a sound or an image that are read at most.
  static let limit = 256 << 20

  /// The octets of a file, which messages call `name` before its path; they tell the path `told` where that is another one.
  /// Throws for a file that cannot be read, and for one that is larger than `limit`.
  static func octets(
    _ path: String, called name: String = "", named told: String? = nil, limit: Int = limit
  ) throws(UsageFailure) -> [UInt8] {
    let told = told ?? path
    let octets: [UInt8]
    do throws(SystemCallFailure) {
      let file = try FileDescriptor.open(path, .reading)
      defer { file.close() }
      octets = try file.readAll(limit: limit + 1)
    } catch { throw UsageFailure("cannot read \(name)\(told): \(error.code)") }
    guard octets.count <= limit else { throw UsageFailure("\(told) is larger than \(limit >> 20) MiB") }
    return octets
  }
}
