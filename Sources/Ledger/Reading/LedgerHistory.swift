import Text
import Verdicts

/// How something went over the runs of a ledger.
package struct LedgerHistory: Hashable, Sendable {
  /// What is followed.
  package enum Subject: Hashable, Sendable {
    /// Every run.
    case runs
    /// A requirement, by its id.
    case requirement(String)
    /// A scenario, by its id with or without its cell.
    case scenario(String)
    /// A figure, by its name.
    case figure(String)
  }

  /// One run.
  package struct Point: Hashable, Sendable {
    /// The run.
    package var run: LedgerRun
    /// What it says, in words.
    package var words: String
    /// Results that count: judged scenarios, or scenarios that judged a requirement, or measurements.
    package var total: Int
    /// Those among them that are bad; 0 for a figure.
    package var bad: Int
    /// The smallest, the middle and the greatest value of a figure; empty for anything else.
    package var values: [Int64] = []
  }

  /// How often one thing failed with one firmware.
  package struct Share: Hashable, Sendable {
    /// The scenario or requirement, and the firmware.
    package var name: String
    /// Bad results.
    package var bad: Int
    /// All results that count.
    package var total: Int
    /// Where the true share lies.
    package var interval: WilsonInterval
    /// Whether both good and bad results of one scenario were seen.
    package var isFlaky: Bool
  }

  /// What is followed.
  package let subject: Subject
  /// The runs in the order in which they were written.
  package private(set) var points: [Point] = []
  /// Failures by name and firmware, in the order in which they were first seen.
  package private(set) var shares: [Share] = []
  /// What a reader has to know about the order.
  package private(set) var notes: [String] = []

  /// Reads the history of a subject.
  ///
  /// - Throws: what the ledger throws. A subject of which the ledger holds nothing has no points.
  package init(_ subject: Subject, in ledger: RunLedger) throws(LedgerFailure) {
    self.subject = subject
    let runs = try ledger.runs()
    switch subject {
    case .runs:
      for (run, status) in runs {
        let end = status.map { "ended with exit code \($0)" } ?? "has not ended"
        let verdicts = try ledger.verdicts(of: run.id)
        points.append(Self.point(run, verdicts, ", \(end)"))
      }
    case .scenario(let name):
      // A name with a cell begins with the id.
      let id = name.firstIndex(of: "[").map { String(name[..<$0]) } ?? name
      let verdicts = try ledger.verdicts(about: id).filter { name == id || $0.key.name == name }
      follow(runs.map(\.run), verdicts, by: \.key.run) { run, verdicts in Self.point(run, verdicts) }
      share(verdicts.filter { $0.isAboutDevice }, of: runs.map(\.run)) { ($0.key.name, $0.key, $0.isBad) }
    case .requirement(let id):
      let results = Testimony.of(try ledger.statements(about: id))
      follow(runs.map(\.run), results, by: \.key.run) { run, results in Self.point(run, results) }
      share(results.filter(\.isDecided), of: runs.map(\.run)) { (id, $0.key, $0.isBad) }
    case .figure(let name):
      let figures = try ledger.figures(named: name)
      follow(runs.map(\.run), figures, by: \.key.run) { run, figures in Self.point(run, figures.map(\.figure)) }
    }
    tellClock(points.map(\.run))
  }

  private mutating func follow<Result>(
    _ runs: [LedgerRun], _ results: [Result], by run: (Result) -> String, _ point: (LedgerRun, [Result]) -> Point
  ) {
    let grouped = Dictionary(grouping: results, by: run)
    points = runs.compactMap { run in grouped[run.id].map { point(run, $0) } }
  }

  private mutating func share<Result>(
    _ results: [Result], of runs: [LedgerRun], _ read: (Result) -> (subject: String, key: ResultKey, isBad: Bool)
  ) {
    let firmware = Dictionary(runs.map { ($0.id, $0.firmware) }) { first, _ in first }
    // The scenarios of the good and of the bad results.
    var counts: [(name: String, good: [String], bad: [String])] = []
    for result in results {
      let (subject, key, isBad) = read(result)
      let name = "\(subject) with \(firmware[key.run] ?? "unknown firmware")"
      let index = counts.firstIndex { $0.name == name } ?? counts.count
      if index == counts.count { counts.append((name, [], [])) }
      if isBad { counts[index].bad.append(key.name) } else { counts[index].good.append(key.name) }
    }
    shares = counts.compactMap { name, good, bad in
      WilsonInterval(bad.count, of: good.count + bad.count).map {
        Share(
          name: name, bad: bad.count, total: good.count + bad.count, interval: $0,
          isFlaky: !Set(good).isDisjoint(with: bad))
      }
    }
  }

  private static func point(_ run: LedgerRun, _ verdicts: [LedgerVerdict], _ end: String = "") -> Point {
    let judged = verdicts.filter(\.isAboutDevice)
    let bad = judged.count(where: \.isBad)
    let others = verdicts.count - judged.count
    let apart = others > 0 ? ", \(others) not judged" : ""
    return Point(
      run: run, words: "\(bad) of \(judged.count) failed\(apart)\(end)", total: judged.count, bad: bad)
  }

  private static func point(_ run: LedgerRun, _ results: [Testimony]) -> Point {
    let counts = Testimony.order.compactMap { kind, words in
      let count = results.count { $0.foremost == kind }
      return count > 0 ? "\(count) \(words)" : nil
    }
    return Point(
      run: run, words: counts.joined(separator: ", "), total: results.count(where: \.isDecided),
      bad: results.count(where: \.isBad))
  }

  private static func point(_ run: LedgerRun, _ figures: [Figure]) -> Point {
    let values = figures.map(\.value).sorted()
    let unit = figures.first?.unit ?? ""
    let three = [values.first ?? 0, values.isEmpty ? 0 : values[values.count / 2], values.last ?? 0]
    let words =
      "\(NumberText.grouped(three[1])) \(unit) in the middle, from \(NumberText.grouped(three[0])) to "
      + "\(NumberText.grouped(three[2])), \(Wording.count(values.count, "value"))"
    return Point(run: run, words: words, total: values.count, bad: 0, values: three)
  }

  /// Runs are listed as they were committed. A clock that was set back makes their times look out of order.
  private mutating func tellClock(_ runs: [LedgerRun]) {
    for (earlier, later) in zip(runs, runs.dropFirst()) where later.started < earlier.started {
      notes.append(
        "a clock was set back before \(later.id): its time is earlier than that of \(earlier.id), which was written first"
      )
    }
  }
}

