import Phone
import ScenarioLanguage
import World

/// `- phone: disconnect`
enum Disconnect: Verb {
  static let declaration = VerbDeclaration(
    "disconnect", of: .phone, "Ends the connection; nothing happens where there is none.",
    failures: FailureDeclaration.ofPhones,
    actuates: [.phone(.disconnect)], example: "- phone: disconnect")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.disconnect, by: call)
    return Findings()
  }
}
