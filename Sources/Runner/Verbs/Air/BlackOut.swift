import ScenarioLanguage
import World

/// `- air: {black-out: 2 s, after: 500 ms}`
enum BlackOut: Verb {
  static let after = Field<Duration>("after", "When it begins, measured from the start of this step.", default: .zero)

  static let declaration = VerbDeclaration(
    "black-out", of: .air,
    "Lets no packet through for a time. The step ends at once; later steps run before and during the blackout.",
    fields: [after], shorthand: BlackoutPlan.span, needs: [Capabilities.medium],
    example: "- air: {black-out: 2 s, after: 500 ms}\n- phone: sync")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.blackOut(after: call.arguments[Self.after], for: call.arguments[BlackoutPlan.span])
    return Findings()
  }
}
