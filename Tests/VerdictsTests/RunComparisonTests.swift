import Testing
import Timeline
import Trace

@testable import Verdicts

/// Two runs are compared within each conversation, and the first difference is told.
@Suite struct RunComparisons {
  private static func event(
    _ milliseconds: UInt64, _ name: String, _ details: [EventDetail] = [], from source: TraceSource = .phone(),
    words: String? = nil
  ) -> RunComparison.Entry {
    var event = ReportedEvent(
      at: Instant(nanoseconds: milliseconds * 1_000_000), from: source, link: 1, name: name, details: details)
    (event.who, event.words) = ("\(source)", words ?? name)
    return RunComparison.Entry(event)
  }

  private static let passing = [
    event(1_000, "link.up"), event(2_000, "fts.request", [.init("opcode", "files-list")]),
    event(2_100, "battery.read", [.init("percent", 84)]), event(3_021, "fts.files-list", [.init("count", 2)]),
  ]

  private static func difference(
    _ here: [RunComparison.Entry], _ there: [RunComparison.Entry] = passing,
    _ strictness: RunComparison.Strictness = .exact
  ) -> FirstDifference? {
    RunComparison(strictness).firstDifference(here, there, other: "the other run")
  }

  @Test func equalRunsDoNotDiffer() {
    #expect(Self.difference(Self.passing) == nil)
    #expect(Self.difference([], []) == nil)
  }

  @Test func anotherValueIsFound() throws {
    var here = Self.passing
    here[3] = Self.event(3_021, "fts.files-list", [.init("count", 3)])
    let found = try #require(Self.difference(here))
    #expect(found.until == "3.021")
    #expect(found.here == "phone 0: fts.files-list at 3.021 s (count=3)")
    #expect(found.there == "phone 0: fts.files-list at 3.021 s (count=2)")
  }

  @Test func whatNeverHappensIsFoundWhereItShouldHaveBeen() throws {
    let found = try #require(Self.difference(Array(Self.passing.dropLast())))
    #expect(found.until == "3.021")
    #expect(found.here == "phone 0: nothing of the kind follows; the last event is at 2.100 s")
    #expect(found.there == "phone 0: fts.files-list at 3.021 s")
  }

  /// The answer to another question may come earlier or later without being a difference.
  @Test func conversationsAreAlignedByCauseAndNotByClock() {
    var here = Self.passing
    here[2] = Self.event(5_000, "battery.read", [.init("percent", 84)])
    here.sort { $0.event.instant < $1.event.instant }
    #expect(Self.difference(here, Self.passing, .cause) == nil)
    let late = Self.difference(here)
    #expect(late?.here == "phone 0: battery.read at 5.000 s")
    #expect(late?.there == "at 2.100 s")
  }

  @Test func theEarliestOfSeveralDifferencesIsTold() {
    var here = Self.passing
    here[2] = Self.event(2_100, "battery.read", [.init("percent", 12)])
    here[3] = Self.event(3_021, "fts.files-list", [.init("count", 3)])
    #expect(Self.difference(here)?.until == "2.100")
  }

  @Test func otherNamesOfTheSameRecordsCountOnlyInTheSameRun() {
    func run(_ name: String) -> [RunComparison.Entry] {
      [
        Self.event(1, "fts.request", [.init("opcode", "file-data"), .init("file", name)]),
        Self.event(2, "fts.complete", [.init("file", name), .init("octets", 100)]),
      ]
    }
    #expect(Self.difference(run("a"), run("b"), .cause) == nil)
    #expect(Self.difference(run("a"), run("b")) != nil)
    let mixed = [run("a")[0], run("b")[1]]
    #expect(Self.difference(mixed, run("a"), .cause)?.until == "0.002")
  }

  /// What was read from an object has lost the order in which it was written.
  @Test func theOrderOfDetailsSaysNothing() {
    let details: [EventDetail] = [.init("recorder", 0), .init("file", "a"), .init("clock", "now")]
    let (here, there) = (Self.event(1, "begun", details), Self.event(1, "begun", details.reversed()))
    #expect(Self.difference([here], [there]) == nil)
    #expect(Self.difference([here], [there], .cause) == nil)
  }

