import Foundation
import Synchronization
import Testing
import Verdicts

@testable import Ledger

/// Rows as runs write them.
private enum Sample {
  static func run(_ id: String = "a", firmware: String = "profile:x", started: Int64 = 7) -> LedgerRun {
    LedgerRun(
      id: id, program: "dictobench 1", target: "simulated", firmware: firmware, rules: "r", seed: .max, bench: "lab",
      instruments: "controller usb:0; recorder C6", operatorName: "O'Neil \"; DROP TABLE ledger_runs", host: "here",
      started: started)
  }

  static func key(_ scenario: String = "s", _ repetition: Int = 0, run: String = "a") -> ResultKey {
    ResultKey(run: run, scenario: scenario, cell: "[n=1]", repetition: repetition)
  }

  static func attempt(_ number: Int = 0, verdict: String = "passed") -> LedgerAttempt {
    LedgerAttempt(
      key: key(), number: number, scenarioHash: "ab", verdict: verdict, reason: nil, traceHash: "cd", began: 1, ended: 2
    )
  }

  static func verdict(
    _ verdict: String = "failed", _ key: ResultKey = key(), attempts: [String] = ["failed"]
  ) -> LedgerVerdict {
    LedgerVerdict(
      key: key, scenarioHash: "ab", verdict: verdict, reason: "said \0 and ☂", attempts: attempts, traceHash: nil,
      recorded: 3)
  }

  static let statements = [
    RequirementStatement("DEV-1", .shown, clauses: ["a", "b"], source: "s"),
    RequirementStatement("DEV-2", .violated, source: "s", reason: "no"),
  ]
}

@Suite struct RunLedgers {
  @Test(arguments: Database.available) func whatIsWrittenIsReadAgain(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    try ledger.begin(Sample.run())
    try ledger.add(Sample.attempt())
    try ledger.add(Sample.verdict(), Sample.statements, [Figure("time", -5, "ns")])
    try ledger.end("a", status: 1)
    let again = try place.open(.reading)
    var run = Sample.run()
    run.sequence = 1
    let runs = try again.runs()
    #expect(runs.map(\.run) == [run])
    #expect(runs.map(\.status) == [1])
    #expect(try again.attempts(of: "a") == [Sample.attempt()])
    var verdict = Sample.verdict()
    verdict.reason = "said ␀ and ☂"
    #expect(try again.verdicts(of: "a") == [verdict])
    #expect(try again.statements(of: "a").map(\.statement) == Sample.statements)
    #expect(try again.figures(named: "time").map(\.figure) == [Figure("time", -5, "ns")])
    #expect(try again.figureNames() == ["time"])
  }

  @Test(arguments: Database.available) func nothingIsThereTwice(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    for _ in 0..<3 {
      try ledger.begin(Sample.run())
      try ledger.add(Sample.attempt(0))
      try ledger.add(Sample.attempt(1))
      try ledger.add(Sample.verdict(), Sample.statements, [Figure("time", 5, "ns")])
    }
    #expect(try ledger.runs().count == 1)
    #expect(try ledger.attempts(of: "a").map(\.number) == [0, 1])
    #expect(try ledger.verdicts(of: "a").count == 1)
    #expect(try ledger.statements(of: "a").count == 2)
  }

  @Test(arguments: Database.available) func anotherResultUnderTheSameKeyIsRefused(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    try ledger.begin(Sample.run())
    try ledger.add(Sample.attempt())
    try ledger.add(Sample.verdict(), [], [])
    let refusal = LedgerFailure.contradiction(run: "a", scenario: "s[n=1]")
    #expect(throws: refusal) { try ledger.add(Sample.attempt(verdict: "failed")) }
    #expect(throws: refusal) { try ledger.add(Sample.verdict("passed"), [], []) }
    #expect(throws: LedgerFailure.self) { try ledger.begin(Sample.run(firmware: "profile:y")) }
    #expect(try ledger.verdicts(of: "a").map(\.verdict) == ["failed"])
  }

