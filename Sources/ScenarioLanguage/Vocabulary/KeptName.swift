import YAML

/// The name under which a step keeps a value of its outcome for later steps.
public struct KeptName: Hashable, Sendable, CustomStringConvertible {
  /// The name as it is written, without `$`.
  public let name: String
  /// The `use:` steps around it: the same fragment may be used twice.
  let scope: [SourceLocation]

  /// As later steps write it.
  public var description: String { "$\(name)" }
}
