import ScenarioLanguage
import World

/// `- air: {distance: 5 m}`
enum SetDistance: Verb {
  static let distance = Field<Distance>("distance", "Distance between phone and recorder.")
    .limited(to: Distance(millimetres: 10)...Distance(millimetres: 10_000_000))

  static let declaration = VerbDeclaration(
    "distance", of: .air, "Moves phone and recorder apart or together.", shorthand: distance,
    needs: [Capabilities.medium], example: "- air: {distance: 5 m}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.setDistance(millimetres: call.arguments[Self.distance].millimetres)
    return Findings()
  }
}
