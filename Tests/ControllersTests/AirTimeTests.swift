import HCI
import Testing

@testable import Controllers

/// How long packets take on the air (Core Specification Vol 6, Part B, 2.1, 2.2 and 2.4).
@Suite struct AirTimes {
  @Test func anEmptyPacketAndTheLongestTakeAsLongAsTheSpecificationSays() {
    #expect(AirTime.microseconds(.le1M, payload: 0, integrityCheck: true) == 80)
    #expect(AirTime.microseconds(.le1M, payload: 251, integrityCheck: true) == 2_120)
    #expect(AirTime.microseconds(.le2M, payload: 251, integrityCheck: true) == 1_064)
    #expect(AirTime.microseconds(.leCoded, payload: 251, integrityCheck: true) == 17_040)
  }

  @Test(arguments: [PhysicalLayer.le1M, .le2M, .leCoded])
  func aRateThatWasWorkedOutOnceTellsTheSame(phy: PhysicalLayer) {
    let rate = AirRate(phy)
    for payload in 0...251 {
      for isSealed in [false, true] {
        let expected = UInt64(AirTime.microseconds(phy, payload: payload, integrityCheck: isSealed)) * 1_000
        #expect(rate.nanoseconds(payload, integrityCheck: isSealed) == expected)
      }
    }
  }
}
