import ScenarioLanguage
import YAML

/// Scenario files: whatever the octets are, reading them ends in scenarios or in messages that point into the file.
enum ScenarioTarget {
  static func scenario(_ octets: [UInt8]) -> Bool {
    let file = SourceFile(path: "input.yaml", bytes: octets)
    let library = ScenarioLibrary(files: [file], vocabulary: vocabulary)
    precondition(library.hasErrors || !library.scenarios.isEmpty, "a file is refused without a word")
    _ = library.report
    return !library.scenarios.isEmpty
  }

  /// One verb, section and event with every kind of field, which is all that the reader can tell apart.
  private static let vocabulary = Vocabulary(
    verbs: [scan, disconnect, sync, press], given: [givenDevice, givenPhone], observations: [request],
    capabilities: [button], requirements: ["APP-2.3"])

  private static let button = Capability(.actuators, "button", "The record button can be pressed.")
  private static let scan = VerbDeclaration("scan", of: .phone, "Looks around.", example: "- phone: scan")
  private static let disconnect = VerbDeclaration(
    "disconnect", of: .phone, "Ends the link.", example: "- phone: disconnect")
  private static let sync = VerbDeclaration(
    "sync", of: .phone, "Fetches what is new.", fields: [Field<Int?>("most", "At most so many.")],
    results: [Field<Int>("downloaded", "Records that were fetched.")],
    failures: [FailureDeclaration("not-found", "No recorder is in sight.")], example: "- phone: sync")
  private static let press = VerbDeclaration(
    "press", of: .device, "Presses the button.", fields: [Field<String?>("sound", "What is heard.")],
    shorthand: Field<Duration>("hold", "How long.", default: .seconds(2)), needs: [button],
    example: "- device: {press: 2 s}")
  private static let givenDevice = GivenDeclaration(
    "device", plural: "devices", actor: .device, "The recorder.",
    fields: [
      Field<Share?>("battery", "Its charge."), Field<[String]?>("names", "Its records."),
      Field<CivilDateTime?>("clock", "Its time."), Field<FrequencyError?>("crystal", "Its error."),
    ], example: "given:\n  device: {battery: 84 %}")
  private static let givenPhone = GivenDeclaration(
    "phone", plural: "phones", actor: .phone, "The phone.", fields: [Field<Bool?>("bonded", "Whether it has a bond.")],
    example: "given:\n  phone: {bonded: true}")
  private static let request = ObservationDeclaration(
    "fts.request", "A request was written.", fields: [Field<String?>("opcode", "Which one.")],
    example: "- never: {fts.request: {opcode: list}}\n  for: 1 h")
}
