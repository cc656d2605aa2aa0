import ScenarioLanguage
import World

/// `- device: {drift: -20 ppm}`
enum Drift: Verb {
  static let error = Field<FrequencyError>("error", "How much faster than nominal its oscillator runs.")
    .limited(to: FrequencyError.simulated)

  static let declaration = VerbDeclaration(
    "drift", of: .device, "Changes the frequency error of the recorder's oscillator, as temperature does.",
    shorthand: error, needs: [Capabilities.clock], example: "- device: {drift: -20 ppm}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    let error = call.arguments[Self.error].partsPerBillion
    try await device.setOscillatorError(partsPerBillion: error)
    return Findings()
  }
}
