import Glibc

/// Files that only their owner may read.
enum PrivateFile {
  private static let ownerOnly: mode_t = 0o600

  /// Makes the file at `path` if it is not there, and takes everybody else's rights away if it is.
  ///
  /// SQLite gives its journal the rights of the database, so making the database private is enough.
  static func prepare(_ path: String) throws(LibraryFailure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, ownerOnly)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno == EEXIST {
      // By its path: closing a descriptor of the file would give up the locks that this process may hold on it.
      guard fchmodat(AT_FDCWD, path, ownerOnly, AT_SYMLINK_NOFOLLOW) == 0 else {
        throw .file(path: path, errorNumber: errno)
      }
    } else {
      throw .file(path: path, errorNumber: errno)
    }
  }
}
