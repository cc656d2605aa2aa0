import System

/// Why a report could not be written.
package struct ReportFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  package let operation: String
  /// The file or folder.
  package let path: String
  /// The system's error.
  package let code: Errno
  /// What says more than the system's words; `nil` where they say it all.
  private let reason: String?

  package init(operation: String, path: String, code: Errno, reason: String? = nil) {
    self.operation = operation
    self.path = path
    self.code = code
    self.reason = reason
  }

  package var description: String {
    // That somebody else has a folder needs no words of the system's.
    code == .wouldBlock ? "cannot \(operation) \(path)" : "cannot \(operation) \(path): \(reason ?? "\(code)")"
  }

  /// A report that is a file has no folder to be in.
  static func withoutFolder(_ name: String) -> ReportFailure {
    ReportFailure(operation: "write without a folder the report", path: name, code: .noSuchFile)
  }
}

/// A file that is written under a temporary name and renamed when it is complete, so that a half-written file is never
/// read.
package final class ReportFile {
  /// What the name ends with while the file grows.
  package static let partialSuffix = ".partial"
  static let blockLength = 64 * 1024

  /// The name it will have.
  private(set) package var path: String
  private let partialPath: String
  private let descriptor: FileDescriptor
  private var block: [UInt8] = []
  private var state = State.open

  private enum State {
    case open, complete, ended
  }

  /// Creates the file, readable by its owner alone where `isPrivate`. Its folder must be there.
  package init(_ path: String, isPrivate: Bool = false) throws(ReportFailure) {
    self.path = path
    partialPath = path + Self.partialSuffix
    let mode: UInt32 = isPrivate ? 0o600 : 0o644
    do throws(SystemCallFailure) {
      // A name that stands for something else than a file is not replaced by one.
      if let kind = try FileSystem.kind(of: path), kind != .file { throw SystemCallFailure("open", .fileExists) }
      // What a killed run left is removed, never followed: it may be a link that somebody planted.
      try FileSystem.remove(partialPath)
      descriptor = try .open(partialPath, .writing, [.create, .exclusive, .noFollow], mode: mode)
    } catch {
      throw ReportFailure(operation: "create", path: path, code: error.code)
    }
    block.reserveCapacity(Self.blockLength)
    guard isPrivate else { return }
    // A file that was left over may have another mode.
    do { try descriptor.setMode(mode) } catch {
      abandon()
      throw ReportFailure(operation: "protect", path: path, code: error.code)
    }
  }

  deinit { abandon() }

  /// Appends octets.
  package func write(_ octets: [UInt8]) throws(ReportFailure) {
    guard octets.count < Self.blockLength else {
      try flush()
      return try put(octets)
    }
    block.append(contentsOf: octets)
    if block.count >= Self.blockLength { try flush() }
  }

  /// Brings every octet to the disk; nothing can be written afterwards.
  func complete() throws(ReportFailure) {
    precondition(state == .open, "a file ends once")
    try flush()
    state = .complete
    do { try descriptor.finish() } catch { throw ReportFailure(operation: "close", path: path, code: error.code) }
  }

  /// Changes the name that it will have to another one in its folder.
  func rename(to path: String) { self.path = path }

  /// Renames the finished file; nothing can be written afterwards.
  package func commit() throws(ReportFailure) {
    if state == .open { try complete() }
    precondition(state == .complete, "a file ends once")
    do { try FileSystem.rename(partialPath, to: path) } catch {
      throw ReportFailure(operation: "rename the finished file to", path: path, code: error.code)
    }
    state = .ended
  }

  /// Removes the file.
  package func abandon() {
    guard state != .ended else { return }
    if state == .open { descriptor.close() }
    state = .ended
    // A file that cannot be removed stays under its partial name, which nobody reads.
    try? FileSystem.remove(partialPath)
  }

  /// Appends octets to a file of somebody else, which is made where there is none.
  static func append(_ octets: [UInt8], to path: String) throws(ReportFailure) {
    do throws(SystemCallFailure) {
      let descriptor = try FileDescriptor.open(path, .writing, [.create, .append], mode: 0o644)
      defer { descriptor.close() }
      try descriptor.writeAll(octets)
    } catch {
      throw ReportFailure(operation: "append to", path: path, code: error.code)
    }
  }

  /// The octets of a file. Throws for one that is longer than `limit`, and for what is not a regular file.
  package static func contents(_ path: String, limit: Int) throws(ReportFailure) -> [UInt8] {
    let descriptor = try opened(path)
    defer { descriptor.close() }
    return try contents(of: descriptor, path, limit: limit)
  }

  /// Opens a file for reading. Throws for what is not a regular one, from which reading might never end.
  static func opened(_ path: String) throws(ReportFailure) -> FileDescriptor {
    do throws(SystemCallFailure) {
      guard let kind = try FileSystem.kind(of: path) else { throw SystemCallFailure("open", .noSuchFile) }
      guard kind == .file else { throw SystemCallFailure("open", .invalidArgument) }
      return try FileDescriptor.open(path, .reading)
    } catch {
      throw ReportFailure(operation: "read", path: path, code: error.code)
    }
  }

  /// The octets of the file that was opened at a path. Throws for one that is longer than `limit`.
  static func contents(
    of descriptor: FileDescriptor, _ path: String, limit: Int
  ) throws(ReportFailure) -> [UInt8] {
    do throws(SystemCallFailure) {
      let octets = try descriptor.readAll(limit: limit + 1)
      guard octets.count <= limit else { throw SystemCallFailure("read", .fileTooLarge) }
      return octets
    } catch {
      throw ReportFailure(operation: "read", path: path, code: error.code)
    }
  }

  private func flush() throws(ReportFailure) {
    try put(block)
    block.removeAll(keepingCapacity: true)
  }

  private func put(_ octets: [UInt8]) throws(ReportFailure) {
    do { try descriptor.writeAll(octets) } catch {
      throw ReportFailure(operation: "write", path: path, code: error.code)
    }
  }
}
