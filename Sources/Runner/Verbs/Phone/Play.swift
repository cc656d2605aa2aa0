import DictofunProtocol
import Phone
import ScenarioLanguage
import World

/// `- phone: {play: newest, sound: audio/note-idea-en.wav}`
enum Play: Verb {
  static let record = Field<RecordChoice>("record", "Which record of the library.")
  static let sound = Field<SoundName?>("sound", "The WAV file that was played to the microphone.")
  static let repeats = Field<Bool>(
    "repeats", "Whether the microphone heard the file again and again, to the end of the record.", default: false)
  static let duration = Field<Duration>("duration", "Playing time of the record.", touches: .recordLengths)
  static let quality = Field<Int>(
    "signal-to-noise",
    "Signal-to-noise ratio of the record against the sound, in whole decibels. The record may begin half a second late, and the "
      + "clock of its microphone may be off by one percent.")

  static let declaration = VerbDeclaration(
    "play", of: .phone, "Decodes a record from the phone's library and compares it with the original sound.",
    fields: [sound, repeats], shorthand: record, results: [duration, quality], failures: FailureDeclaration.ofPhones,
    touches: [.records],
    example: "- phone: {play: newest}\n  expect: {duration: {at-least: 2 s}}\n"
      + "- phone: {play: newest, sound: audio/note-idea-en.wav}\n  expect: {signal-to-noise: {at-least: 15}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let entries = try await stage.phone(call).records()
    let chosen: LibraryEntry? =
      switch call.arguments[Self.record] {
      case .newest: entries.first
      case .oldest: entries.last
      case .named(let name): entries.first { $0.identifier == name.description }
      }
    guard let chosen else { throw VerbFailure(.noSuchRecord) }
    let heard = RecordAudio.samples(of: chosen.bytes)
    var findings = Findings()
    findings.set(Self.duration, .milliseconds(heard.count * 1_000 / RecordAudio.sampleRate))
    if let name = call.arguments[Self.sound] {
      var spoken = try stage.sound(name.text)
      if call.arguments[Self.repeats], !spoken.isEmpty {
        let once = spoken
        // As far as a record can reach that begins late and was taken slowly.
        let count = heard.count + heard.count * SoundAlignment.rateTolerance / 1000 + SoundAlignment.latest + 2
        spoken = (0..<count).map { once[$0 % once.count] }
      }
      let quality = SignalQuality(of: heard, spoken: spoken)
      findings.set(Self.quality, quality.decibels)
    }
    return findings
  }
}
