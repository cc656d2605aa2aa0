import Phone
import ScenarioLanguage
import World

/// `- phone: {ask-bootloader: "06 01"}`
enum AskBootloader: Verb {
  static let octets = Field<Octets>("request", "The request in hexadecimal.")
  static let answers = Field<Bool>("answers", "Whether the phone waits for a reply.", default: true)
  static let reply = Field<Octets>("reply", "The reply in hexadecimal.")

  static let declaration = VerbDeclaration(
    "ask-bootloader", of: .phone, "Writes raw octets to the bootloader's control point.",
    fields: [octets, answers], shorthand: octets, results: [reply], awaits: answers,
    failures: FailureDeclaration.ofUpdates, touches: [.firmware, .bootloader], deadline: .seconds(120),
    example: "- phone: {ask-bootloader: \"06 02\"}\n  expect: {reply: \"600601001000000000000000000000\"}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    let octets = call.arguments[Self.octets].bytes
    let result = try await stage.run(.askBootloader(octets, awaitsReply: call.arguments[Self.answers]), by: call)
    if case .reply(let reply) = result { findings.set(Self.reply, Octets(bytes: reply)) }
    return findings
  }
}
