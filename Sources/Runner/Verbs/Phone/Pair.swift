import Phone
import ScenarioLanguage
import World

/// `- phone: pair`
enum Pair: Verb {
  static let declaration = VerbDeclaration(
    "pair", of: .phone, "Pairs with the connected recorder and stores the bond.", failures: FailureDeclaration.ofPhones,
    actuates: [.phone(.pair)], example: "- phone: connect\n- phone: pair")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.pair, by: call)
    return Findings()
  }
}
