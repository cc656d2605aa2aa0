import Phone
import ScenarioLanguage
import World

/// `- phone: {write-control-point: "03"}`
enum WriteControlPoint: Verb {
  static let octets = Field<String>("octets", "The octets in hexadecimal.")

  static let declaration = VerbDeclaration(
    "write-control-point", of: .phone, "Writes octets to the control point that a well-behaved phone would not.",
    shorthand: octets, failures: FailureDeclaration.ofPhones, touches: [.records],
    example: "- phone: {write-control-point: \"05\"}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let octets = try HexadecimalField.octets(call.arguments[Self.octets])
    _ = try await stage.run(.writeControlPoint(octets), by: call)
    return Findings()
  }
}
