import Foundation

/// Where a user's files lie (XDG Base Directory Specification 0.8).
enum UserFolders {
  /// What this tool remembers by itself: the phone's library and bonds, and the last good runs.
  static var state: String { folder("XDG_STATE_HOME", ".local/state") }
  /// The bench that `dictobench setup` made.
  static var bench: String { folder("XDG_CONFIG_HOME", ".config") + "/bench.yaml" }

  private static func folder(_ variable: String, _ usual: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    // A path that is not absolute means nothing.
    let stated = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (stated ?? (environment["HOME"] ?? ".") + "/" + usual) + "/dictobench"
  }
}
