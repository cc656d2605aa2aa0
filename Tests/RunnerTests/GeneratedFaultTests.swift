import Recorder
import Requirements
import Testing

@testable import Runner

/// The faults that nobody chose.
@Suite struct GeneratedFaults {
  private static let enough = 300

  @Test func thereAreEnough() { #expect(GeneratedFault.all.count >= Self.enough) }

  @Test func eachHasANameOfItsOwn() {
    let names = GeneratedFault.all.map(\.name)
    let doubled = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
    #expect(doubled == [])
  }

  @Test func everyArguedFaultIsGenerated() {
    let names = Set(GeneratedFault.all.map(\.name))
    #expect(Equivalences.names.filter { !names.contains($0) } == [])
  }

  @Test func aFaultOfTheRecorderChangesItsBehaviour() throws {
    let fault = try #require(GeneratedFault.all.first { $0.name == "doubled keepAlive" })
    var profile = RecorderProfile.reference
    fault.change(&profile)
    #expect(profile.timing.keepAlive == 2 * RecorderProfile.reference.timing.keepAlive)
  }

  @Test(arguments: ["octet 5 of the advertising data", "appearance is missing", "percent too many: 6"])
  func aPlantedFaultShowsInARun(name: String) throws {
    let fault = try #require(GeneratedFault.all.first { $0.name.lowercased() == name })
    let body = """
      given: {phone: {bonded: true}}
      steps:
        - phone: {scan: 1 s}
          expect: {advertising-data: "0319000002010611077b8068af8fbd8287204822b8011045a0050864696374"}
        - phone: connect
        - phone: discover-attributes
          expect: {differences: 0}
        - phone: read-battery
          expect: {level: 96 %}
      """
    var settings = RunSettings()
    let scenario = try Playing.scenarios(body)[0]
    #expect(ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run().verdict == .passed)
    settings.generated = fault
    #expect(ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run().verdict != .passed)
  }
}
