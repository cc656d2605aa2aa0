import Phone
import ScenarioLanguage
import World

/// `- phone: enter-bootloader`
enum EnterBootloader: Verb {
  static let name = Field<String?>("name", "What the bootloader shall call itself; its own name unless stated.")

  static let declaration = VerbDeclaration(
    "enter-bootloader", of: .phone, "Asks the connected recorder for its bootloader, and waits for the link's end.",
    shorthand: name, failures: FailureDeclaration.ofUpdates, touches: [.firmware], example: "- phone: enter-bootloader")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.enterBootloader(name: call.arguments[Self.name].map { Array($0.utf8) }), by: call)
    return Findings()
  }
}
