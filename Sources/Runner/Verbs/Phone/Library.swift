import Bench
import Phone
import ScenarioLanguage
import World

/// `- phone: library`
enum Library: Verb {
  static let count = Field<Int>("count", "Number of records it shows.").limited(to: 0...)
  static let newest = Field<RecordName>("newest", "The record at the top.")
  static let newestFirst = Field<Bool>("newest-first", "Whether the records are sorted newest first.")
  static let new = Field<Int>("new", "Number of records to which the user has not listened yet.").limited(to: 0...)
  static let identical = Field<Int>(
    "identical", "Number of records that are identical to one stored by a recorder.", needs: Capabilities.inspection
  ).limited(to: 0...)

  static let declaration = VerbDeclaration(
    "library", of: .phone, "Reads the phone's library and compares it with the records that the recorders store.",
    results: [count, newest, newestFirst, new, identical], touches: [.records], actuates: [.phone(.library)],
    example: "- phone: library\n  expect: {count: 7, identical: 7}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let phone = try stage.phone(call)
    let devices = stage.devices
    var findings = Findings()
    let entries = try await phone.records()
    findings.set(Self.count, entries.count)
    if let name = entries.first.flatMap({ RecordName($0.identifier) }) { findings.set(Self.newest, name) }
    let names = entries.map(\.identifier)
    findings.set(Self.newestFirst, names == names.sorted(by: >))
    // Another vendor's application does not tell, so nobody asks it without need.
    if call.wants(Self.new) {
      findings.set(Self.new, try await phone.shownRecords().count(where: \.isNew))
    }
    // Only a simulated world can look into a recorder, so nobody looks unasked.
    if call.wants(Self.identical) {
      var stored: [LibraryEntry] = []
      for device in devices {
        if let real = device as? ActuatedDevice {
          stored += try await stage.readAgain(entries, from: real, by: phone)
        } else {
          stored += try await device.inspect().records
        }
      }
      findings.set(Self.identical, entries.count { stored.contains($0) })
    }
    return findings
  }
}
