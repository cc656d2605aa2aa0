import Glibc

/// Why a report could not be written.
public struct ReportFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public let operation: String
  /// The file or folder.
  public let path: String
  /// Number of the system's error.
  public let code: Int32

  public var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }

  /// A report that is a file has no folder to be in.
  static func withoutFolder(_ name: String) -> ReportFailure {
    ReportFailure(operation: "write without a folder the report", path: name, code: ENOENT)
  }
}

/// A file that is written under a temporary name and renamed when it is complete, so that a half-written file is never
/// read.
public final class ReportFile {
  /// What the name ends with while the file grows.
  public static let partialSuffix = ".partial"
  private static let blockLength = 64 * 1024

  /// The name it will have.
  public let path: String
  private let descriptor: Int32
  private var block: [UInt8] = []
  private var isOpen = true

  private var partialPath: String { path + Self.partialSuffix }

  /// Creates the file, readable by its owner alone where `isPrivate`. Its folder must be there.
  public init(_ path: String, isPrivate: Bool = false) throws(ReportFailure) {
    self.path = path
    let mode: mode_t = isPrivate ? 0o600 : 0o644
    descriptor = open(path + Self.partialSuffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw ReportFailure(operation: "create", path: path, code: errno) }
    block.reserveCapacity(Self.blockLength)
    // What was left over may have another mode.
    if isPrivate, fchmod(descriptor, mode) != 0 {
      let code = errno
      abandon()
      throw ReportFailure(operation: "protect", path: path, code: code)
    }
  }

  deinit { if isOpen { abandon() } }

  /// Appends octets.
  public func write(_ octets: [UInt8]) throws(ReportFailure) {
    block.append(contentsOf: octets)
    if block.count >= Self.blockLength { try flush() }
  }

  /// Renames the finished file; nothing can be written afterwards.
  public func commit() throws(ReportFailure) {
    precondition(isOpen, "a file ends once")
    try flush()
    isOpen = false
    guard close(descriptor) == 0 else { throw ReportFailure(operation: "close", path: path, code: errno) }
    guard rename(partialPath, path) == 0 else {
      throw ReportFailure(operation: "rename the finished file to", path: path, code: errno)
    }
  }

  /// Removes the file.
  public func abandon() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
    unlink(partialPath)
  }

  /// Appends octets to a file of somebody else, which is made where there is none.
  static func append(_ octets: [UInt8], to path: String) throws(ReportFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ReportFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    try write(octets, to: descriptor, path)
  }

  /// The octets of a file. Throws for one that is longer than `limit`, and for what is not a regular file, from which
  /// reading might never end.
  static func contents(_ path: String, limit: Int) throws(ReportFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportFailure(operation: "read", path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ReportFailure(operation: "read", path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw ReportFailure(operation: "read", path: path, code: EINVAL) }
    guard status.st_size <= limit else { throw ReportFailure(operation: "read", path: path, code: EFBIG) }
    var octets = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < octets.count {
      let taken = octets.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { throw ReportFailure(operation: "read", path: path, code: errno) }
      if taken == 0 { break }
      count += taken
    }
    return Array(octets.prefix(count))
  }

  private func flush() throws(ReportFailure) {
    try Self.write(block, to: descriptor, path)
    block.removeAll(keepingCapacity: true)
  }

  private static func write(_ block: [UInt8], to descriptor: Int32, _ path: String) throws(ReportFailure) {
    var written = 0
    while written < block.count {
      let count = block.withUnsafeBytes { octets in
        Glibc.write(descriptor, octets.baseAddress! + written, octets.count - written)
      }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw ReportFailure(operation: "write", path: path, code: errno)
      }
      written += count
    }
  }
}
