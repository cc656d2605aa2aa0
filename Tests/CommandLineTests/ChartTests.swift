import TestThreads
import Testing

/// State charts as `explain` prints them.
@Suite(.waits) struct Charts {
  static let names = ["link", "transfer", "library-entry", "updater", "recorder-power"]

  @Test func theListNamesEveryChart() throws {
    let outcome = try Tool.run(["explain", "--charts"])
    #expect(outcome.output.split(separator: "\n").map { String($0.prefix { $0 != ":" }) } == Self.names)
  }

  @Test(arguments: names) func aChartIsPrintedAsMermaid(_ name: String) throws {
    let outcome = try Tool.run(["explain", "--chart", name])
    #expect(outcome.status == 0)
    try Tool.expect(outcome.output, equals: "charts/\(name).mmd")
  }

  @Test func anUnknownChartIsAUsageFailureWithTheNearestName() throws {
    let outcome = try Tool.run(["explain", "--chart", "recorder-powr"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("no state chart is named recorder-powr"))
    #expect(outcome.trouble.contains("did you mean recorder-power?"))
  }
}
