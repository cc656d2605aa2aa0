import Bytes
import Crypto
import ScenarioLanguage
import YAML

/// Digests of scenarios: of the file, of all fragments, of what tells the scenarios of a file apart, and of the sounds and
/// packages that the scenario names. A scenario with the same digest is the same scenario.
package struct ScenarioFingerprints: Sendable {
  private let files: [String: [UInt8]]
  private let fragments: [UInt8]
  private let performer: (any ScenarioPerformer)?

  /// Digests the files of a library. What scenarios name is read as `performer` reads it; without one nothing is.
  package init(_ sources: [SourceFile], reading performer: (any ScenarioPerformer)? = nil) {
    files = Dictionary(sources.map { ($0.path, SHA256.digest($0.bytes)) }) { first, _ in first }
    let shared = sources.filter { $0.path.split(separator: "/").dropLast().last == "fragments" }
    fragments = SHA256.digest(
      shared.sorted { $0.path < $1.path }.flatMap { SHA256.digest($0.bytes) })
    self.performer = performer
  }

  /// The digest of a scenario, as 32 hexadecimal digits.
  package subscript(scenario: Scenario) -> String {
    let own = files[scenario.location.file] ?? []
    let named = performer?.digests(ofNamesIn: scenario) ?? []
    let digest = SHA256.digest(own + fragments + Array(scenario.name.utf8) + named)
    return Hexadecimal.string(Array(digest.prefix(16)))
  }
}
