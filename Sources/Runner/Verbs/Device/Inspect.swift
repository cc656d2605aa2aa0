import Bench
import Phone
import ScenarioLanguage
import World

/// `- device: inspect`
enum Inspect: Verb {
  static let records = Field<Int>("records", "Number of records it stores.").limited(to: 0...)
  static let newest = Field<RecordName>("newest", "The newest record.")
  static let size = Field<ByteCount>("size", "Size of the newest record.")
  static let state = Field<StateWord>("state", "State of its state machine, as the firmware names it.")
  static let power = Field<Bool>("power", "Whether it is switched on.")
  static let bonds = Field<Int>("bonds", "Number of bonds it stores.").limited(to: 0...)
  static let clockError = Field<Duration>(
    "clock-error", "Difference between its clock and the phone's, without a sign.")
  static let unique = Field<Bool>("unique", "Whether all its records have different identifiers.")
  static let version = Field<Int>("version", "Version of its application, as stored by its bootloader.")
    .limited(to: 0...)
  static let bootloader = Field<Bool>("bootloader", "Whether its bootloader runs instead of the application.")

  static let light = Field<LightWord>("light", "What its LED shows, such as `dark blue slow`; `dark` while it is off.")

  static let declaration = VerbDeclaration(
    "inspect", of: .device, "Reads the recorder's internal state, which no phone can see.",
    results: [records, newest, size, state, power, bonds, clockError, unique, version, bootloader, light],
    needs: [Capabilities.inspection],
    example: "- device: inspect\n  expect: {records: 1, clock-error: {at-most: 5 s}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let device = try stage.device(call)
    if let real = device as? ActuatedDevice { return try await stage.look(at: real, for: call) }
    let phone = stage.phones.first
    var findings = Findings()
    let inside = try await device.inspect()
    findings.set(Self.records, inside.records.count)
    if let last = inside.records.last {
      if let name = RecordName(last.identifier) { findings.set(Self.newest, name) }
      findings.set(Self.size, ByteCount(bytes: last.bytes.count))
    }
    findings.set(Self.power, inside.isOn)
    try set(Self.state, inside.state.map { StateWord($0) }, &findings, call)
    try set(Self.bonds, inside.bondCount, &findings, call)
    try set(Self.version, inside.firmwareVersion.map(Int.init), &findings, call)
    try set(Self.light, inside.light.map { LightWord($0) } ?? (inside.isOn ? nil : .dark), &findings, call)
    findings.set(Self.bootloader, inside.isBootloaderRunning)
    if let phone {
      findings.set(Self.clockError, .seconds(abs(inside.clock - (try phone.readClock()))))
    }
    let names = inside.records.map(\.identifier)
    findings.set(Self.unique, Set(names).count == names.count)
    return findings
  }

  /// States what is known. What nobody can tell blocks a step that asks for it: it counts against nobody.
  private static func set<Content: FieldValue>(
    _ field: Field<Content>, _ content: Content?, _ findings: inout Findings, _ call: VerbCall
  ) throws(ControlFailure) {
    if let content { return findings.set(field, content) }
    guard !call.wants(field) else {
      throw .lacking(Lack.inspection(of: field.declaration.name).description)
    }
  }
}
