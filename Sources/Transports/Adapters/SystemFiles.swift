import Glibc

/// Names of files, as the folders of the system that describe its devices have them.
enum FolderListing {
  /// The names in a folder in order, without those that begin with a dot; none where there is no such folder.
  static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
