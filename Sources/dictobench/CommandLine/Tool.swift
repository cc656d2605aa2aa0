/// Name and version of this program.
enum Tool {
  /// The version. Reports of other versions may differ.
  static let version = "0.1.0"
  /// Name and version.
  static let description = "dictobench \(version)"
}