  /// A capture may be longer than memory: what is read again and again is compared as what is kept.
  @Test func whatIsReadIsComparedAsWhatIsKept() throws {
    struct Unreadable: Error {}
    func captured(
      _ entries: [RunComparison.Entry]
    ) -> (outline: RunComparison.Outline, read: RunComparison.Reading) {
      var outline = RunComparison.Outline()
      for entry in entries { outline.take(entry) }
      return (outline, { take in for entry in entries { take(entry) } })
    }
    func same(_ here: [RunComparison.Entry], _ there: [RunComparison.Entry]) throws -> Bool {
      let found = try RunComparison.firstDifference(captured(here), captured(there), other: "the other run")
      return found == Self.difference(here, there, .cause)
    }
    let heard = Self.event(500, "advertising.heard", [.init("rssi", 60)])
    let whole = [heard, heard] + Self.passing + [Self.event(4_000, "fts.complete", [.init("file", "a")])]
    var runs = [whole, Array(whole.dropFirst()), Self.passing, []]
    for place in whole.indices {
      let (event, details) = (whole[place].event, [EventDetail("count", 7)])
      runs.append(Array(whole[..<place]) + Array(whole[(place + 1)...]))
      runs.append(whole)
      runs[runs.count - 1][place] = Self.event(event.instant.nanoseconds / 1_000_000, event.name, details)
    }
    for here in runs { for there in runs { #expect(try same(here, there), "\(here) \(there)") } }
    let gone = (outline: captured([]).outline, read: { _ in throw Unreadable() } as RunComparison.Reading)
    #expect(throws: Unreadable.self) { try RunComparison.firstDifference(captured(whole), gone, other: "") }
  }

  @Test func whatAFullLogDidNotKeepIsNotMissedInIt() {
    func difference(dropped: Int) -> FirstDifference? {
      let full = RunComparison.Log(Array(Self.passing.dropLast()), dropped: dropped)
      return RunComparison(.exact).firstDifference(full, RunComparison.Log(Self.passing), other: "the other run")
    }
    #expect(difference(dropped: 1) == nil)
    #expect(difference(dropped: 0) != nil)
  }

  @Test func octetsOfARecordingCount() {
    var here = Self.event(1, "fts.data", [.init("octets", 20)], words: "sends 20 octets")
    var there = here
    (here.content, there.content) = (1, 2)
    let found = Self.difference([here], [there])
    #expect(found?.here == "phone 0: sends 20 octets at 0.001 s, with other octets of the recording")
    #expect(Self.difference([here], [there], .cause) == nil)
  }

  /// A bench tells only the phone's end, and knows nothing of what only a simulated world can know.
  @Test func whatOnlyOneKindOfRunCanTellDoesNotCount() {
    let simulated =
      Self.passing + [
        Self.event(1, "oracle.state", from: .world), Self.event(2, "advertising.started", from: .recorder()),
      ]
    #expect(Self.difference(simulated, Self.passing, .cause) == nil)
    #expect(Self.difference(simulated, Self.passing)?.until == "0.001")
  }

  @Test(arguments: [
    ("did not happen by 35.000 s", "did not happen by # s"), ("ended (0x3D)", "ended (#)"), ("no number", "no number"),
    ("record 0000240101120000 of 42,000 octets", "record # of # octets"),
  ])
  func numbersDoNotMakeAnotherCause(text: String, expected: String) {
    #expect(FailureCause.withoutNumbers(text) == expected)
  }

  /// A full stack is noticed wherever the program is then.
  @Test(arguments: [
    ("task `Tmr S` is full, seen at vListInsert+0xe (list.c:151); called by prvTimerTask+0xc", "task `Tmr S` is full"),
    ("0x0 branched to 0x0; called by main, seen at no place", "0x0 branched to 0x0"),
    ("it did not happen (seen at 3.000 s)", "it did not happen (seen at 3.000 s)"),
  ])
  func placesInAProgramDoNotMakeAnotherCause(text: String, expected: String) {
    #expect(FailureCause.withoutPlace(text) == expected)
  }

  @Test func failuresOfOneStackHaveOneKey() {
    let keys = ["vListInsert+0xe (list.c:151); called by prvTimerTask+0xc", "nrfx_uarte_rx_abort+0x24"].map { place in
      let failure = DeviceFailure(
        judges: .recorder, violated: ["IMG-3"], reason: "the stack of task `Tmr S` is used up, seen at \(place)",
        instant: .zero)
      return FailureCause.key(
        of: ScenarioReport(
          id: "a", title: "a", file: "a.yaml", line: 1, requirements: [], verdict: .failed(failure), replay: ""))
    }
    #expect(keys[0] == keys[1])
  }
}
