import Phone
import ScenarioLanguage
import Text
import World

/// `- phone: {entry: newest}`
enum Entry: Verb {
  static let record = Field<RecordChoice>("record", "Which record of the library.")
  static let date = Field<CivilDateTime>("date", "When it was spoken, by the recorder's clock.")
  static let duration = Field<Duration>("duration", "Its playing time.", touches: .recordLengths)
  static let position = Field<Duration>("position", "How far the user has listened.", touches: .recordLengths)
  static let transcript = Field<String>("transcript", "What is said in it; empty until it was transcribed.")
  static let new = Field<Bool>("new", "Whether the user has not listened to it yet.")

  static let declaration = VerbDeclaration(
    "entry", of: .phone, "Reads what the phone shows of one record.", shorthand: record,
    results: [date, duration, position, transcript, new], failures: FailureDeclaration.ofPhones, touches: [.records],
    example: "- phone: {entry: newest}\n  expect: {position: 1 s, new: false}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let entries = try await stage.phone(call).shownRecords()
    let chosen: ShownRecord? =
      switch call.arguments[Self.record] {
      case .newest: entries.first
      case .oldest: entries.last
      case .named(let name): entries.first { $0.identifier == name.description }
      }
    guard let chosen else { throw VerbFailure(.noSuchRecord) }
    var findings = Findings()
    if let time = chosen.date {
      let date = CivilDateTime(
        year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second)
      if let date { findings.set(Self.date, date) }
    }
    findings.set(Self.duration, chosen.duration)
    findings.set(Self.position, chosen.position)
    findings.set(Self.transcript, PlainText.escaped(chosen.transcript ?? ""))
    findings.set(Self.new, chosen.isNew)
    return findings
  }
}
