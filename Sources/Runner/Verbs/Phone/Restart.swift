import Phone
import ScenarioLanguage
import World

/// `- phone: restart`
enum Restart: Verb {
  static let declaration = VerbDeclaration(
    "restart", of: .phone, "Restarts the phone's application. Its library stays.",
    actuates: [.phone(.restart)], example: "- phone: restart")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.phone(call).restart()
    return Findings()
  }
}
