import Phone
import ScenarioLanguage
import World

/// `- phone: {download: newest}`
enum Download: Verb {
  static let record = Field<RecordChoice>("record", "Which record.")
  static let size = Field<ByteCount>("size", "Number of octets received.", touches: .recordLengths)

  static let declaration = VerbDeclaration(
    "download", of: .phone, "Downloads one record, whether or not it is new.", shorthand: record, results: [size],
    failures: FailureDeclaration.ofPhones, touches: [.records], actuates: [.phone(.download)], deadline: .seconds(600),
    example: "- phone: {download: oldest}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let result = try await stage.run(.download(call.arguments[Self.record].selection), by: call)
    var findings = Findings()
    if case .record(_, let bytes) = result { findings.set(Self.size, ByteCount(bytes: bytes.count)) }
    return findings
  }
}
