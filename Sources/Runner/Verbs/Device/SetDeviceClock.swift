import Phone
import ScenarioLanguage
import World

/// `- device: {set-clock: "2024-12-31 23:59:50"}`
enum SetDeviceClock: Verb {
  static let time = Field<CivilDateTime?>("time", "The civil local time.")
  static let shift = Field<Duration?>("shift", "By how much, forwards or backwards.")

  static let declaration = VerbDeclaration(
    "set-clock", of: .device, "Sets the recorder's clock by other ways than its radio.", fields: [shift],
    shorthand: time, needs: [Capabilities.clock], example: "- device: {set-clock: {shift: -1 h}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    var seconds = try device.inspect().clock
    if let time = call.arguments[Self.time] { seconds = time.localSeconds }
    if let shift = call.arguments[Self.shift] { seconds += shift.components.seconds }
    try device.setClock(seconds)
    return Findings()
  }
}
