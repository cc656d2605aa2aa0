import Testing

@testable import Board

@Suite struct ClockChipTests {
  @Test func aTimeThatIsWrittenIsShown() {
    var chip = ClockChip()
    chip.select(0)
    for octet: UInt8 in [0, 0x58, 0x59, 0x23, 4, 0x28, 0x02, 0x24] { chip.write(octet, at: 0) }
    // Two seconds later it is the 29th of a leap year's February.
    chip.select(0)
    let shown = (0..<8).map { _ in chip.read(at: 2 * 64_000_000) }
    #expect(shown == [0, 0x00, 0x00, 0x00, 4, 0x29, 0x02, 0x24])
  }

  @Test(arguments: [0, 59, 86_399, 86_400, 31_622_400, 820_454_399, 3_155_759_999] as [Int64])
  func calendarCountsThereAndBack(seconds: Int64) {
    #expect(CalendarTime(secondsSince2000: seconds).secondsSince2000 == seconds)
  }
}
