import Phone
import ScenarioLanguage
import World

/// `- phone: {listen: newest, until: 1 s}`
enum Listen: Verb {
  static let record = Field<RecordChoice>("record", "Which record of the library.")
  static let until = Field<Duration?>("until", "Up to which position in it; to its end unless stated.")

  static let declaration = VerbDeclaration(
    "listen", of: .phone, "The user listens to a record, which is new no longer. Takes no time.", fields: [until],
    shorthand: record, failures: FailureDeclaration.ofPhones, touches: [.records],
    example: "- phone: {listen: newest, until: 1 s}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let end = call.arguments[Self.until] ?? .seconds(24 * 3_600)
    _ = try await stage.run(.listen(call.arguments[Self.record].selection, until: end), by: call)
    return Findings()
  }
}
