import Bench
import Foundation
import Transports

/// The last good run on each bench, kept in the user's state folder.
enum GoodRuns {
  /// The last good run on a bench; `nil` where there was none.
  static func last(on bench: String) -> GoodRun? {
    file(bench).flatMap { GoodRun(lines: SystemTree.machine.lines($0)) }
  }

  /// Keeps a run as the last good one. Where that is impossible, later runs just cannot be compared with it.
  static func keep(_ run: GoodRun, on bench: String) {
    guard let path = file(bench) else { return }
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let text = run.lines.joined(separator: "\n") + "\n"
    try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// The file of a bench, named like it; characters that a file name may not have become `-`. `nil` where the user has no
  /// folder.
  private static func file(_ bench: String) -> String? {
    guard let state = try? UserFolders.state else { return nil }
    let name = bench.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "-"
    }
    return "\(state)/benches/\(name.prefix(100).joined())"
  }
}
