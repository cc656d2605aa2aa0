import ScenarioLanguage
import World

/// `- device: forget-bonds`
enum ForgetBonds: Verb {
  static let declaration = VerbDeclaration(
    "forget-bonds", of: .device, "Erases the bonds that the recorder stores, as losing a flash page would.",
    needs: [Capabilities.bonds], actuates: [.recorder(.forgetBonds)], example: "- device: forget-bonds")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.device(call).forgetBonds()
    return Findings()
  }
}
