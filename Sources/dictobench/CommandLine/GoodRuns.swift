import Bench
import Foundation
import Transports

/// The last good run on each bench, kept in the user's state folder.
enum GoodRuns {
  /// The last good run on a bench; `nil` where there was none.
  static func last(on bench: String) -> GoodRun? { GoodRun(lines: SystemTree.machine.lines(file(bench))) }

  /// Keeps a run as the last good one; whoever cannot keep it has lost nothing but the differences.
  static func keep(_ run: GoodRun, on bench: String) {
    let path = file(bench)
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let text = run.lines.joined(separator: "\n") + "\n"
    try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// Benches are told apart by their names, of which a file's name may not have everything.
  private static func file(_ bench: String) -> String {
    let name = bench.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "-"
    }
    return "\(UserFolders.state)/benches/\(name.prefix(100).joined())"
  }
}
