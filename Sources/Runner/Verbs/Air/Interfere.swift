import ScenarioLanguage
import World

/// `- air: {interfere: {every: 20 ms, for: 10 ms}}`
enum Interfere: Verb {
  static let declaration = VerbDeclaration(
    "interfere", of: .air, "Corrupts packets periodically until `mend`, as a microwave oven does.",
    fields: [InterferencePlan.every, InterferencePlan.span, InterferencePlan.corrupted],
    rules: InterferencePlan.rules, needs: [Capabilities.medium],
    example: "- air: {interfere: {every: 20 ms, for: 10 ms}}\n- air: mend")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.interfere(InterferencePlan(call.arguments).pattern)
    return Findings()
  }
}
