import Testing
import World

@testable import Runner

@Suite struct PlantedFaultTests {
  @Test func severalFaultsAreWrittenInOneText() throws {
    let text = "recorder:list-reversed+phone:skips-battery-read+air:heavy-loss"
    let faults = try #require([PlantedFault](text))
    #expect(faults.map(\.text) == ["recorder:list-reversed", "phone:skips-battery-read", "air:heavy-loss"])
    #expect(faults.text == text)
    #expect(faults.ofRecorders.map(\.name) == ["list-reversed"])
    #expect(faults.ofPhones == [.skipsBatteryRead])
    #expect(faults.ofAir == [.heavyLoss])
    #expect([PlantedFault]().text == nil)
  }

  @Test(arguments: ["", "recorder:list-reversed+", "list-reversed", "recorder:none"])
  func anythingElseIsNotAFault(text: String) { #expect([PlantedFault](text) == nil) }

  @Test(arguments: PlantedFault.names) func everyNameIsReadAndWritten(name: String) throws {
    #expect(try #require(PlantedFault(name)).text == name)
  }

  /// A recorder and a phone that are wrong at once: the run names both in the command that repeats it.
  @Test func recorderAndPhoneAreWrongTogether() throws {
    let body = "given: {device: {records: 2}}\nsteps:\n  - phone: {list: }\n"
    let faults = try #require([PlantedFault]("recorder:list-count-off-by-one+phone:skips-battery-read"))
    let report = try Playing.run(body, faults: faults)
    #expect(report.replay.contains("--fault recorder:list-count-off-by-one --fault phone:skips-battery-read"))
  }
}
