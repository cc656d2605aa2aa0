import ScenarioLanguage
import World

/// `- device: power-on`
enum PowerOn: Verb {
  static let declaration = VerbDeclaration(
    "power-on", of: .device, "Powers the recorder from outside, which boots it without a press of the button.",
    needs: [Capabilities.rail], actuates: [.recorder(.powerOn)], example: "- device: power-on")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.device(call).powerOn()
    return Findings()
  }
}
