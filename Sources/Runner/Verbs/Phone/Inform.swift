import Phone
import ScenarioLanguage
import World

/// `- phone: {inform: newest}`
enum Inform: Verb {
  static let record = Field<RecordChoice>("record", "Which record.")
  static let size = Field<ByteCount>("size", "Its size.", touches: .recordLengths)

  static let declaration = VerbDeclaration(
    "inform", of: .phone, "Asks the recorder for the size of a record.", shorthand: record, results: [size],
    failures: FailureDeclaration.ofPhones, touches: [.records], actuates: [.phone(.inform)],
    example: "- phone: {inform: newest}\n  expect: {size: {at-least: 1 KiB}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let result = try await stage.run(.inform(call.arguments[Self.record].selection), by: call)
    var findings = Findings()
    if case .size(let octets) = result { findings.set(Self.size, ByteCount(bytes: Int(octets))) }
    return findings
  }
}
