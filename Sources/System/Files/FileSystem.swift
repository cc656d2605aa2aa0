import Glibc

/// Calls on paths.
package enum FileSystem {
  /// What lies at a path.
  package enum Kind: Hashable, Sendable {
    /// A socket.
    case socket
    /// A folder.
    case folder
    /// A regular file.
    case file
    /// Anything else.
    case other
  }

  /// What this program wants to do with a file.
  package struct Rights: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }
    /// Read it.
    package static let read = Rights(rawValue: R_OK)
    /// Write it.
    package static let write = Rights(rawValue: W_OK)
    /// Run it.
    package static let run = Rights(rawValue: X_OK)
  }

  /// Whether this program has all of `rights` to what is at the path; without any, whether something is there.
  package static func may(_ rights: Rights = [], _ path: String) -> Bool { access(path, rights.rawValue) == 0 }

  /// What lies at the path, without following a link; `nil` for nothing.
  package static func kind(of path: String) throws(SystemCallFailure) -> Kind? {
    var status = stat()
    do { try SystemCall.checked("lstat") { lstat(path, &status) } } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return .socket
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .other
    }
  }

  /// Makes a folder, and those above it that do not exist.
  package static func makeFolder(_ path: String, mode: UInt32) throws(SystemCallFailure) {
    guard !path.isEmpty, path != "/" else { return }
    do { try makeOneFolder(path, mode) } catch {
      guard error.code == .noSuchFile, let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex else {
        throw error
      }
      try makeFolder(String(path[..<slash]), mode: mode)
      try makeOneFolder(path, mode)
    }
  }

  private static func makeOneFolder(_ path: String, _ mode: UInt32) throws(SystemCallFailure) {
    do { try SystemCall.checked("mkdir") { mkdir(path, mode) } } catch {
      guard error.code == .fileExists else { throw error }
    }
  }

  /// The names in a folder, in order, those that begin with a dot among them.
  package static func names(in folder: String) throws(SystemCallFailure) -> [String] {
    guard let stream = opendir(folder) else { throw .last("opendir") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { octets in
          String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }

  /// Gives a file another name, in place of one that has it.
  package static func rename(_ path: String, to other: String) throws(SystemCallFailure) {
    try SystemCall.checked("rename") { Glibc.rename(path, other) }
  }

  /// Removes a file; one that does not exist is already removed.
  package static func remove(_ path: String) throws(SystemCallFailure) {
    do { try SystemCall.checked("unlink") { unlink(path) } } catch {
      guard error.code == .noSuchFile else { throw error }
    }
  }

  /// Sets the rights of a file by its path.
  package static func setMode(
    _ mode: UInt32, of path: String, followingLinks follows: Bool = true
  ) throws(SystemCallFailure) {
    try SystemCall.checked("fchmodat") { fchmodat(AT_FDCWD, path, mode, follows ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  /// Makes a link at `path` that leads to `target`.
  package static func makeLink(_ path: String, to target: String) throws(SystemCallFailure) {
    try SystemCall.checked("symlink") { symlink(target, path) }
  }

  /// Where a link leads; `nil` for what is not a link.
  package static func target(ofLink path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count >= 0 else { return nil }
    return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A path that is stated in another file, and seen from that one's folder.
  package static func place(_ path: String, beside file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }

  /// The only full path of what lies at a path, or of what could lie there: without links, `.` and `..`. The path itself
  /// where its folder does not exist.
  package static func canonical(_ path: String) -> String {
    if let found = real(path) { return found }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let found = real(folder) else { return path }
    return (found == "/" ? "" : found) + "/" + path[(slash.map(path.index(after:)) ?? path.startIndex)...]
  }

  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Octets that are free for this program on the disk of a path.
  package static func freeOctets(at path: String) throws(SystemCallFailure) -> UInt64 {
    var answer = statvfs()
    try SystemCall.checked("statvfs") { statvfs(path, &answer) }
    return UInt64(answer.f_bavail) * UInt64(answer.f_frsize)
  }
}
