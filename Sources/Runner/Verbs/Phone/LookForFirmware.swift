import Phone
import ScenarioLanguage
import World

/// `- phone: look-for-firmware`
enum LookForFirmware: Verb {
  static let isOffered = Field<Bool>("offered", "Whether firmware is offered.")
  static let release = Field<String>("release", "Its release name.")
  static let version = Field<Int>("version", "Its version.").limited(to: 0...)

  static let declaration = VerbDeclaration(
    "look-for-firmware", of: .phone, "Checks the release feed now instead of waiting for the next scheduled check.",
    results: [isOffered, release, version], failures: FailureDeclaration.ofUpdates,
    touches: [.firmware], example: "- phone: look-for-firmware\n  expect: {offered: true, release: 1.5.0}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    guard case .offer(let offer) = try await stage.run(.lookForFirmware, by: call) else { return findings }
    findings.set(Self.isOffered, offer != nil)
    if let offer {
      findings.set(Self.release, offer.name)
      findings.set(Self.version, Int(offer.version))
    }
    return findings
  }
}