  @Test(arguments: Database.available) func rowsAreNeverChangedOrRemoved(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    try ledger.begin(Sample.run())
    try ledger.add(Sample.attempt())
    try ledger.add(Sample.verdict(), Sample.statements, [Figure("time", 5, "ns")])
    try ledger.end("a", status: 0)
    let store = try place.connect()
    for table in [
      "runs", "attempts", "verdicts", "requirements", "figures", "endings", "migrations",
    ] {
      for change in [
        "DELETE FROM ledger_\(table)", "UPDATE ledger_\(table) SET \(table == "migrations" ? "program" : "run") = 'b'",
      ] {
        #expect(throws: LedgerFailure.statement(ledger: store.name, reason: "the ledger is append-only"), "\(change)") {
          try store.run(change)
        }
      }
    }
  }

  @Test(arguments: Database.available) func aFailureInTheMiddleLeavesNothing(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    try ledger.begin(Sample.run())
    // The second figure has the name of the first, which the table refuses after verdict and statements were written.
    let figures = [Figure("time", 5, "ns"), Figure("time", 6, "ns")]
    #expect(throws: LedgerFailure.self) { try ledger.add(Sample.verdict(), Sample.statements, figures) }
    #expect(try ledger.verdicts(of: "a").isEmpty)
    #expect(try ledger.statements(of: "a").isEmpty)
    #expect(try ledger.figureNames().isEmpty)
  }

  @Test(arguments: Database.available) func twoWritersKeepTheirRowsInOrder(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let failures = Mutex<[String]>([])
    let ledgers = [try place.open(), try place.open()]
    DispatchQueue.concurrentPerform(iterations: 2) { writer in
      do {
        try ledgers[writer].begin(Sample.run("run-\(writer)"))
        for number in 0..<25 {
          let key = ResultKey(run: "run-\(writer)", scenario: "s", cell: "", repetition: number)
          try ledgers[writer].add(Sample.verdict("failed", key), Sample.statements, [])
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try ledgers[0].verdicts(about: "s").count == 50)
    for writer in 0..<2 {
      let written = try ledgers[writer].verdicts(of: "run-\(writer)").map(\.key.repetition)
      #expect(written == Array(0..<25))
    }
  }

  @Test(arguments: Database.available) func qualificationsAndTheirWaiversAreKept(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    let waiver = Waiver(requirement: "DEV-1", grantedBy: "Ada", until: "2026-06-30", reason: "soon", place: "p:3")
    for (document, day) in [("first", "2026-06-30"), ("second", "2026-06-30"), ("third", "2026-07-01")] {
      try ledger.keep(document, of: "profile:x", [waiver], on: day)
    }
    #expect(try ledger.qualification(of: "profile:x") == "third")
    #expect(try ledger.qualification(of: "profile:y") == nil)
    let seen = try place.connect().run("SELECT requirement, expired FROM ledger_waivers ORDER BY expired", [])
    #expect(try seen.map { try $0.integer(1) } == [0, 1])
  }

  @Test(arguments: Database.available) func theRunsOfAnotherLedgerAreTakenInOnce(_ database: Database) throws {
    let (place, other) = (try Place(database), try Place(.file))
    defer {
      place.remove()
      other.remove()
    }
    let (ledger, shard) = (try place.open(), try other.open())
    try ledger.begin(Sample.run("own"))
    try shard.begin(Sample.run())
    try shard.add(Sample.attempt())
    try shard.add(Sample.verdict(), Sample.statements, [Figure("time", 5, "ns")])
    try shard.end("a", status: 1)
    for _ in 0..<2 { try ledger.takeAll(from: shard) }
    #expect(try ledger.runs().map(\.run.id) == ["own", "a"])
    #expect(try ledger.runs().map(\.status) == [nil, 1])
    #expect(try ledger.attempts(of: "a") == [Sample.attempt()])
    #expect(try ledger.verdicts(of: "a").count == 1)
    #expect(try ledger.statements(of: "a").map(\.statement) == Sample.statements)
    #expect(try ledger.figures(named: "time").count == 1)
  }

  @Test(arguments: Database.available) func aLaterVersionIsRefusedInOneSentence(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    _ = try place.open()
    let store = try place.connect()
    try store.run("INSERT INTO ledger_migrations (version, program, applied) VALUES (99, 'later', 0)")
    let failure = #expect(throws: LedgerFailure.self) { try place.open() }
    #expect(failure?.description.contains("has version 99, but this program knows versions up to 3") == true)
  }

  @Test(arguments: Database.available) func anOlderVersionIsMigratedAndKeepsItsRows(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let store = try place.connect()
    try LedgerSchema.prepare(store, program: "old", now: 1, Array(LedgerSchema.migrations.prefix(1)))
    try RunTable(store: store).insert(Sample.run())
    #expect(try !store.hasTable("ledger_waivers"))
    let ledger = try place.open()
    #expect(try ledger.runs().count == 1)
    #expect(try store.hasTable("ledger_waivers"))
  }

  @Test func aFullDiskIsSaidInOneSentenceAndLeavesWhatWasThere() throws {
    let place = try Place(.file)
    defer { place.remove() }
    guard case .file(let path) = place.url else { return }
    _ = try place.open()
    let ledger = try RunLedger(try SQLiteStore(path, makes: false, pageLimit: 50), program: "test") { 0 }
    try ledger.begin(Sample.run())
    var written = 0
    let failure = #expect(throws: LedgerFailure.self) {
      while written < 10_000 {
        try ledger.add(Sample.verdict("failed", Sample.key("s", written)), Sample.statements, [])
        written += 1
      }
    }
    #expect(failure == .full(ledger: path))
    #expect(failure?.description == "cannot write the ledger \(path): the disk is full")
    #expect(written > 3)
    let again = try place.open()
    #expect(try again.verdicts(of: "a").count == written)
    #expect(try again.statements(of: "a").count == written * Sample.statements.count)
  }

  /// A connection that was lost is made again, and the transaction is repeated. While that is impossible, it is said in one
  /// sentence, and nothing is half-written.
  @Test(.enabled(if: Database.serverURL != nil, "ci/ledger starts a server")) func aServerThatGoesAwayIsSaid() throws {
    let place = try Place(.server)
    defer { place.remove() }
    guard case .server(let url) = place.url else { return }
    let name = "guest_\(getpid())"
    let guest = url.replacing("user=dictobench", with: "user=\(name)")
    let owner = try place.connect()
    let schema = try #require(url.split(separator: "%3D").last)
    try owner.run("CREATE ROLE \(name) LOGIN")
    defer {
      try? owner.run("DROP OWNED BY \(name)")
      try? owner.run("DROP ROLE \(name)")
    }
    try owner.run("GRANT ALL ON SCHEMA \(schema) TO \(name)")
    func hangUp() throws {
      try owner.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(name)'")
    }
    let ledger = try RunLedger(.server(guest), for: .writing, program: "test") { 0 }
    try ledger.begin(Sample.run())
    try hangUp()
    try ledger.add(Sample.verdict(), Sample.statements, [])
    #expect(try ledger.verdicts(of: "a").count == 1)
    try owner.run("ALTER ROLE \(name) CONNECTION LIMIT 0")
    try hangUp()
    let failure = #expect(throws: LedgerFailure.self) {
      try ledger.add(Sample.verdict("failed", Sample.key("t")), Sample.statements, [])
    }
    #expect(failure?.description.hasPrefix("the connection to the ledger ") == true, "\(String(describing: failure))")
    #expect(failure?.description.contains("\n") == false)
    try owner.run("ALTER ROLE \(name) CONNECTION LIMIT -1")
    try ledger.add(Sample.verdict("failed", Sample.key("u")), Sample.statements, [])
    #expect(try ledger.verdicts(of: "a").map(\.key.scenario) == ["s", "u"])
    #expect(try ledger.statements(of: "a").count == 2 * Sample.statements.count)
  }

  @Test func whatIsNotALedgerIsRefused() throws {
    let place = try Place(.file)
    defer { place.remove() }
    guard case .file(let path) = place.url else { return }
    // Nobody may make files there, whoever it is; SQLite says that there is none.
    let refusal = #expect(throws: LedgerFailure.self) { try SQLiteStore("/sys/lab.sqlite", makes: true) }
    #expect(refusal?.description.contains("No such file") == false, "\(String(describing: refusal))")
    #expect(throws: LedgerFailure.unopened(ledger: path, reason: "No such file or directory")) {
      try place.open(.reading)
    }
    try Data("this is not a database, but it is long enough to be taken for one".utf8).write(to: URL(filePath: path))
    #expect(throws: LedgerFailure.foreign(ledger: path)) { try place.open() }
    try FileManager.default.removeItem(atPath: path)
    let folder = (path as NSString).deletingLastPathComponent
    #expect(throws: LedgerFailure.unopened(ledger: folder, reason: "Is a directory")) {
      try RunLedger(.file(folder), for: .writing, program: "test") { 0 }
    }
  }

  /// A file without an octet is what a download leaves that failed: it holds no history, and reading makes none.
  @Test func whatIsEmptyIsNotRead() throws {
    let place = try Place(.file)
    defer { place.remove() }
    guard case .file(let path) = place.url else { return }
    try Data().write(to: URL(filePath: path))
    #expect(throws: LedgerFailure.empty(ledger: path)) { try place.open(.reading) }
    #expect(FileManager.default.contents(atPath: path) == Data())
    _ = try place.open(.writing)
    #expect(try place.open(.reading).runs().isEmpty)
  }

  @Test(arguments: Database.available) func aDatabaseWithoutTablesIsNotRead(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let store = try place.connect()
    #expect(throws: LedgerFailure.empty(ledger: store.name)) {
      try LedgerSchema.prepare(store, makes: false, program: "test", now: 0)
    }
    #expect(try !store.hasTable("ledger_migrations"))
  }

  /// Shards begin at once and share one ledger, which each of them finds without a mark or makes.
  @Test func severalWritersMakeOneLedgerTogether() throws {
    let failures = Mutex<[String]>([])
    for _ in 0..<60 {
      let place = try Place(.file)
      defer { place.remove() }
      let url = place.url
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do { _ = try RunLedger(url, for: .writing, program: "test") { 0 } } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }
}

