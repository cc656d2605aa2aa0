import ScenarioLanguage
import World

/// `- air: {lose-in-bursts: 1 %, end: 20 %}`
enum LoseInBursts: Verb {
  static let direction = Field<Lose.Direction>("direction", "Which packets.", default: .both)

  static let declaration = VerbDeclaration(
    "lose-in-bursts", of: .air, "Loses packets in bursts until `mend`.",
    fields: [BurstPlan.end, BurstPlan.lost, direction], shorthand: BurstPlan.begin, needs: [Capabilities.medium],
    example: "- air: {lose-in-bursts: 1 %, end: 20 %, direction: to-phone}\n- air: mend")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.loseInBursts(BurstPlan(call.arguments).loss, call.arguments[Self.direction].airDirection)
    return Findings()
  }
}
