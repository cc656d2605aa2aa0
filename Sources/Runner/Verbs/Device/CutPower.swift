import ScenarioLanguage
import World

/// `- device: cut-power`
enum CutPower: Verb {
  static let after = Field<Int?>(
    "after-writes", "How many writes to its storage, that of records or its chip's own, the recorder is granted first."
  )
  .limited(to: 0...1_000_000)

  static let declaration = VerbDeclaration(
    "cut-power", of: .device, "Takes the recorder's power away, at once or in the middle of a write.",
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
