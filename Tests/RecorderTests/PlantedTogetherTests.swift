import DictofunProtocol
import Testing

@testable import Recorder

/// Faults are an overlay: several can be planted at once, and none takes the place of another or of a policy.
@Suite struct PlantedTogetherTests {
  private static let records = placedRecords([64, 128, 192])

  private static func fault(_ name: String) throws -> RecorderFault { try #require(RecorderFault(name)) }

  /// Count and identifiers of the files list that a recorder with this profile sends.
  private static func list(_ profile: RecorderProfile) throws -> (count: UInt8, identifiers: [[UInt8]]) {
    var bench = RecorderBench.connected {
      $0.profile = profile
      $0.records = records
    }
    let answer = try #require(bench.answers(to: .listFiles).first).value
    let names = stride(from: 8, to: answer.count, by: RecordIdentifier.octetCount).map {
      Array(answer[$0..<($0 + RecordIdentifier.octetCount)])
    }
    return (answer[0], names)
  }

  @Test func twoFaultsOfTheListShowTogether() throws {
    let list = try Self.list(
      .reference.with([try Self.fault("list-count-off-by-one"), try Self.fault("list-reversed")]))
    #expect(list.count == 4)
    #expect(list.identifiers == Self.records.reversed().map(\.identifier.octets))
  }

  /// The list announces one record more than it holds, so that the count is right again and a record is missing.
  @Test func aFaultDoesNotHideAnother() throws {
    let list = try Self.list(
      .reference.with([try Self.fault("list-omits-newest"), try Self.fault("list-count-off-by-one")]))
    #expect(list.count == 3)
    #expect(list.identifiers == Self.records.dropLast().map(\.identifier.octets))
  }

  @Test func aFaultAndAPolicyOfOneTopicShowTogether() throws {
    var profile = RecorderProfile.reference.with(try Self.fault("silent-about-unknown-records"))
    profile.policies.secondRequest = .isDropped
    let records = placedRecords([3000])
    var bench = RecorderBench.connected {
      $0.profile = profile
      $0.records = records
    }
    bench.ask(.fileData(records[0].identifier))
    bench.ask(.fileSystemStatus)
    bench.run(for: .seconds(5))
    #expect(!bench.notifications.contains { $0.handle == DictofunHandle.fileSystemStatus }, "the policy holds")
    #expect(bench.answers(to: .fileInformation(.fallback), within: .seconds(1)).isEmpty, "the fault holds")
    #expect(!bench.answers(to: .fileSystemStatus, within: .seconds(1)).isEmpty)
  }

  @Test func everyFaultHasANameOfItsOwn() {
    #expect(Set(RecorderFault.all.map(\.name)).count == RecorderFault.all.count)
    for fault in RecorderFault.all { #expect(RecorderFault(fault.name) == fault) }
    #expect(RecorderFault("list-omits-oldest") == nil)
  }

  /// The order in which two faults are planted never matters, and the second leaves the first in place.
  @Test(arguments: RecorderFault.all) func noFaultOverwritesAnother(first: RecorderFault) {
    var alone = RecorderFaults()
    first.apply(to: &alone)
    #expect(alone != RecorderFaults())
    for second in RecorderFault.all where second != first {
      var other = RecorderFaults()
      second.apply(to: &other)
      var both = alone
      second.apply(to: &both)
      var reversed = other
      first.apply(to: &reversed)
      #expect(both == reversed, "\(first) and \(second)")
      #expect(both != alone, "\(second) changes nothing after \(first)")
    }
  }

  @Test func severalFaultsAreNamedInOneProfile() throws {
    let profile = try #require(RecorderProfile.named("reference+list-reversed+ignores-time"))
    #expect(profile.name == "reference+list-reversed+ignores-time")
    #expect(profile.faults.list.isReversed)
    #expect(profile.faults.clock.ignoresTime)
    #expect(profile.policies == RecorderProfile.reference.policies)
    #expect(RecorderProfile.named("reference+list-reversed+unknown") == nil)
  }

  /// A fault of the bootloader that is planted and one that a scenario asks for meet in the same answers.
  @Test func aBootloaderKeepsWhatAScenarioMakesWrong() throws {
    var firmware = RecorderFirmware()
    firmware.faults.answer = BootloaderFaults.AnswerFault(.missing, to: 0x06)
    RecorderProfile.reference.with(try Self.fault("bootloader-lies-about-checksum")).faults.bootloader
      .apply(to: &firmware)
    #expect(firmware.faults.answer == BootloaderFaults.AnswerFault(.missing, to: 0x06))
    #expect(firmware.faults.statesWrongChecksums)
  }
}
