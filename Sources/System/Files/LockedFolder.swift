import Glibc

/// A folder whose files are reached through its descriptor, locked against everybody else who locks it.
package final class LockedFolder {
  private let path: String
  private let descriptor: FileDescriptor

  /// Opens a folder and locks it. Fails with ``Errno/wouldBlock`` while somebody else has it.
  package init(_ path: String) throws(SystemCallFailure) {
    self.path = path
    descriptor = try FileDescriptor.open(path, .reading, .directory)
    try descriptor.lock()
  }

  /// The names in the folder, in order.
  package func names() throws(SystemCallFailure) -> [String] { try FileSystem.names(in: path) }

  /// The octets of a file; `nil` where there is none.
  package func read(_ name: String) throws(SystemCallFailure) -> [UInt8]? {
    do { return try descriptor.openFile(name, .reading).readAll() } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
  }

  /// Makes a file with these octets that only its owner can read.
  package func write(_ name: String, _ octets: [UInt8]) throws(SystemCallFailure) {
    let file = try descriptor.openFile(name, .writing, [.create, .truncate], mode: 0o600)
    try file.writeAll(octets)
    try file.finish()
  }

  /// Gives a file another name, in place of one that has it.
  package func rename(_ name: String, to other: String) throws(SystemCallFailure) {
    try SystemCall.checked("renameat") { renameat(descriptor.number, name, descriptor.number, other) }
  }

  /// Removes a file; one that does not exist is already removed.
  package func remove(_ name: String) throws(SystemCallFailure) {
    do { try SystemCall.checked("unlinkat") { unlinkat(descriptor.number, name, 0) } } catch {
      guard error.code == .noSuchFile else { throw error }
    }
  }
}
