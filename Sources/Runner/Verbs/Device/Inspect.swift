import Phone
import ScenarioLanguage
import World

/// `- device: inspect`
enum Inspect: Verb {
  static let records = Field<Int>("records", "Records it stores.")
  static let newest = Field<RecordName>("newest", "The record made last.")
  static let size = Field<ByteCount>("size", "Size of the record made last.")
  static let state = Field<String>("state", "State of its state machine, in the firmware's words.")
  static let power = Field<Bool>("power", "Whether it is switched on.")
  static let bonds = Field<Int>("bonds", "Bonds it keeps.")
  static let clockError = Field<Duration>("clock-error", "How far its clock is from the phone's, either way.")
  static let unique = Field<Bool>("unique", "Whether no two of its records share an identifier.")
  static let version = Field<Int>("version", "Version of its application, as its bootloader knows it.")
  static let bootloader = Field<Bool>("bootloader", "Whether its bootloader runs in the application's place.")

  static let declaration = VerbDeclaration(
    "inspect", of: .device, "Looks inside the recorder, which no phone can.",
    results: [records, newest, size, state, power, bonds, clockError, unique, version, bootloader],
    needs: [Capabilities.inspection],
    example: "- device: inspect\n  expect: {records: 1, clock-error: {at-most: 5 s}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    let phone = stage.phones.first
    var findings = Findings()
    let inside = try await device.inspect()
    findings.set(Self.records, inside.records.count)
    if let last = inside.records.last {
      if let name = RecordName(last.identifier) { findings.set(Self.newest, name) }
      findings.set(Self.size, ByteCount(bytes: last.bytes.count))
    }
    findings.set(Self.state, inside.state)
    findings.set(Self.power, inside.isOn)
    findings.set(Self.bonds, inside.bondCount)
    findings.set(Self.version, Int(inside.firmwareVersion))
    findings.set(Self.bootloader, inside.isBootloaderRunning)
    if let phone {
      findings.set(Self.clockError, .seconds(abs(inside.clock - (try phone.readClock()))))
    }
    let names = inside.records.map(\.identifier)
    findings.set(Self.unique, Set(names).count == names.count)
    return findings
  }
}
