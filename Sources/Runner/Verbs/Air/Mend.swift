import ScenarioLanguage
import World

/// `- air: mend`
enum Mend: Verb {
  static let declaration = VerbDeclaration(
    "mend", of: .air, "Ends every loss, interference, blackout and interruption. The distance stays.",
    needs: [Capabilities.medium], example: "- air: mend")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    try air.mend()
    return Findings()
  }
}
