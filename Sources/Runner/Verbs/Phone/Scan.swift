import Phone
import ScenarioLanguage
import World

/// `- phone: {scan: 5 s}`
enum Scan: Verb {
  static let span = Field<Duration>("for", "How long to scan.", default: .seconds(5))
    .limited(to: Duration.milliseconds(10)...Duration.seconds(3_600))
  static let found = Field<Int>("found", "Number of recorders heard.").limited(to: 0...)
  static let names = Field<[String]>("names", "The names they advertise, in the order in which they were first heard.")
  static let devices = Field<[String]>("devices", "Which of the recorders in `given` were heard, in that order.")

  static let bootloaders = Field<[String]>("bootloaders", "The names that bootloaders advertise.")

  static let advertisingData = Field<Octets>(
    "advertising-data", "The advertising data of the first recorder heard, in hexadecimal.")
  static let scanResponse = Field<Octets>("scan-response", "The scan response of that recorder, in hexadecimal.")

  static let declaration = VerbDeclaration(
    "scan", of: .phone, "Scans for recorders.", shorthand: span,
    results: [found, names, devices, bootloaders, advertisingData, scanResponse],
    lasts: span, failures: FailureDeclaration.ofPhones, deadline: .seconds(3_700),
    example: "- phone: {scan: 5 s}\n  expect: {found: 2}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let found = findings(of: try await stage.run(.scan(call.arguments[Self.span]), by: call), on: stage)
    // A real adapter begins late and misses advertisements, for which a bench grants its tolerance.
    guard stage.tolerance > .zero, !call.expectation.mismatches(in: found).isEmpty else { return found }
    return findings(of: try await stage.run(.scan(call.arguments[Self.span] + stage.tolerance), by: call), on: stage)
  }

  private static func findings(of result: PhoneResult, on stage: isolated Stage) -> Findings {
    var findings = Findings()
    guard case .recorders(let heard) = result else { return findings }
    let sightings = heard.filter { !$0.isBootloader }
    findings.set(Self.bootloaders, heard.filter(\.isBootloader).map(\.name))
    findings.set(Self.found, sightings.count)
    findings.set(Self.names, sightings.map(\.name))
    if let first = sightings.first {
      findings.set(Self.advertisingData, Octets(bytes: first.advertisingData))
      findings.set(Self.scanResponse, Octets(bytes: first.scanResponse))
    }
    findings.set(Self.devices, sightings.compactMap { stage.deviceName($0.identity) })
    return findings
  }
}
