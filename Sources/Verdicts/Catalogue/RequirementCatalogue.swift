import YAML

/// What is wrong with a catalogue, and where.
public struct CatalogueFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Line in the file, from 1.
  public let line: Int
  /// What is wrong, and what was expected.
  public let message: String

  /// What is wrong in a line.
  public init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// What is wrong with a catalogue as YAML.
  init(_ problem: YAMLProblem) {
    self.init(line: problem.location.line, problem.message + (problem.expected.map { "; expected \($0)" } ?? ""))
  }

  public var description: String { "line \(line): \(message)" }
}

/// Every requirement there is, in the order of the file: `scenarios/requirements.yaml`.
///
/// ```yaml
/// - id: APP-1.3.1.1
///   requires: the battery level is asked for in every connection
///   judges: phone
///   clauses: {first: before anything else, always: in every connection}
///   simulated: monitor over every connection
///   app: the same monitor, from the recorder's host
/// ```
///
/// `clauses` names the parts that must each be shown; a requirement without the field is one part.
/// The fields named like targets say how the requirement is observed there; one that is missing says that it cannot be.
public struct RequirementCatalogue: Hashable, Sendable {
  /// Bytes of the file.
  public static let byteLimit = 1 << 18

  /// The requirements.
  public let requirements: [Requirement]

  /// Reads a catalogue. Throws where it is not a list of requirements, an id is written twice or has a shape of its
  /// own, a field is unknown or missing, or a party is none.
  public init(_ bytes: [UInt8]) throws(CatalogueFailure) {
    let table: YAMLTable
    do {
      table = try YAMLTable(
        SourceFile(path: "", bytes: bytes), rules: YAMLRules(bytes: Self.byteLimit), mappings: ["clauses"])
    } catch {
      throw CatalogueFailure(error)
    }
    var requirements: [Requirement] = []
    for entry in table.rows {
      let requirement = try Self.requirement(entry)
      if let other = requirements.first(where: { $0.id == requirement.id }) {
        throw CatalogueFailure(
          line: requirement.line, "`\(requirement.id)` is defined twice, first in line \(other.line)")
      }
      requirements.append(requirement)
    }
    guard !requirements.isEmpty else { throw CatalogueFailure(line: 1, "the file contains no requirements") }
    self.requirements = requirements
  }

  private static func requirement(_ entry: YAMLTable.Row) throws(CatalogueFailure) -> Requirement {
    let known = ["id", "requires", "judges", "clauses"] + TargetKind.catalogued.map(\.rawValue)
    for field in entry.fields {
      guard known.contains(field.key) else {
        throw CatalogueFailure(
          line: field.keyLocation.line, "`\(field.key)` is not a field; the fields are \(known.joined(separator: ", "))"
        )
      }
      guard !field.value.isEmpty || !field.fields.isEmpty else {
        throw CatalogueFailure(line: field.keyLocation.line, "`\(field.key)` is empty")
      }
    }
    func field(_ name: String) throws(CatalogueFailure) -> (value: String, line: Int) {
      guard let found = entry[name] else {
        throw CatalogueFailure(line: entry.location.line, "`\(name)` is missing")
      }
      return (found.value, found.keyLocation.line)
    }
    let id = try field("id")
    guard isIdentifier(id.value) else {
      throw CatalogueFailure(
        line: id.line, "`\(id.value)` is not an id; ids look like APP-1.3.1, DEV-4, HIL-2 or IMG-1")
    }
    let judges = try field("judges")
    guard let party = JudgedParty(rawValue: judges.value) else {
      let parties = JudgedParty.allCases.map(\.rawValue).joined(separator: ", ")
      throw CatalogueFailure(line: judges.line, "`\(judges.value)` is not one of \(parties)")
    }
    let observed = TargetKind.catalogued.map { target in
      entry[target.rawValue]?.value ?? (target == .image ? entry[TargetKind.simulated.rawValue]?.value : nil)
    }
    let sentence = try field("requires").value
    let clauses = try entry["clauses"].map { field throws(CatalogueFailure) in try Self.clauses(field) }
    return Requirement(
      id: id.value, sentence: sentence, judges: party,
      clauses: clauses ?? [RequirementClause(id: "", sentence: sentence)], observed: observed,
      line: entry.location.line)
  }

  private static func clauses(_ field: YAMLTable.Field) throws(CatalogueFailure) -> [RequirementClause] {
    try field.fields.map { clause throws(CatalogueFailure) in
      let isWord = clause.key.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
      guard isWord, !clause.key.isEmpty, !clause.value.isEmpty else {
        throw CatalogueFailure(
          line: clause.keyLocation.line,
          "`\(clause.key)` is not a clause; a clause is a word in small letters and a sentence, `transfer: it never …`")
      }
      return RequirementClause(id: clause.key, sentence: clause.value)
    }
  }

  /// The one party that all references count against; `nil` where they name several parties, or none.
  package func party(of references: [String]) -> JudgedParty? {
    let parties = references.compactMap { self[RequirementReference.id(of: $0)]?.judges }
    return parties.allSatisfy { $0 == parties[0] } ? parties.first : nil
  }

  /// Whether a text has the shape of an id: a family, and numbers with dots between.
  public static func isIdentifier(_ text: String) -> Bool {
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, ["APP", "DEV", "HIL", "IMG"].contains(halves[0]) else { return false }
    return halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.utf8.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// The requirement with an id; `nil` where there is none.
  public subscript(id: String) -> Requirement? { requirements.first { $0.id == id } }
}
