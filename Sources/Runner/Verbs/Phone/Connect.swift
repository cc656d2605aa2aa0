import Phone
import ScenarioLanguage
import World

/// `- phone: connect`
enum Connect: Verb {
  static let to = Field<RecorderName?>("to", "Which recorder, by its name in `given`; the paired one unless stated.")

  static let declaration = VerbDeclaration(
    "connect", of: .phone, "Connects to a recorder, encrypts the link if there is a bond, and reads the battery level.",
    shorthand: to, failures: FailureDeclaration.ofPhones, actuates: [.phone(.connect)], deadline: .seconds(60),
    example: "- phone: connect\n- phone: {connect: device}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.connect(try stage.recorder(call.arguments[Self.to])), by: call)
    return Findings()
  }
}
