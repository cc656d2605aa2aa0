import Phone
import ScenarioLanguage
import World

/// `- phone: read-battery`
enum ReadBattery: Verb {
  static let level = Field<Share>("level", "The battery level.")

  static let declaration = VerbDeclaration(
    "read-battery", of: .phone, "Reads the recorder's battery level.", results: [level],
    failures: FailureDeclaration.ofPhones, actuates: [.phone(.readBattery)],
    example: "- phone: read-battery\n  expect: {level: {at-least: 24 %}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let result = try await stage.run(.readBattery, by: call)
    var findings = Findings()
    if case .battery(let level) = result { findings.set(Self.level, Share(percent: Int(level))) }
    return findings
  }
}
