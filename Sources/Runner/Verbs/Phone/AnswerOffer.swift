import Phone
import ScenarioLanguage
import World

/// `- phone: {answer-offer: accept}`
enum AnswerOffer: Verb {
  enum Answer: String, FieldChoice {
    case accept
    case refuse

    var meaning: String {
      switch self {
      case .accept: "The firmware is installed now."
      case .refuse: "This version is never offered again."
      }
    }
  }

  static let answer = Field<Answer>("answer", "What the user says.")

  static let declaration = VerbDeclaration(
    "answer-offer", of: .phone, "The user answers an offer of newer firmware.", shorthand: answer,
    results: [Update.version, Update.links, Update.drops, Update.size, Update.seconds],
    failures: FailureDeclaration.ofUpdates, touches: [.firmware, .bootloader], deadline: .seconds(3_600),
    example: "- phone: {answer-offer: accept}\n  expect: {version: 2}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let accepts = call.arguments[Self.answer] == .accept
    return Update.findings(try await stage.run(.answerOffer(accepts: accepts), by: call))
  }
}
