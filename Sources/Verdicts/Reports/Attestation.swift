/// What a check outside of any run proved: a requirement of the harness that no scenario can show.
///
/// Checks of `ci/` write one as a JSON file; `dictobench merge` takes them in.
package struct Attestation: Hashable, Sendable {
  /// Version of the file's members; it changes when one is taken away or changes its meaning.
  package static let schemaVersion = 1

  /// Id of the requirement, such as `HIL-4`.
  package var requirement: String
  /// The clause of it; `nil` where there is only one.
  package var clause: String?
  /// The check that proved it, by its name.
  package var check: String
  /// What was measured, in the words of the check.
  package var measured: String
  /// Name and version of the program that was checked, such as `dictobench 0.1.0`.
  package var tool: String

  package init(requirement: String, clause: String?, check: String, measured: String, tool: String) {
    self.requirement = requirement
    self.clause = clause
    self.check = check
    self.measured = measured
    self.tool = tool
  }

  /// How reports name it as evidence.
  package var source: String { "check \(check): \(measured)" }

  /// Why nobody can attest this of runs of the program `tool`, in one sentence; `nil` where somebody can. `place` is where
  /// it stands, as the sentence names it. The sentence may hold text of a file.
  package func objection(in catalogue: RequirementCatalogue, tool program: String, at place: String) -> String? {
    guard let requirement = catalogue[requirement] else {
      return "\(place) attests the unknown requirement \(requirement)"
    }
    guard requirement.judges == .harness else {
      return "\(place) attests \(requirement.id), which only a run can show: it judges the "
        + requirement.judges.rawValue
    }
    let clauses = requirement.clauses.map(\.id)
    guard clauses.contains(clause ?? "") else {
      return "\(place) attests \(clause.map { "the clause \($0)" } ?? "no clause") of \(requirement.id), expected "
        + (clauses == [""] ? "none" : clauses.joined(separator: ", "))
    }
    return tool == program ? nil : "\(place) is about \(tool), the runs are of \(program)"
  }
}

extension Attestation: Codable {
  private enum Key: CodingKey { case schemaVersion, requirement, clause, check, measured, tool }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(Self.schemaVersion, forKey: .schemaVersion)
    try object.encode(requirement, forKey: .requirement)
    try object.encode(clause, forKey: .clause)
    try object.encode(check, forKey: .check)
    try object.encode(measured, forKey: .measured)
    try object.encode(tool, forKey: .tool)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no attestation can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let version = try object.decode(Int.self, forKey: .schemaVersion)
    guard version == Self.schemaVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .schemaVersion, in: object, debugDescription: "expected version \(Self.schemaVersion), got \(version)")
    }
    func text(_ key: Key) throws -> String { try object.decode(String.self, forKey: key) }
    self.init(
      requirement: try text(.requirement), clause: try object.decodeIfPresent(String.self, forKey: .clause),
      check: try text(.check), measured: try text(.measured), tool: try text(.tool))
  }
}
