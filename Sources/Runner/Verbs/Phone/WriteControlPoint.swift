import Phone
import ScenarioLanguage
import World

/// `- phone: {write-control-point: "03"}`
enum WriteControlPoint: Verb {
  static let octets = Field<Octets>("octets", "The octets in hexadecimal.")

  static let declaration = VerbDeclaration(
    "write-control-point", of: .phone,
    "Writes raw octets to the file transfer control point, such as a request that no correct phone sends.",
    shorthand: octets, failures: FailureDeclaration.ofPhones, touches: [.records],
    example: "- phone: {write-control-point: \"05\"}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let octets = call.arguments[Self.octets].bytes
    _ = try await stage.run(.writeControlPoint(octets), by: call)
    return Findings()
  }
}
