import Phone
import ScenarioLanguage
import World

/// `- phone: {ask-application: "02 03 41 42 43"}`
enum AskApplication: Verb {
  static let octets = Field<Octets>("request", "The request in hexadecimal.")
  static let subscribes = Field<Bool>("subscribes", "Whether the phone enables indications first.", default: true)
  static let reply = Field<Octets>("reply", "The reply in hexadecimal.")

  static let declaration = VerbDeclaration(
    "ask-application", of: .phone, "Writes raw octets to the buttonless DFU characteristic.",
    fields: [octets, subscribes], shorthand: octets, results: [reply], failures: FailureDeclaration.ofUpdates,
    touches: [.firmware], example: "- phone: {ask-application: \"02 03 41 42 43\"}\n  expect: {reply: \"200201\"}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    let octets = call.arguments[Self.octets].bytes
    let result = try await stage.run(.askApplication(octets, subscribes: call.arguments[Self.subscribes]), by: call)
    if case .reply(let reply) = result { findings.set(Self.reply, Octets(bytes: reply)) }
    return findings
  }
}
