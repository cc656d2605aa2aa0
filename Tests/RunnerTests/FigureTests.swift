import Testing
import Verdicts

/// What a run measures of its simulated link.
@Suite struct FigureTests {
  private static func figures(_ phone: String) throws -> [String: Int64] {
    let report = try Playing.run(
      """
      given:
        device: {records: {count: 1, seconds: 10 s}}
        phone: {bonded: true, \(phone)}
      steps:
        - phone: sync
      """)
    #expect(report.verdict == .passed)
    return Dictionary(report.figures.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// At 15 ms four packets of 251 octets fit into an event of an encrypted link on LE 1M: 244 octets each.
  @Test func aDownloadIsMeasuredWithItsLink() throws {
    let figures = try Self.figures("interval: 15 ms")
    #expect(figures["link-capacity"] == 65_066)
    let throughput = try #require(figures["throughput"])
    #expect((5_000..<20_000).contains(throughput), "one notification in an interval")
  }

  /// One notification needs an interval, so a record takes about as many events at any interval. The pauses of the
  /// recorder need more events at a short one.
  @Test func aShortIntervalKeepsTheRadioLonger() throws {
    let (short, long) = (try Self.figures("interval: 7.5 ms"), try Self.figures("interval: 60 ms"))
    let times = try #require(short["radio-time"].flatMap { short in long["radio-time"].map { (short, $0) } })
    #expect(times.0 > times.1)
    #expect(times.1 > 500)
  }
}
