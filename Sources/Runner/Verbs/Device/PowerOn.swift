import ScenarioLanguage
import World

/// `- device: power-on`
enum PowerOn: Verb {
  static let declaration = VerbDeclaration(
    "power-on", of: .device, "Holds the recorder's rail, which boots one that is off without a press.",
    needs: [Capabilities.rail], actuates: [.recorder(.powerOn)], example: "- device: power-on")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.device(call).powerOn()
    return Findings()
  }
}
