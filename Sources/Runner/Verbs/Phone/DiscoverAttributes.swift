import DictofunProtocol
import HostStack
import Phone
import ScenarioLanguage
import World

/// `- phone: discover-attributes`
enum DiscoverAttributes: Verb {
  static let services = Field<Int>("services", "Number of services.")
  static let characteristics = Field<Int>("characteristics", "Number of characteristics.")
  static let differences = Field<Int>(
    "differences", "Characteristics whose handles, types or properties differ from the recorder's documents.")

  static let declaration = VerbDeclaration(
    "discover-attributes", of: .phone, "Discovers all services and characteristics of the connected recorder.",
    results: [services, characteristics, differences], failures: FailureDeclaration.ofPhones,
    example: "- phone: discover-attributes\n  expect: {services: 5, differences: 0}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    guard case .attribute(.services(let found)) = try await stage.run(.attribute(.discoverAll), by: call) else {
      return findings
    }
    let shown = found.flatMap(\.characteristics)
    let documented = AttributeTable.application.database.discovered.flatMap(\.characteristics)
    findings.set(Self.services, found.count)
    findings.set(Self.characteristics, shown.count)
    let (extra, missing) = (shown.filter { !documented.contains($0) }, documented.filter { !shown.contains($0) })
    findings.set(Self.differences, max(extra.count, missing.count))
    return findings
  }
}
