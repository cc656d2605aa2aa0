import Phone
import ScenarioLanguage
import World

/// `- phone: list`
enum List: Verb {
  static let count = Field<Int>("count", "Number of records that the recorder listed.").limited(to: 0...)
  static let first = Field<RecordName>("first", "The first record listed.")
  static let last = Field<RecordName>("last", "The last record listed.")

  static let declaration = VerbDeclaration(
    "list", of: .phone, "Lists the records on the recorder.", results: [count, first, last],
    failures: FailureDeclaration.ofPhones, touches: [.records], actuates: [.phone(.list)],
    example: "- phone: connect\n- phone: list\n  expect: {count: 7}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let result = try await stage.run(.list, by: call)
    var findings = Findings()
    guard case .records(let names) = result else { return findings }
    findings.set(Self.count, names.count)
    if let name = names.first.flatMap(RecordName.init) { findings.set(Self.first, name) }
    if let name = names.last.flatMap(RecordName.init) { findings.set(Self.last, name) }
    return findings
  }
}
