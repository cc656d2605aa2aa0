import System

/// Files that only their owner may read.
enum PrivateFile {
  private static let ownerOnly: UInt32 = 0o600

  /// Makes the file at `path` if it does not exist, and takes everybody else's rights away if it does.
  ///
  /// SQLite gives its journal the rights of the database, so making the database private is enough.
  static func prepare(_ path: String) throws(LibraryFailure) {
    do throws(SystemCallFailure) {
      do {
        try FileDescriptor.open(path, .readingAndWriting, [.create, .exclusive, .noFollow], mode: ownerOnly).finish()
      } catch {
        guard error.code == .fileExists else { throw error }
        // By its path: closing a descriptor of the file would give up the locks that this process may hold on it.
        try FileSystem.setMode(ownerOnly, of: path, followingLinks: false)
      }
    } catch { throw .file(path: path, errorNumber: error.code.rawValue) }
  }
}
