import Phone
import ScenarioLanguage
import World

/// `- phone: sync`
enum Sync: Verb {
  static let finish = Field<Bool>(
    "finish", "Whether the phone ends with the request `receive-complete`.", default: true)
  static let to = Field<RecorderName?>("to", "Which recorder, by its name in `given`; the paired one unless stated.")
  static let listed = Field<Int>("listed", "Number of records that the recorder listed.").limited(to: 0...)
  static let downloaded = Field<Int>("downloaded", "Number of records downloaded.").limited(to: 0...)
  static let size = Field<ByteCount>("size", "Number of octets downloaded.", touches: .recordLengths)
  static let battery = Field<Share>("battery", "Battery level that the phone read.")

  static let declaration = VerbDeclaration(
    "sync", of: .phone,
    "Connects if necessary, encrypts the link, reads the battery, lists the records and downloads the new ones.",
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
