import Phone
import ScenarioLanguage
import World

/// `- phone: enter-bootloader`
enum EnterBootloader: Verb {
  static let name = Field<String?>("name", "The name that the bootloader advertises; its default name unless stated.")

  static let declaration = VerbDeclaration(
    "enter-bootloader", of: .phone,
    "Tells the connected recorder to start its bootloader, and waits until it disconnects.",
    shorthand: name, failures: FailureDeclaration.ofUpdates, touches: [.firmware, .bootloader],
    example: "- phone: enter-bootloader")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    _ = try await stage.run(.enterBootloader(name: call.arguments[Self.name].map { Array($0.utf8) }), by: call)
    return Findings()
  }
}
