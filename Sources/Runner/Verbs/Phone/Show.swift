import Phone
import ScenarioLanguage
import World

/// `- phone: {show: background}`
enum Show: Verb {
  enum Place: String, FieldChoice {
    case foreground
    case background

    var meaning: String {
      switch self {
      case .foreground: "Visible: it shows progress and runs at full speed."
      case .background: "Hidden: it runs slowly."
      }
    }
  }

  static let place = Field<Place>("place", "Where the application is.")

  static let declaration = VerbDeclaration(
    "show", of: .phone, "Brings the phone's application to the foreground or sends it to the background.",
    shorthand: place, touches: [.records], actuates: [.phone(.show)], example: "- phone: {show: background}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.phone(call).setForeground(call.arguments[Self.place] == .foreground)
    return Findings()
  }
}
