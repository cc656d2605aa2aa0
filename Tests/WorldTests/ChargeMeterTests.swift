import Recorder
import Testing
import Timeline
import Verdicts

@testable import World

/// Charge from use, by hand.
@Suite struct ChargeMetering {
  private static let hour = Duration.seconds(3600)

  @Test func anHourOfEachIsTheCurrentItself() throws {
    let use = RecorderUse(.nRF52840, awake: Self.hour, asleep: Self.hour, writing: Self.hour)
    let charge = try #require(ChargeMeter.estimate([use], nil))
    #expect(charge.poweredNanoseconds == 7_200_000_000_000)
    let parts = charge.parts.map { [$0.leastNanoampereHours, $0.mostNanoampereHours] }
    #expect(
      parts == [[3_300_000, 6_300_000], [2_350, 3_160], [20_000_000 + 10_000, 25_000_000 + 60_000]])
    #expect(charge.least == 23_312_350)
    #expect(charge.most == 31_363_160)
    #expect(charge.notCounted.contains("radio"))
  }

  @Test func nothingIsToldOfAModelOrAnUnknownChip() {
    let use = RecorderUse(.nRF52832, awake: Self.hour, asleep: .zero, writing: .zero)
    #expect(ChargeMeter.estimate([], nil) == nil)
    #expect(ChargeMeter.estimate([use], nil) == nil)
  }

  @Test func estimatesAddUpPartByPart() throws {
    let use = RecorderUse(.nRF52840, awake: Self.hour, asleep: .zero, writing: .zero)
    let one = try #require(ChargeMeter.estimate([use], nil))
    let two = try #require(ChargeMeter.estimate([use, use], nil))
    #expect(ChargeEstimate.sum(of: [one, one]) == two)
    #expect(ChargeEstimate.sum(of: []) == nil)
  }
}
