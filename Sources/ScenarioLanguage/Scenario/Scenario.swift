import YAML

/// One cell of one scenario file, resolved and checked: what the Runner performs.
public struct Scenario: Hashable, Sendable {
  /// The sentence after `scenario:`.
  public let title: String
  /// The unique, stable id.
  public let id: String
  /// Which cell of the matrix this is.
  public let cell: MatrixCell
  /// Requirement ids after `verifies:`.
  public let requirements: [String]
  /// Words for selection.
  public let tags: [String]
  /// What a target must have: stated by `needs:` or implied by verbs and fields, each once.
  public let needs: [Capability]
  /// The world before the first step.
  public let given: Given
  /// What happens, in order.
  public let steps: [Step]
  /// The steps at the end, which run even if others failed.
  public let always: [Step]
  /// The time limit of the scenario; `nil` for the Runner's own limit.
  public let timeout: Duration?
  /// Where the scenario begins.
  public let location: SourceLocation

  /// The id with its cell, unique in a run: `library-no-redownload[records=7]`.
  public var name: String { id + cell.description }
}

/// The values that the matrix gives one cell.
public struct MatrixCell: Hashable, Sendable, CustomStringConvertible {
  /// One variable with its value as it is written.
  public struct Binding: Hashable, Sendable {
    /// The variable's name without `$`.
    public let name: String
    /// The value's text.
    public let text: String
  }

  /// The variables in the order of the matrix; empty without one.
  public let bindings: [Binding]

  /// The only cell of a scenario without a matrix.
  public static let single = MatrixCell(bindings: [])

  /// `[records=7,loss=30 %]`, or nothing without a matrix.
  public var description: String {
    bindings.isEmpty ? "" : "[" + bindings.map { "\($0.name)=\($0.text)" }.joined(separator: ",") + "]"
  }
}

/// The world before the first step.
public struct Given: Hashable, Sendable {
  /// One recorder, phone or other thing of the world.
  public struct Section: Hashable, Sendable {
    /// The declared name of the section, such as `device`.
    public let kind: String
    /// How `as:` calls it; the kind itself when there is only one.
    public let name: String
    /// What is stated of it.
    public let arguments: Arguments
    /// Where it is stated; `nil` when the scenario leaves it to its defaults.
    public let location: SourceLocation?
  }

  /// The sections in the order of the vocabulary, several of one kind in the order of the file. A kind that the
  /// scenario does not mention is there once, with its defaults.
  public let sections: [Section]

  /// The sections of one kind; never empty for a declared kind.
  public func sections(of declaration: GivenDeclaration) -> [Section] {
    sections.filter { $0.kind == declaration.name }
  }
}
