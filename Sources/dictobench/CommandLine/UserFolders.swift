import System

/// The folders of a user's files (XDG Base Directory Specification 0.8).
enum UserFolders {
  /// The phone's library and bonds, and the last good runs.
  static var state: String { folder("XDG_STATE_HOME", ".local/state") }
  /// The bench file that `dictobench setup` writes.
  static var bench: String { folder("XDG_CONFIG_HOME", ".config") + "/bench.yaml" }

  private static func folder(_ variable: String, _ usual: String) -> String {
    // The specification ignores paths that are not absolute.
    let stated = Environment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (stated ?? (Environment.value("HOME") ?? ".") + "/" + usual) + "/dictobench"
  }
}
