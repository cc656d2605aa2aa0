import Phone
import ScenarioLanguage
import World

/// `- phone: {delete: newest}`
enum Delete: Verb {
  static let record = Field<RecordChoice>("record", "Which record of the library.")

  static let declaration = VerbDeclaration(
    "delete", of: .phone, "Deletes a record from the phone's library permanently.", shorthand: record,
    failures: FailureDeclaration.ofPhones, touches: [.records], actuates: [.phone(.delete)],
    example: "- phone: {delete: newest}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.delete(call.arguments[Self.record].selection), by: call)
    return Findings()
  }
}
