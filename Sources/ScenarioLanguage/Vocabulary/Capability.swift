/// Something that a target has or lacks, such as an actuator that presses the button.
///
/// A name that the vocabulary does not know is a lint error; a known one that a target lacks makes the scenario
/// `blocked`.
public struct Capability: Hashable, Sendable, CustomStringConvertible {
  /// The key under `needs`, such as `actuators`.
  public let category: String
  /// The name in its list, such as `button`.
  public let name: String
  /// One sentence on what having it means.
  public let documentation: String

  public init(_ category: String, _ name: String, _ documentation: String) {
    self.category = category
    self.name = name
    self.documentation = documentation
  }

  /// `actuators: button`.
  public var description: String { "\(category): \(name)" }

  public static func == (left: Self, right: Self) -> Bool { left.category == right.category && left.name == right.name }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(category)
    hasher.combine(name)
  }
}
