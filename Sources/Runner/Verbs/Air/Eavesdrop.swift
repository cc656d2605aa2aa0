import ScenarioLanguage
import World

/// `- air: eavesdrop`
enum Eavesdrop: Verb {
  static let declaration = VerbDeclaration(
    "eavesdrop", of: .air,
    "Lets somebody listen to every connection that begins from now on. DEV-10 is violated when he learns a key or a record.",
    needs: [Capabilities.medium], example: "- air: eavesdrop\n- phone: connect\n- phone: pair")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.eavesdrop()
    return Findings()
  }
}
