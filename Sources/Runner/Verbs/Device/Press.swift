import Bench
import ScenarioLanguage
import World

/// `- device: {press: 2 s}`
enum Press: Verb {
  static let hold = Field<Duration>("hold", "How long the button is held.", default: .seconds(2))
    .limited(to: Duration.milliseconds(1)...Duration.seconds(7_200))
  static let sound = Field<SoundName?>(
    "sound", "A WAV file that the microphone hears, by its path below the folder of scenarios.",
    needs: Capabilities.sound)

  static let declaration = VerbDeclaration(
    "press", of: .device, "Holds the button for a time; the recorder records while it is held.", fields: [sound],
    shorthand: hold, lasts: hold, needs: [Capabilities.button], actuates: [.recorder(.press)],
    deadline: .seconds(7_300),
    example: "- device: {press: 2 s}\n- device: {press: 3 s, sound: audio/note-idea-en.wav}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    // A bench has no loudspeaker; where the sound is judged, the scenario does not begin.
    if let sound = call.arguments[Self.sound], !(device is ActuatedDevice) {
      try await stage.play(sound.text, to: device)
    }
    if let real = device as? ActuatedDevice, real.timesPresses {
      try await stage.press(real, for: call.arguments[Self.hold])
      return Findings()
    }
    try await stage.pressButton(of: device)
    do { try await stage.pass(call.arguments[Self.hold]) } catch {
      // Whoever gives the step up must not leave a finger on the button.
      try? await stage.releaseButton(of: device)
      throw error
    }
    try await stage.releaseButton(of: device)
    return Findings()
  }
}
