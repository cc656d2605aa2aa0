import Phone
import Runner
import ScenarioLanguage

/// `- phone: {visit: 3}`
public enum Visit: Verb {
  static let times = Field<Int>("times", "Number of visits.", default: 1).limited(to: 1...100)
  static let pause = Field<Duration>("pause", "Time between two visits.", default: .seconds(1))
  static let battery = Field<Share>("battery", "Battery level that the phone read in the last visit.")

  public static let declaration = VerbDeclaration(
    "visit", of: .phone, "Connects, reads the battery level and disconnects, several times.", fields: [pause],
    shorthand: times, results: [battery], failures: FailureDeclaration.ofPhones,
    example: "- phone: {visit: 3, pause: 5 s}\n  expect: {battery: {at-least: 20 %}}")

  public static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    for visit in 1...call.arguments[Self.times] {
      if visit > 1 { try await stage.pass(call.arguments[Self.pause]) }
      _ = try await stage.run(.connect(.paired), by: call)
      if case .battery(let percent) = try await stage.run(.readBattery, by: call) {
        findings.set(Self.battery, Share(percent: Int(percent)))
      }
      _ = try await stage.run(.disconnect, by: call)
    }
    return findings
  }
}
