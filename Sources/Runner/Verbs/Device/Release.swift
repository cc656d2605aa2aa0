import ScenarioLanguage
import World

/// `- device: release`
enum Release: Verb {
  static let declaration = VerbDeclaration(
    "release", of: .device, "Releases the button.", needs: [Capabilities.button],
    actuates: [.recorder(.release)], example: "- device: hold\n- wait: 1 s\n- device: release")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.releaseButton(of: stage.device(call))
    return Findings()
  }
}
