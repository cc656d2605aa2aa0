/// What this program calls itself.
enum Tool {
  /// The version; reports of another version may differ.
  static let version = "0.1.0"
  /// Name and version.
  static let description = "dictobench \(version)"
}
