import HostStack
import Phone
import ScenarioLanguage
import World

/// `- phone: {read-attribute: 3}`
enum ReadAttribute: Verb {
  static let handle = Field<Int>("handle", "The attribute's handle.").limited(to: 1...65_535)
  static let value = Field<Octets>("value", "Its value in hexadecimal.")
  static let octets = Field<Int>("octets", "The length of its value.").limited(to: 0...)

  static let declaration = VerbDeclaration(
    "read-attribute", of: .phone, "Reads the value of one attribute, whatever it is.", fields: [handle],
    shorthand: handle, results: [value, octets], failures: FailureDeclaration.ofPhones,
    example: "- phone: {read-attribute: 3}\n  expect: {value: \"646963746f66756e\"}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let handle = AttributeHandle(UInt16(clamping: call.arguments[Self.handle]))
    var findings = Findings()
    guard case .attribute(.value(let value)) = try await stage.run(.attribute(.read(handle)), by: call) else {
      return findings
    }
    findings.set(Self.value, Octets(bytes: value))
    findings.set(Self.octets, value.count)
    return findings
  }
}
