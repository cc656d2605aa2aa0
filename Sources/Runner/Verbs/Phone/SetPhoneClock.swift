import Phone
import ScenarioLanguage
import World

/// `- phone: {set-clock: "2024-12-31 23:59:50"}`
enum SetPhoneClock: Verb {
  static let time = Field<CivilDateTime?>("time", "The local date and time.")
  static let forward = Field<Duration?>("forward", "How far to set the clock forward.")
    .counted(in: Duration.seconds(1))
  static let back = Field<Duration?>("back", "How far to set the clock back.")
    .counted(in: Duration.seconds(1))

  static let declaration = VerbDeclaration(
    "set-clock", of: .phone, "Sets the phone's clock, as a user or a change of time zone does.",
    fields: [forward, back],
    shorthand: time, rules: [.some(of: time, forward, back)],
    actuates: [.phone(.setClock)],
    example: "- phone: {set-clock: \"2024-12-31 23:59:50\"}\n- phone: {set-clock: {forward: 1 h}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let phone = try stage.phone(call)
    var seconds = try phone.readClock()
    if let time = call.arguments[Self.time] { seconds = time.localSeconds }
    if let forward = call.arguments[Self.forward] { seconds += forward.components.seconds }
    if let back = call.arguments[Self.back] { seconds -= back.components.seconds }
    try await phone.setClock(seconds)
    return Findings()
  }
}
