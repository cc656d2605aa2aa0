import Evidence
import Foundation
import ScenarioLanguage
import Verdicts
import YAML

/// What a run reads, as a bundle keeps it: the path under which the run reads it, its role, and its place in the bundle.
enum EvidenceInput {
  /// What an input is to the run.
  enum Role: String {
    /// A file of scenarios or of fragments.
    case scenarios
    /// The catalogue of requirements.
    case requirements
    /// A sound or a package, named by a scenario.
    case named
  }

  /// Names of annotations.
  private static let role = "role"
  private static let path = "path"

  /// Annotations of an input.
  static func annotations(_ role: Role, _ path: String) -> [String: String] {
    [Self.role: role.rawValue, Self.path: path]
  }

  /// Where a bundle keeps an input. `number` tells files apart that lie outside of the working directory.
  static func place(of path: String, number: Int) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      return "inputs/elsewhere/\(number)/\(parts.last { !["", ".", ".."].contains($0) } ?? "file")"
    }
    return "inputs/" + path
  }

  /// The inputs of a role in a bundle: the path under which each was read, and its octets.
  static func read(_ role: Role, from bundle: EvidenceBundle) throws(EvidenceFailure) -> [(
    path: String, octets: [UInt8]
  )] {
    try bundle.statement.configuration.filter { $0.annotations?[Self.role] == role.rawValue }
      .map { resource throws(EvidenceFailure) in
        (resource.annotations?[Self.path] ?? resource.name, try bundle.contents(resource.name))
      }
  }
}

/// What a run read, in memory: all that is needed to run it again.
struct EvidenceInputs {
  /// Files of scenarios and fragments.
  var scenarios: [SourceFile]
  /// The requirements.
  var catalogue: RequirementCatalogue
  /// Sounds and packages.
  var named: NamedFiles

  /// Takes them out of a bundle.
  init(from bundle: EvidenceBundle) throws {
    scenarios = try EvidenceInput.read(.scenarios, from: bundle).map { SourceFile(path: $0.path, bytes: $0.octets) }
    guard let requirements = try EvidenceInput.read(.requirements, from: bundle).first else {
      throw EvidenceFailure("the bundle has no requirements")
    }
    do { catalogue = try RequirementCatalogue(requirements.octets) } catch {
      throw EvidenceFailure("\(requirements.path): \(error)")
    }
    var octets: [String: [UInt8]] = [:]
    for file in try EvidenceInput.read(.named, from: bundle) { octets[file.path] = file.octets }
    named = NamedFiles { [octets] name, folder in octets["\(folder)/\(name)"] }
  }

  init(scenarios: [SourceFile], catalogue: RequirementCatalogue, named: NamedFiles) {
    self.scenarios = scenarios
    self.catalogue = catalogue
    self.named = named
  }
}
