import ScenarioLanguage
import World

/// `- air: break`
enum Break: Verb {
  static let span = Field<Duration?>("for", "How long; until `mend` unless stated.")

  static let declaration = VerbDeclaration(
    "break", of: .air, "Lets nothing through.", shorthand: span, needs: [Capabilities.medium],
    deadline: .seconds(86_400), example: "- air: break\n- air: mend\n- air: {break: 10 s}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.interrupt()
    guard let span = call.arguments[Self.span] else { return Findings() }
    try await stage.pass(span)
    try air.mend()
    return Findings()
  }
}
