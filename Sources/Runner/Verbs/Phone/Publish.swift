import Phone
import ScenarioLanguage
import World

/// `- phone: {publish: 1.5.0}`
enum Publish: Verb {
  static let release = Field<String>("release", "A release by its name in the catalogue.")

  static let declaration = VerbDeclaration(
    "publish", of: .phone, "The release feed that the phone looks into offers one more firmware.",
    shorthand: release, touches: [.firmware], example: "- phone: {publish: 1.5.0}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try stage.phone(call).publish(try FirmwareOffer(release: call.arguments[Self.release], in: stage.firmware))
    return Findings()
  }
}