@Suite struct LedgerURLs {
  @Test func theURLAloneDecides() throws {
    #expect(try LedgerURL("lab.sqlite") == .file("lab.sqlite"))
    #expect(try LedgerURL("sqlite:///tmp/lab") == .file("/tmp/lab"))
    #expect(try LedgerURL("postgresql://host/lab") == .server("postgresql://host/lab"))
    for text in ["", "mysql://host/lab", "sqlite://lab", "sqlite:///"] {
      #expect(throws: LedgerFailure.address(text)) { try LedgerURL(text) }
    }
  }

  @Test(arguments: [
    ("postgresql://me:se@cret@host:5432/lab", "postgresql://me:…@host:5432/lab"),
    ("postgresql://me@host/lab?password=secret&a=b", "postgresql://me@host/lab?password=…&a=b"),
    ("postgresql://host:5432/lab", "postgresql://host:5432/lab"),
  ]) func messagesShowNoPassword(url: String, text: String) throws {
    #expect(try LedgerURL(url).description == text)
  }

  /// Of a connection that breaks, libpq says something without the server's code.
  @Test(
    arguments: [
      ("53100", .full(ledger: "l")), ("55P03", .busy(ledger: "l")),
      ("23505", .statement(ledger: "l", reason: "r")), (nil, .lost(ledger: "l", reason: "r")),
      ("57P01", .lost(ledger: "l", reason: "r")), ("57P02", .lost(ledger: "l", reason: "r")),
      ("08006", .lost(ledger: "l", reason: "r")),
    ] as [(String?, LedgerFailure)]) func whatAServerSaysIsUnderstood(state: String?, failure: LedgerFailure)
  {
    #expect(PostgreSQLStore.failure(state: state, "r", "l") == failure)
  }

