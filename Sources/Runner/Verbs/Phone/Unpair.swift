import Phone
import ScenarioLanguage
import World

/// `- phone: unpair`
enum Unpair: Verb {
  static let declaration = VerbDeclaration(
    "unpair", of: .phone, "Tells the recorder to delete its bonds, and deletes the phone's keys.",
    failures: FailureDeclaration.ofPhones,
    actuates: [.phone(.unpair)], example: "- phone: connect\n- phone: unpair")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try stage.rememberKeys(of: try stage.phone(call))
    _ = try await stage.run(.unpair, by: call)
    return Findings()
  }
}
