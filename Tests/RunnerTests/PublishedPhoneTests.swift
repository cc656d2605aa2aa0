import Recorder
import Testing
import Verdicts

@testable import Runner

/// A phone as published, before recorders as published.
@Suite struct PublishedPhoneRuns {
  private static let meeting = """
    given:
      device: {records: {count: 3, seconds: 1 s}, timeouts: field}
      phone: {bonded: true, interval: 7500 us}
    steps:
      - phone: sync
        expect: {listed: 3, downloaded: 3}
    """

  private static func report(_ body: String, _ change: (inout RunSettings) -> Void) throws -> ScenarioReport {
    var settings = RunSettings()
    change(&settings)
    return ScenarioRun(try Playing.scenarios(body)[0], settings, sounds: Silence(), firmware: NoFirmware()).run()
  }

  @Test func whatTheGoodPhoneWalksAroundAppears() throws {
    let good = try Self.report(Self.meeting) { $0.profile = .published }
    #expect(good.verdict == .passed)
    let published = try Self.report(Self.meeting) {
      $0.profile = .published
      $0.phone = .published
    }
    // It writes the next request while the recorder closes the file, and waits for ever.
    #expect(published.verdict.failure?.violated == ["DEV-6"], "\(published.verdict)")
    #expect(published.verdict.failure?.judges == .recorder)
    #expect(published.replay.contains("--phone published"))
  }

  @Test func itIsNotJudgedForWhatItWasAskedToDo() throws {
    let whole = try Self.report(Self.meeting) { $0.phone = .published }
    #expect(whole.verdict == .passed, "\(whole.verdict)")
    let battery = whole.findings.filter { $0.declaration.requirement == "APP-1.3.1.1" }
    #expect(battery.isEmpty)
    let single = Self.meeting.replacing("interval:", with: "published: [battery-order], interval:")
    let late = try Self.report(single) { _ in }
    #expect(late.verdict == .passed, "\(late.verdict)")
    let unasked = try Self.report(Self.meeting) { $0.faults = [.phone(.skipsBatteryRead)] }
    #expect(unasked.verdict.failure?.violated == ["APP-1.3.1.1"], "\(unasked.verdict)")
  }

  @Test func itMakesTheSameRunTwice() throws {
    let hashes = try (0..<2).map { _ in try Self.report(Self.meeting) { $0.phone = .published }.traceHash }
    #expect(hashes[0] == hashes[1])
    let reference = try Self.report(Self.meeting) { _ in }
    #expect(hashes[0] != reference.traceHash)
  }
}
