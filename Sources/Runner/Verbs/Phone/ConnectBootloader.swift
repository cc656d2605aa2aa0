import Phone
import ScenarioLanguage
import World

/// `- phone: connect-bootloader`
enum ConnectBootloader: Verb {
  static let to = Field<RecorderName?>(
    "to", "Which recorder's bootloader, by its name in `given`; the paired one's unless stated.")
  static let subscribes = Field<Bool>(
    "subscribes", "Whether the phone enables notifications of the control point.", default: true)

  static let declaration = VerbDeclaration(
    "connect-bootloader", of: .phone, "Connects to a recorder's bootloader.", fields: [to, subscribes],
    failures: FailureDeclaration.ofUpdates, touches: [.firmware, .bootloader], deadline: .seconds(120),
    example: "- phone: connect-bootloader")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let choice = try stage.recorder(call.arguments[Self.to])
    _ = try await stage.run(.connectBootloader(choice, subscribes: call.arguments[Self.subscribes]), by: call)
    return Findings()
  }
}
