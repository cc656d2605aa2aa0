/// A defect that a firmware is declared to have: one entry of the file that `run --known` names.
public struct KnownDefect: Hashable, Sendable {
  /// Id of the requirement that does not hold.
  public var requirement: String
  /// Patterns of the scenarios in which the defect shows; empty for every scenario that meets it.
  public var scenarios: [String]
  /// Why it is accepted for now, in the words of the file.
  public var reason: String
  /// The firmware, commit or date with which it was first seen; `nil` where the file does not say.
  public var since: String?
  /// The file, as the command line names it.
  public var file: String
  /// Line of the entry in the file, from 1.
  public var line: Int

  public init(
    requirement: String, scenarios: [String] = [], reason: String, since: String? = nil, file: String, line: Int
  ) {
    self.requirement = requirement
    self.scenarios = scenarios
    self.reason = reason
    self.since = since
    self.file = file
    self.line = line
  }

  /// Where it is declared, as `file:line`.
  public var place: String { "\(file):\(line)" }
}

extension KnownDefect: CustomStringConvertible {
  /// `known.yaml:4 (the recorder declines the parameters, since 1.4.2)`
  public var description: String { "\(place) (\(reason)\(since.map { ", since \($0)" } ?? ""))" }
}

/// A defect is an object of its own wherever it is named.
extension KnownDefect: Codable {
  private enum Key: CodingKey { case requirement, scenarios, reason, since, file, line }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(requirement, forKey: .requirement)
    try object.encode(scenarios, forKey: .scenarios)
    try object.encode(reason, forKey: .reason)
    try object.encode(since, forKey: .since)
    try object.encode(file, forKey: .file)
    try object.encode(line, forKey: .line)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      requirement: try object.decode(String.self, forKey: .requirement),
      scenarios: try object.decode([String].self, forKey: .scenarios),
      reason: try object.decode(String.self, forKey: .reason),
      since: try object.decodeIfPresent(String.self, forKey: .since),
      file: try object.decode(String.self, forKey: .file), line: try object.count(.line))
  }
}
