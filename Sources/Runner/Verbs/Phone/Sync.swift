import Phone
import ScenarioLanguage
import World

/// `- phone: sync`
enum Sync: Verb {
  static let finish = Field<Bool>("finish", "Whether to say \"receive complete\" as the last word.", default: true)
  static let to = Field<String?>("to", "Which recorder, by its name in `given`; the paired one unless stated.")
  static let listed = Field<Int>("listed", "Records the recorder listed.")
  static let downloaded = Field<Int>("downloaded", "Records that were fetched.")
  static let size = Field<ByteCount>("size", "Octets that were fetched.", touches: .recordLengths)
  static let battery = Field<Share>("battery", "Battery level that was read.")

  static let declaration = VerbDeclaration(
    "sync", of: .phone,
    "Connects where needed, secures the link, reads the battery, lists the records and fetches what is new.",
    fields: [to, finish], results: [listed, downloaded, size, battery], failures: FailureDeclaration.ofPhones,
    touches: [.records], actuates: [.phone(.sync)], deadline: .seconds(600),
    example: "- phone: sync\n  expect: {downloaded: 1}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let choice = try stage.recorder(call.arguments[Self.to])
    let result = try await stage.run(.sync(choice, finishes: call.arguments[Self.finish]), by: call)
    var findings = Findings()
    guard case .synced(let summary) = result else { return findings }
    findings.set(Self.listed, summary.listed)
    findings.set(Self.downloaded, summary.downloaded)
    findings.set(Self.size, ByteCount(bytes: summary.octets))
    if let level = summary.battery { findings.set(Self.battery, Share(percent: Int(level))) }
    return findings
  }
}
