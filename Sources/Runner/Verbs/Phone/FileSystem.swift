import Phone
import ScenarioLanguage
import World

/// `- phone: file-system`
enum FileSystem: Verb {
  static let count = Field<Int>("count", "Number of records it stores.").limited(to: 0...)
  static let free = Field<ByteCount>("free", "Free octets.", touches: .recordLengths)
  static let occupied = Field<ByteCount>("occupied", "Used octets.", touches: .recordLengths)

  static let declaration = VerbDeclaration(
    "file-system", of: .phone, "Asks the recorder for the state of its file system.",
    results: [count, free, occupied], failures: FailureDeclaration.ofPhones,
    touches: [.records], actuates: [.phone(.fileSystem)],
    example: "- phone: file-system\n  expect: {count: 0, occupied: 8192 B}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let result = try await stage.run(.fileSystemStatus, by: call)
    var findings = Findings()
    guard case .fileSystem(let free, let occupied, let count) = result else { return findings }
    findings.set(Self.count, Int(count))
    findings.set(Self.free, ByteCount(bytes: Int(free)))
    findings.set(Self.occupied, ByteCount(bytes: Int(occupied)))
    return findings
  }
}
