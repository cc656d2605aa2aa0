import Phone
import ScenarioLanguage
import World

/// `- phone: {publish: 1.5.0}`
enum Publish: Verb {
  static let release = Field<ReleaseName>("release", "A release by its name in the catalogue.")

  static let declaration = VerbDeclaration(
    "publish", of: .phone, "Adds a release to the feed that the phone checks for updates.",
    shorthand: release, touches: [.firmware], example: "- phone: {publish: 1.5.0}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try stage.phone(call).publish(try FirmwareOffer(release: call.arguments[Self.release].text, in: stage.firmware))
    return Findings()
  }
}
