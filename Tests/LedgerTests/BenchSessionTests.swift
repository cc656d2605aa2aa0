import Testing

@testable import Ledger

/// Seeded numbers: a linear congruential generator (Knuth, MMIX).
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// The next number in a range.
  mutating func roll(_ range: ClosedRange<Int64>) -> Int64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int64((state >> 33) % UInt64(range.upperBound - range.lowerBound + 1))
  }
}

/// Entries of one session.
private enum Entries {
  static let second: Int64 = 1_000_000

  static func mark(_ deed: SessionEntry.Deed, _ seconds: Int64) -> SessionEntry {
    SessionEntry(deed, of: "s", by: "Ada", on: deed == .start ? "lab" : nil, at: seconds * second)
  }

  static func beat(
    _ number: Int64, _ deed: SessionEntry.Deed = .beat, of stream: String = "r#1", at seconds: Int64, elapsed: Int64,
    scenarios: Int64 = 0, recordings: Int64 = 0
  ) -> SessionEntry {
    let beat = SessionBeat(
      stream: stream, number: number, elapsed: elapsed * second, scenarios: scenarios * second,
      recordings: recordings * second)
    return SessionEntry(deed, of: "s", by: "Ada", at: seconds * second, beat)
  }

  static func session(_ entries: [SessionEntry]) throws -> BenchSession {
    var session = try #require(entries.first.flatMap(BenchSession.init))
    for entry in entries.dropFirst() { session.take(entry) }
    return session
  }

  /// Session, scenario and recording time in seconds.
  static func seconds(_ entries: [SessionEntry]) throws -> [Int64] {
    let times = try session(entries).times
    return [times.session, times.scenarios, times.recordings].map(\.components.seconds)
  }
}

@Suite struct BenchSessions {
  @Test func pausesDoNotCount() throws {
    let entries = [
      Entries.mark(.start, 10), Entries.mark(.pause, 40), Entries.mark(.resume, 1_000), Entries.mark(.end, 1_005),
    ]
    #expect(try Entries.seconds(entries) == [35, 0, 0])
    let states = try entries.indices.map { try Entries.session(Array(entries[...$0])).state }
    #expect(states == [.running, .paused, .running, .ended])
  }

  @Test func aSessionWithoutARecordingIsValid() throws {
    let session = try Entries.session([Entries.mark(.start, 0), Entries.mark(.end, 60)])
    #expect(session.times.session == .seconds(60))
    #expect(session.times.recordings == .zero)
    #expect(session.runs == 0)
  }

  @Test func theThreeTimesAreKeptApart() throws {
    let entries = [
      Entries.mark(.start, 0), Entries.beat(0, .runBegins, at: 10, elapsed: 0),
      Entries.beat(1, at: 14, elapsed: 4, scenarios: 3, recordings: 1),
      Entries.beat(2, .runEnds, at: 16, elapsed: 6, scenarios: 4, recordings: 2), Entries.mark(.end, 100),
    ]
    #expect(try Entries.seconds(entries) == [100, 4, 2])
  }

  /// The operator went away without waiting for the run.
  @Test func whatARunDoesDuringAPauseDoesNotCount() throws {
    let entries = [
      Entries.mark(.start, 0), Entries.beat(0, .runBegins, at: 0, elapsed: 0),
      Entries.beat(1, at: 4, elapsed: 4, scenarios: 4), Entries.mark(.pause, 5),
      Entries.beat(2, at: 8, elapsed: 8, scenarios: 8), Entries.mark(.resume, 10),
      Entries.beat(3, at: 12, elapsed: 12, scenarios: 12),
    ]
    #expect(try Entries.seconds(entries) == [7, 8, 0])
  }

  /// A killed run's time ends with its last beat; the run that goes on with it adds its own.
  @Test func aKilledRunGoesOnWhereItWas() throws {
    let killed = [
      Entries.mark(.start, 0), Entries.beat(0, .runBegins, at: 0, elapsed: 0),
      Entries.beat(1, at: 4, elapsed: 4, scenarios: 4, recordings: 3),
    ]
    let again = [
      Entries.beat(0, .runBegins, of: "r#2", at: 3_600, elapsed: 0),
      Entries.beat(1, .runEnds, of: "r#2", at: 3_603, elapsed: 3, scenarios: 2, recordings: 1),
    ]
    #expect(try Entries.seconds(killed) == [4, 4, 3])
    #expect(try Entries.seconds(killed + again) == [7, 6, 4])
    let looked = try Entries.session(killed).seen(at: 3_600 * Entries.second)
    #expect(looked.times.session == .seconds(4))
  }

  /// During a run, the clock of the run counts, whatever happens to the machine's.
  @Test(arguments: [-3_600, 3_600, 900_000]) func aClockThatIsSetDuringARunChangesNothing(jump: Int64) throws {
    let start: Int64 = 1_000_000
    let entries = [
      Entries.mark(.start, start), Entries.beat(0, .runBegins, at: start + 1, elapsed: 0),
      Entries.beat(1, at: start + 5, elapsed: 4), Entries.beat(2, at: start + 9 + jump, elapsed: 8),
      Entries.beat(3, .runEnds, at: start + 10 + jump, elapsed: 9), Entries.mark(.end, start + 20 + jump),
    ]
    #expect(try Entries.seconds(entries) == [20, 0, 0])
  }

  @Test func aClockThatIsSetBetweenRunsCountsNothing() throws {
    let back = [Entries.mark(.start, 5_000), Entries.mark(.pause, 100), Entries.mark(.resume, 200)]
    #expect(try Entries.seconds(back + [Entries.mark(.end, 230)]) == [30, 0, 0])
    #expect(try Entries.seconds([Entries.mark(.start, 0), Entries.mark(.end, 86_401)]) == [0, 0, 0])
    #expect(try Entries.seconds([Entries.mark(.start, 0), Entries.mark(.end, 86_400)]) == [86_400, 0, 0])
  }

