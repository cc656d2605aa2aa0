import ScenarioLanguage
import World

/// `- air: {black-out: 2 s, after: 500 ms}`
enum BlackOut: Verb {
  static let after = Field<Duration>("after", "When it begins, counted from this step.", default: .zero)

  static let declaration = VerbDeclaration(
    "black-out", of: .air,
    "Lets nothing through for a time; the step ends at once, so that others happen before and during it.",
    fields: [after], shorthand: BlackoutPlan.span, needs: [Capabilities.medium],
    example: "- air: {black-out: 2 s, after: 500 ms}\n- phone: sync")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.blackOut(after: call.arguments[Self.after], for: call.arguments[BlackoutPlan.span])
    return Findings()
  }
}
