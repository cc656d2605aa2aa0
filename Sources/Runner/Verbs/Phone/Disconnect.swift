import Phone
import ScenarioLanguage
import World

/// `- phone: disconnect`
enum Disconnect: Verb {
  static let declaration = VerbDeclaration(
    "disconnect", of: .phone, "Disconnects; does nothing when there is no connection.",
    failures: FailureDeclaration.ofPhones,
    actuates: [.phone(.disconnect)], example: "- phone: disconnect")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.disconnect, by: call)
    return Findings()
  }
}
