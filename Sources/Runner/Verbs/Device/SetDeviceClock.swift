import Bench
import DictofunProtocol
import Phone
import ScenarioLanguage
import World

/// `- device: {set-clock: "2024-12-31 23:59:50"}`
enum SetDeviceClock: Verb {
  static let time = Field<CivilDateTime?>("time", "The local date and time.")
    .limited(to: CivilDateTime.ofRecorders)
  static let forward = Field<Duration?>("forward", "How far to set the clock forward.")
    .counted(in: Duration.seconds(1))
  static let back = Field<Duration?>("back", "How far to set the clock back.")
    .counted(in: Duration.seconds(1))

  static let declaration = VerbDeclaration(
    "set-clock", of: .device, "Sets the recorder's clock without using its radio.", fields: [forward, back],
    shorthand: time, rules: [.some(of: time, forward, back)], needs: [Capabilities.clock],
    actuates: [.recorder(.setClock)],
    example: "- device: {set-clock: {back: 1 h}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    var seconds: LocalSeconds
    if let time = call.arguments[Self.time] {
      seconds = time.localSeconds
    } else if device is ActuatedDevice, let phone = stage.phones.first {
      // A real recorder does not tell what its clock shows; since its last meeting it shows the phone's time.
      seconds = try phone.readClock()
    } else {
      seconds = try await device.inspect().clock
    }
    if let forward = call.arguments[Self.forward] { seconds += forward.components.seconds }
    if let back = call.arguments[Self.back] { seconds -= back.components.seconds }
    _ = try CivilTime(onRecorder: seconds)
    if let real = device as? ActuatedDevice, !real.canSetClock, let phone = stage.phones.first {
      try await stage.serve(seconds, to: real, by: phone)
    } else {
      try await device.setClock(seconds)
    }
    return Findings()
  }
}
