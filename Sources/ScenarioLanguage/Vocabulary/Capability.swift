/// Something that a target has or lacks, such as an actuator that presses the button.
///
/// A name that the vocabulary does not know is a lint error; a known one that a target lacks makes the scenario
/// `blocked`.
public struct Capability: Hashable, Sendable, CustomStringConvertible {
  /// The keys under `needs`.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// What can be done to the products.
    case actuators
    /// What can be seen of them.
    case sensors
  }

  /// The key under `needs`.
  public let category: Category
  /// The name in its list, such as `button`.
  public let name: String
  /// One sentence on what having it means.
  public let documentation: String

  /// A capability; its documentation is one sentence.
  public init(_ category: Category, _ name: String, _ documentation: String) {
    self.category = category
    self.name = name
    self.documentation = documentation
  }

  /// `actuators: button`.
  public var description: String { "\(category.rawValue): \(name)" }

  public static func == (left: Self, right: Self) -> Bool { left.category == right.category && left.name == right.name }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(category)
    hasher.combine(name)
  }
}
