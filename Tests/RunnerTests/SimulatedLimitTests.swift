import ScenarioLanguage
import Testing
import Verdicts
import YAML

@testable import Runner

/// What is not simulated is refused, and not silently something else.
@Suite struct SimulatedLimitTests {
  private func problems(_ body: String) -> [Diagnostic] {
    let text = "scenario: tried\nid: try\nverifies: [APP-1.1]\n\(body)\n"
    return ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: Playing.vocabulary)
      .diagnostics
  }

  private func device(_ fields: String) -> [Diagnostic] {
    problems("given: {device: {\(fields)}}\nsteps: [{wait: 1 s}]")
  }

  @Test(arguments: [
    ("drift: 200000 ppm", "-100000 ppm to 100000 ppm"), ("voltage: 70 V", "0 V to 4.5 V"),
    ("battery: 84.9 %", "a whole multiple of 1 %, such as `84 %` or `85 %`"),
    ("bootloader: {erase: 1500 ns}", "a whole multiple of 1 us, such as `1000 ns` or `2000 ns`"),
    ("bootloader: {inactivity: 100.5 ms}", "a whole multiple of 1 ms, such as `100 ms` or `101 ms`"),
  ])
  func aRecorderHasOnlyWhatIsSimulated(fields: String, expected: String) {
    #expect(device(fields).map(\.expected) == [expected])
  }

  @Test(arguments: ["drift: -100000 ppm", "voltage: 4.5 V", "battery: 84 %", "bootloader: {version: 2000000000}"])
  func whatIsSimulatedIsTaken(fields: String) {
    #expect(device(fields).isEmpty)
  }

  @Test func aDriftInAScenarioHasTheSameLimit() {
    #expect(problems("steps: [{device: {drift: -200000 ppm}}]").map(\.expected) == ["-100000 ppm to 100000 ppm"])
  }

  @Test func anIntervalIsAMultipleOfTheSpecificationsUnit() {
    #expect(
      problems("given: {phone: {interval: 18.7 ms}}\nsteps: [{wait: 1 s}]").map(\.expected)
        == ["a whole multiple of 1250 us, such as `17.5 ms` or `18.75 ms`"])
  }

  @Test func aPauseIsCountedInMilliseconds() {
    #expect(
      problems("steps: [{phone: {update: 1.5.0, pause: 999 us}}]").map(\.expected)
        == ["a whole multiple of 1 ms, such as `1000 us`"])
  }

  @Test(arguments: [
    ("C0:00:00:00:00:01/P", "C0:00:00:00:00:01"), ("40:00:00:00:00:01", "C0:00:00:00:00:01"),
    ("00:00:00:00:00:01", "C0:00:00:00:00:01"), ("C0:00:00:00:00:00", nil), ("FF:FF:FF:FF:FF:FF", nil),
  ])
  func aRecordersAddressIsStaticAndRandom(address: String, nearest: String?) {
    #expect(device("address: \"\(address)\"").map(\.suggestion) == [nearest])
  }

  @Test(arguments: [
    "[{name: one, address: \"C0:00:00:00:00:01\"}, {name: two, address: \"C0:00:00:00:00:01\"}]",
    "[{name: one, count: 2, address: \"C0:00:00:00:00:01\"}]",
  ])
  func twoRecordersHaveTwoAddresses(devices: String) {
    let problems = problems("given: {devices: \(devices)}\nsteps: [{wait: 1 s}]")
    #expect(problems.map(\.expected) == ["another address for each recorder"])
  }

  @Test(arguments: ["646963746F66756E5F76312E34", "64 69 63 74 6f 66 75 6e 5f 76 31 2e 34"])
  func whatAnAttributeHoldsIsRightInEverySpelling(value: String) throws {
    let steps = "steps:\n  - phone: connect\n  - phone: {read-attribute: 3}\n"
    #expect(try Playing.run(steps + "    expect: {value: \"\(value)\"}").verdict == .passed)
  }

  @Test func whatAnAttributeHoldsIsNoOtherValueInAnotherSpelling() throws {
    let steps = "steps:\n  - phone: connect\n  - phone: {read-attribute: 3}\n"
    let report = try Playing.run(steps + "    expect: {value: {not: \"64 69 63 74 6F 66 75 6E 5F 76 31 2E 34\"}}")
    #expect(report.verdict.kind == .failed)
  }

  @Test func whatAnAttributeHoldsIsKeptAndComparedAgain() throws {
    let report = try Playing.run(
      """
      steps:
        - phone: connect
        - phone: {read-attribute: 3}
          keep: {name: value}
        - phone: {read-attribute: 3}
          expect: {value: $name}
      """)
    #expect(report.verdict == .passed)
  }
}
