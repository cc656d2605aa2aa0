import DictofunProtocol
import HostStack
import Phone
import ScenarioLanguage
import World

/// `- phone: discover-attributes`
enum DiscoverAttributes: Verb {
  static let services = Field<Int>("services", "Number of services.").limited(to: 0...)
  static let characteristics = Field<Int>("characteristics", "Number of characteristics.").limited(to: 0...)
  static let differences = Field<Int>(
    "differences",
    "Services and characteristics whose handles, types or properties differ from the recorder's documents."
  ).limited(to: 0...)

  static let declaration = VerbDeclaration(
    "discover-attributes", of: .phone, "Discovers all services and characteristics of the connected recorder.",
    results: [services, characteristics, differences], failures: FailureDeclaration.ofPhones,
    example: "- phone: discover-attributes\n  expect: {services: 5, differences: 0}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    guard case .attribute(.services(let found)) = try await stage.run(.attribute(.discoverAll), by: call) else {
      return findings
    }
    let documented = AttributeTable.application.database.discovered
    findings.set(Self.services, found.count)
    findings.set(Self.characteristics, found.flatMap(\.characteristics).count)
    findings.set(
      Self.differences,
      differences(found.map(Place.init), documented.map(Place.init))
        + differences(found.flatMap(\.characteristics), documented.flatMap(\.characteristics)))
    return findings
  }

  /// A service without its characteristics, which are compared one by one.
  private struct Place: Equatable {
    let service: DiscoveredService

    init(_ service: DiscoveredService) {
      self.service = DiscoveredService(uuid: service.uuid, handle: service.handle, endHandle: service.endHandle)
    }
  }

  private static func differences<Part: Equatable>(_ shown: [Part], _ documented: [Part]) -> Int {
    max(shown.count { !documented.contains($0) }, documented.count { !shown.contains($0) })
  }
}