  @Test func placeholdersAreNumberedOutsideQuotes() {
    #expect(PostgreSQLStore.numbered("a = ? AND b = '?' AND c = ?") == "a = $1 AND b = '?' AND c = $2")
  }

  @Test func aServerThatIsNotThereIsSaidInOneSentence() {
    let failure = #expect(throws: LedgerFailure.self) {
      try RunLedger(.server("postgresql://me:secret@127.0.0.1:1/x"), for: .writing, program: "test") { 0 }
    }
    #expect(failure?.description.contains("cannot open the ledger postgresql://me:…@127.0.0.1:1/x") == true)
    #expect(failure?.description.contains("secret") == false)
    #expect(failure?.description.contains("\n") == false)
  }
}

@Suite struct Histories {
  private static func ledger(_ place: Place) throws -> RunLedger {
    let ledger = try place.open()
    for (id, started, failures) in [("a", Int64(9_000_000), 1), ("b", 2_000_000, 0)] {
      try ledger.begin(Sample.run(id, started: started))
      for number in 0..<4 {
        let isBad = number < failures
        let key = Sample.key("s", number, run: id)
        let statement = RequirementStatement("DEV-1", isBad ? .violated : .shown, source: "s", reason: "")
        let verdict = isBad ? "failed" : "passed"
        try ledger.add(
          Sample.verdict(verdict, key, attempts: [verdict]), [statement],
          [Figure("time", Int64(number), "ns")])
      }
      try ledger.add(
        Sample.verdict("bench-error", Sample.key("s", 4, run: id), attempts: ["bench-error"]), [], [])
    }
    return ledger
  }

