import ScenarioLanguage
import World

/// `- device: cut-power`
enum CutPower: Verb {
  static let after = Field<Int?>(
    "after-writes", "How many writes to external or internal flash the recorder completes first."
  )
  .limited(to: 0...1_000_000)

  static let declaration = VerbDeclaration(
    "cut-power", of: .device, "Cuts the recorder's power, at once or during a write.",
    shorthand: after, needs: [Capabilities.rail], actuates: [.recorder(.cutPower)],
    example: "- device: cut-power\n- device: {cut-power: 3}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    if let operations = call.arguments[Self.after] {
      try await device.cutPower(afterStorageOperations: operations)
    } else {
      try await device.cutPower()
    }
    return Findings()
  }
}