  @Test func lookingAtASessionDoesNotChangeIt() throws {
    let session = try Entries.session([Entries.mark(.start, 10)])
    #expect(session.seen(at: 25 * Entries.second).times.session == .seconds(15))
    #expect(session.seen(at: 5 * Entries.second).times.session == .zero)
    #expect(session.times.session == .zero)
    let paused = try Entries.session([Entries.mark(.start, 10), Entries.mark(.pause, 11)])
    #expect(paused.seen(at: 25 * Entries.second) == paused)
  }

  @Test func whatIsNotAStartBeginsNothing() { #expect(BenchSession(Entries.mark(.resume, 0)) == nil) }

  /// Entries that no program writes: a ledger may come from anywhere.
  @Test func impossibleEntriesChangeNothing() throws {
    let session = try Entries.session([Entries.mark(.start, 10)])
    var other = Entries.mark(.end, 20)
    other.session = "t"
    for entry in [
      Entries.mark(.start, 20), Entries.mark(.resume, 20), Entries.beat(1, at: 20, elapsed: 5),
      Entries.beat(1, .runEnds, at: 20, elapsed: 5), SessionEntry(.beat, of: "s", by: "Ada", at: 20), other,
    ] {
      var changed = session
      changed.take(entry)
      #expect(changed == session, "\(entry)")
    }
  }

  /// Random sequences of what operators and runs do, with kills, repeated entries and a clock that jumps. A model
  /// that looks at the true time says what must come out.
  @Test(arguments: UInt64(1)...200) func randomSequencesComeToWhatReallyPassed(seed: UInt64) throws {
    var story = SessionStory(seed: seed)
    var session = try #require(BenchSession(story.begin()))
    for _ in 0..<120 {
      let before = session.times
      for entry in story.next() {
        session.take(entry)
        var again = session
        again.take(entry)
        #expect(again == session, "\(entry) counts twice")
      }
      let grown = [
        session.times.session >= before.session, session.times.scenarios >= before.scenarios,
        session.times.recordings >= before.recordings,
      ]
      #expect(grown == [true, true, true])
      #expect(session.state == story.state)
    }
    #expect(session.times == story.expected)
    #expect(session.times.scenarios <= session.times.session)
    #expect(session.runs == story.runs)
  }
}

/// A day at a bench, in which one thing happens after the other. All times are in seconds.
private struct SessionStory {
  private var dice: Dice
  /// The machine's clock.
  private var clock: Int64 = 1_000_000
  private var run: (stream: String, number: Int64, elapsed: Int64, scenarios: Int64, recordings: Int64)?
  private(set) var state = BenchSession.State.running
  private(set) var expected = BenchSession.Times()
  private(set) var runs = 0

  init(seed: UInt64) { dice = Dice(seed) }

  mutating func begin() -> SessionEntry { Entries.mark(.start, clock) }

  /// What happens next: the entries that are written.
  mutating func next() -> [SessionEntry] {
    if run != nil { return duringRun() }
    switch dice.roll(0...9) {
    case 0: return pauseOrResume()
    case 1:
      // The clock is set while the operator works: what passed since the last entry cannot be known.
      clock -= dice.roll(1...5_000)
      return pauseOrResume(counts: false)
    case 2:
      clock += dice.roll(86_401...1_000_000)
      return pauseOrResume(counts: false)
    default: return beginRun()
    }
  }

  private mutating func pauseOrResume(counts: Bool = true) -> [SessionEntry] {
    if counts { pass(dice.roll(0...3_000)) }
    guard state == .running else {
      state = .running
      return [Entries.mark(.resume, clock)]
    }
    state = .paused
    return [Entries.mark(.pause, clock)]
  }

  private mutating func pass(_ seconds: Int64) {
    clock += seconds
    if state == .running { expected.session += .seconds(seconds) }
  }

  private mutating func beginRun() -> [SessionEntry] {
    pass(dice.roll(0...600))
    runs += 1
    run = ("r#\(runs)", 0, 0, 0, 0)
    return [Entries.beat(0, .runBegins, of: "r#\(runs)", at: clock, elapsed: 0)]
  }

  private mutating func duringRun() -> [SessionEntry] {
    guard var going = run else { return [] }
    // Up to four seconds to the next beat, in which scenarios and recordings take their share.
    let passed = dice.roll(1...4)
    let busy = dice.roll(0...passed)
    let recorded = dice.roll(0...busy)
    let fate = dice.roll(0...19)
    if fate == 0 {
      // Killed before the beat: it is lost. Somebody comes back much later.
      run = nil
      clock += dice.roll(46...5_000)
      return revive()
    }
    if fate == 1 { clock += dice.roll(-5_000...5_000) }
    clock += passed
    going.number += 1
    going.elapsed += passed
    going.scenarios += busy
    going.recordings += recorded
    if state == .running {
      expected.session += .seconds(passed)
      expected.scenarios += .seconds(busy)
      expected.recordings += .seconds(recorded)
    }
    let hasEnded = fate > 15
    run = hasEnded ? nil : going
    return [
      Entries.beat(
        going.number, hasEnded ? .runEnds : .beat, of: going.stream, at: clock, elapsed: going.elapsed,
        scenarios: going.scenarios, recordings: going.recordings)
    ]
  }

  /// The run goes on after a kill, under another number.
  private mutating func revive() -> [SessionEntry] {
    runs += 1
    run = ("r#\(runs)", 0, 0, 0, 0)
    return [Entries.beat(0, .runBegins, of: "r#\(runs)", at: clock, elapsed: 0)]
  }
}
