import System

/// The folders of a user's files (XDG Base Directory Specification 0.8). Each throws where nothing tells where it is.
enum UserFolders {
  /// The phone's library and bonds, and the last good runs.
  static var state: String { get throws(UsageFailure) { try folder("XDG_STATE_HOME", ".local/state") } }
  /// The bench file that `dictobench setup` writes.
  static var bench: String {
    get throws(UsageFailure) { try folder("XDG_CONFIG_HOME", ".config") + "/bench.yaml" }
  }

  private static func folder(_ variable: String, _ usual: String) throws(UsageFailure) -> String {
    // The specification ignores paths that are not absolute.
    let stated = Environment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = stated ?? Environment.home.map({ "\($0)/\(usual)" }) else {
      throw UsageFailure(
        "cannot find the user's folder: expected its path, from / on, in \(variable), HOME or the user database")
    }
    return folder + "/dictobench"
  }
}
