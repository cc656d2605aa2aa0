import Dispatch
import Synchronization
import Testing

@testable import Ledger

/// A machine's clock that tests set.
private final class SetClock: Sendable {
  private let time = Atomic<Int64>(1_000_000_000)
  var now: Int64 { time.load(ordering: .relaxed) }
  func pass(seconds: Int64) { time.add(seconds * 1_000_000, ordering: .relaxed) }
}

@Suite struct SessionLedgers {
  private let clock = SetClock()

  private var run: LedgerRun {
    LedgerRun(
      id: "r", program: "p", target: "hardware", firmware: "f", rules: "", seed: 1, operatorName: "Ada", host: "here",
      started: 1)
  }

  private func open(_ place: Place) throws -> RunLedger {
    try RunLedger(place.url, for: .writing, program: "test") { [clock] in clock.now }
  }

  private func order(
    _ key: String, session: String? = nil, bench: String? = "lab", by operatorName: String = "Ada"
  ) -> RunLedger.SessionOrder {
    .init(session: session, bench: bench, operatorName: operatorName, key: key)
  }

  private func beat(_ stream: String, _ number: Int64, seconds: Int64) -> SessionBeat {
    SessionBeat(
      stream: stream, number: number, elapsed: seconds * 1_000_000, scenarios: seconds * 1_000_000,
      recordings: seconds * 500_000)
  }

  @Test(arguments: Database.available) func aSessionIsReadAgain(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try open(place)
    #expect(try ledger.startSession(order("1")).id == "lab-1")
    clock.pass(seconds: 10)
    let joined = try #require(try ledger.begin(run, session: nil, on: "lab"))
    let stream = try #require(joined.stream)
    clock.pass(seconds: 4)
    for _ in 0..<2 { try ledger.beat(beat(stream, 1, seconds: 4), isLast: false, in: "lab-1", by: "Ada") }
    clock.pass(seconds: 2)
    try ledger.beat(beat(stream, 2, seconds: 6), isLast: true, in: "lab-1", by: "Ada")
    #expect(try ledger.mark(.pause, order("2")).state == .paused)
    clock.pass(seconds: 100)
    #expect(try ledger.mark(.resume, order("3")).state == .running)
    clock.pass(seconds: 1)
    let ended = try open(place).mark(.end, order("4"))
    #expect(ended.times.session == .seconds(17))
    #expect(ended.times.scenarios == .seconds(6))
    #expect(ended.times.recordings == .seconds(3))
    #expect(ended.runs == 1)
    #expect(try ledger.sessions() == [ended])
  }

  /// A connection that is lost at the wrong moment repeats what was written already.
  @Test(arguments: Database.available) func anOrderIsCarriedOutOnce(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try open(place)
    let started = try ledger.startSession(order("1"))
    clock.pass(seconds: 5)
    #expect(try ledger.startSession(order("1")) == started)
    let paused = try ledger.mark(.pause, order("2"))
    clock.pass(seconds: 5)
    #expect(try ledger.mark(.pause, order("2")) == paused)
    #expect(try place.connect().run("SELECT entry FROM ledger_sessions", []).count == 2)
  }

  @Test(arguments: Database.available) func twoOperatorsDoNotContradictEachOther(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledgers = [try open(place), try open(place)]
    let outcomes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        let session = try ledgers[index].startSession(order("\(index)", by: "operator \(index)"))
        outcomes.withLock { $0.append("started \(session.id)") }
      } catch {
        outcomes.withLock { $0.append("\(error)".contains("has the open session lab-1") ? "refused" : "\(error)") }
      }
    }
    #expect(outcomes.withLock { $0.sorted() } == ["refused", "started lab-1"])
    #expect(try ledgers[0].sessions().count == 1)
  }

  @Test(arguments: Database.available) func whatCannotBeDoneIsSaidInOneSentence(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try open(place)
    func refusal(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return "nothing was refused"
    }
    #expect(
      refusal { _ = try ledger.mark(.pause, order("0")) }
        == "no bench session is open on bench lab; begin one with `dictobench session start`")
    _ = try ledger.startSession(order("1", session: "mine"))
    _ = try ledger.startSession(order("2", session: "theirs", bench: "rig"))
    let cases: [(String, () throws -> Void)] = [
      ("bench lab has the open session mine of Ada; end it first", { _ = try ledger.startSession(order("3")) }),
      (
        "a bench session theirs exists already; give this one another name",
        { _ = try ledger.startSession(order("4", session: "theirs", bench: nil)) }
      ),
      (
        "a bench session is named with up to 64 letters, digits, \".\", \"_\" and \"-\", not \"a b\\u{1B}\"",
        { _ = try ledger.startSession(order("5", session: "a b\u{1B}", bench: nil)) }
      ),
      (
        "several bench sessions are open: mine and theirs; choose one with --session",
        { _ = try ledger.mark(.end, order("6", bench: nil)) }
      ),
      ("no bench session is named mime; did you mean mine?", { _ = try ledger.session("mime", on: nil) }),
      (
        "the bench session mine of Ada cannot resume: it is running",
        { _ = try ledger.mark(.resume, order("7", session: "mine")) }
      ),
      (
        "the bench session mine of Ada is on bench lab, but the run is on no bench",
        { _ = try ledger.begin(run, session: "mine", on: nil) }
      ),
    ]
    for (sentence, body) in cases { #expect(refusal(body) == sentence) }
    _ = try ledger.mark(.end, order("8", session: "mine"))
    for deed in [RunLedger.SessionDeed.pause, .resume, .end] {
      let said = refusal { _ = try ledger.mark(deed, order("9", session: "mine")) }
      #expect(said == "the bench session mine of Ada cannot \(deed.rawValue): it has ended")
    }
    #expect(
      refusal { _ = try ledger.begin(run, session: "mine", on: "lab") }
        == "the bench session mine of Ada cannot take a run: it has ended")
    #expect(try place.connect().run("SELECT entry FROM ledger_sessions", []).count == 3, "nothing is half-written")
    #expect(try ledger.runs().isEmpty, "a run that was refused has not begun")
  }

  @Test(arguments: Database.available) func aRunJoinsTheOpenSessionOfItsBench(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try open(place)
    _ = try ledger.startSession(order("1"))
    _ = try ledger.startSession(order("2", session: "free", bench: nil))
    func stream(_ name: String?, _ bench: String?) throws -> String? {
      try ledger.begin(run, session: name, on: bench)?.stream
    }
    #expect(try stream(nil, nil) == nil)
    #expect(try stream(nil, "rig") == nil)
    #expect(try stream(nil, "lab") == "r#1")
    #expect(try stream("free", "rig") == "r#2")
    #expect(try stream("free", nil) == "r#3")
    _ = try ledger.mark(.pause, order("3"))
    let paused = try #require(try ledger.begin(run, session: nil, on: "lab"))
    #expect(paused.stream == nil)
    #expect(paused.session.state == .paused)
    _ = try ledger.mark(.end, order("4"))
    #expect(try stream(nil, "lab") == nil)
    #expect(try ledger.startSession(order("5")).id == "lab-2")
  }

  /// Numbers that no program writes do not come into a sum.
  @Test(arguments: Database.available) func aDamagedSessionIsSaid(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try open(place)
    _ = try ledger.startSession(order("1"))
    try place.connect().run(
      "INSERT INTO ledger_sessions (sequence, entry, session, deed, operator, written) VALUES (9, 'x', 'lab-1', 'end', 'A', -5)"
    )
    let failure = #expect(throws: LedgerFailure.self) { try ledger.sessions() }
    #expect(failure?.description.contains("is damaged: expected a time in column 5") == true)
  }
}