/// What one result says about one requirement, however many monitors, clauses and failures speak of it.
private struct Testimony {
  /// What a result can say, and its word: what comes earlier outweighs what comes later.
  static let order: [(kind: RequirementStatement.Kind, words: String)] = [
    (.violated, "violated"), (.known, "known"), (.mended, "mended"), (.shown, "shown"), (.notJudged, "not judged"),
    (.notObservable, "not observable"),
  ]

  let key: ResultKey
  private var kinds: [RequirementStatement.Kind]

  /// The results that speak of a requirement, in the order in which they first do.
  static func of(_ statements: [(key: ResultKey, statement: RequirementStatement)]) -> [Testimony] {
    var places: [ResultKey: Int] = [:]
    var results: [Testimony] = []
    for (key, statement) in statements {
      if let place = places[key] {
        results[place].kinds.append(statement.kind)
      } else {
        places[key] = results.count
        results.append(Testimony(key: key, kinds: [statement.kind]))
      }
    }
    return results
  }

  /// What outweighs the rest.
  var foremost: RequirementStatement.Kind? { Self.order.map(\.kind).first(where: kinds.contains) }
  /// Whether the requirement did not hold, declared or not.
  var isBad: Bool { kinds.contains(.violated) || kinds.contains(.known) }
  /// Whether it was seen to hold, or not to.
  var isDecided: Bool { isBad || kinds.contains(.shown) }
}

extension LedgerVerdict {
  /// Whether it says anything about the device.
  fileprivate var isAboutDevice: Bool {
    ![Verdict.Kind.benchError, .harnessError, .blocked].map(\.rawValue).contains(verdict)
  }

  /// Whether the device failed in one of the attempts.
  fileprivate var isBad: Bool {
    attempts.contains(Verdict.Kind.failed.rawValue) || attempts.contains(Verdict.Kind.known.rawValue)
  }
}
