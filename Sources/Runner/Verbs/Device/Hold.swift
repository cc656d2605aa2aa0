import ScenarioLanguage
import World

/// `- device: hold`
enum Hold: Verb {
  static let declaration = VerbDeclaration(
    "hold", of: .device, "Presses the button and holds it until `release`.", needs: [Capabilities.button],
    actuates: [.recorder(.press)], example: "- device: hold")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.pressButton(of: stage.device(call))
    return Findings()
  }
}