  @Test(arguments: Database.available) func aScenarioIsFollowedWithItsInterval(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let history = try LedgerHistory(.scenario("s"), in: try Self.ledger(place))
    #expect(history.points.map(\.words) == ["1 of 4 failed, 1 not judged", "0 of 4 failed, 1 not judged"])
    #expect(history.shares.map(\.name) == ["s[n=1] with profile:x"])
    #expect(history.shares.map(\.interval) == [try #require(WilsonInterval(1, of: 8))])
    #expect(history.shares.map(\.isFlaky) == [true])
    #expect(try LedgerHistory(.scenario("s[n=2]"), in: try place.open()).points.isEmpty)
  }

  @Test(arguments: Database.available) func aClockThatWasSetBackIsSaid(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let history = try LedgerHistory(.requirement("DEV-1"), in: try Self.ledger(place))
    #expect(history.points.map(\.run.id) == ["a", "b"])
    #expect(history.points.map(\.words) == ["1 violated, 3 shown", "4 shown"])
    #expect(history.notes.count == 1)
    #expect(history.notes.first?.hasPrefix("a clock was set back before b") == true)
  }

  /// One result is one trial, whatever monitors, clauses and failures say in it.
  @Test(arguments: Database.available) func aResultCountsOnceForARequirement(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try place.open()
    func says(_ kinds: [RequirementStatement.Kind]) -> [RequirementStatement] {
      kinds.map { RequirementStatement("DEV-1", $0, source: "s", reason: "") }
    }
    try ledger.begin(Sample.run())
    let results: [[RequirementStatement.Kind]] = [
      [.shown, .shown], [.shown, .shown], [.shown, .violated, .violated], [.known, .shown], [.shown, .mended],
      [.notJudged, .notJudged], [.notObservable],
    ]
    for (number, kinds) in results.enumerated() {
      try ledger.add(Sample.verdict("passed", Sample.key("s\(number)")), says(kinds), [])
    }
    let history = try LedgerHistory(.requirement("DEV-1"), in: ledger)
    let words = "1 violated, 1 known, 1 mended, 2 shown, 1 not judged, 1 not observable"
    #expect(history.points.map(\.words) == [words])
    #expect(history.points.map(\.total) == [5])
    #expect(history.points.map(\.bad) == [2])
    #expect(history.shares.map(\.name) == ["DEV-1 with profile:x"])
    #expect(history.shares.map(\.interval) == [try #require(WilsonInterval(2, of: 5))])
    // Each scenario is always good or always bad.
    #expect(history.shares.map(\.isFlaky) == [false])
    try ledger.add(Sample.verdict("passed", Sample.key("s2", 1)), says([.shown]), [])
    #expect(try LedgerHistory(.requirement("DEV-1"), in: ledger).shares.map(\.isFlaky) == [true])
  }

  @Test(arguments: Database.available) func figuresHaveTheirMiddle(_ database: Database) throws {
    let place = try Place(database)
    defer { place.remove() }
    let ledger = try Self.ledger(place)
    #expect(try LedgerHistory(.figure("time"), in: ledger).points.map(\.values) == [[0, 2, 3], [0, 2, 3]])
    let runs = try LedgerHistory(.runs, in: ledger)
    #expect(runs.points.first?.words == "1 of 4 failed, 1 not judged, has not ended")
  }
}
