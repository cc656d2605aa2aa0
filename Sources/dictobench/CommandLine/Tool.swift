import Foundation

/// Name, version and origin of this program.
enum Tool {
  /// The version. Reports of other versions may differ.
  static let version = "0.1.0"

  /// The commit from which the package was built, as 40 hexadecimal digits; `nil` when it is not known: for a program
  /// that is not installed, and for a package of files that were never committed.
  static let commit: String? = ProgramData.packageFolder.flatMap { folder in
    guard let octets = FileManager.default.contents(atPath: "\(folder)/commit") else { return nil }
    let word = String(decoding: octets, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return word.count == 40 && word.allSatisfy { $0.isHexDigit && $0.isASCII } ? word : nil
  }

  /// Name and version, and the beginning of the commit where it is known.
  static let description = "dictobench \(version)" + (commit.map { " (\($0.prefix(12)))" } ?? "")

  /// The text of `--version`.
  static var identity: String {
    """
    dictobench \(version)
    commit: \(commit ?? "unknown; only packages that were built from a clean checkout know theirs")
    data: \(ProgramData.folder ?? "not found")
    """
  }
}
