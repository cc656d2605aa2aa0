import Phone
import ScenarioLanguage
import World

/// `- phone: restart`
enum Restart: Verb {
  static let declaration = VerbDeclaration(
    "restart", of: .phone, "Ends the phone's application and starts it again; its library stays.",
    actuates: [.phone(.restart)], example: "- phone: restart")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.phone(call).restart()
    return Findings()
  }
}
