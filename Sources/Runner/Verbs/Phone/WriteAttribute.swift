import Bytes
import HostStack
import Phone
import ScenarioLanguage
import World

/// `- phone: {write-attribute: {handle: 3, value: "41 42"}}`
enum WriteAttribute: Verb {
  static let handle = Field<Int>("handle", "The attribute's handle.").limited(to: 1...65_535)
  static let value = Field<Octets>("value", "The octets in hexadecimal.")
  static let response = Field<Bool>("response", "Whether the recorder is asked to answer.", default: true)

  static let declaration = VerbDeclaration(
    "write-attribute", of: .phone, "Writes raw octets to one attribute, whatever it is.",
    fields: [handle, value, response], failures: FailureDeclaration.ofPhones, touches: [.records],
    example: "- phone: {write-attribute: {handle: 3, value: \"41 42\"}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let handle = AttributeHandle(UInt16(clamping: call.arguments[Self.handle]))
    let octets = call.arguments[Self.value].bytes
    let procedure: ClientProcedure =
      call.arguments[Self.response] ? .write(handle, octets) : .writeWithoutResponse(handle, octets)
    _ = try await stage.run(.attribute(procedure), by: call)
    return Findings()
  }
}
