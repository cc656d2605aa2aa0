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
    /// Results that count: judged scenarios, or those that speak of a requirement, or measurements.
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
    /// Whether both good and bad results were seen.
    package var isFlaky: Bool { bad > 0 && bad < total }
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
      share(verdicts.filter { $0.isAboutDevice }, of: runs.map(\.run)) { ($0.key, $0.isBad) }
    case .requirement(let id):
      let statements = try ledger.statements(about: id)
      follow(runs.map(\.run), statements, by: \.key.run) { run, said in
        Self.point(run, saying: said.map(\.statement))
      }
      let decided = statements.filter { [.shown, .violated, .known].contains($0.statement.kind) }
      share(decided, of: runs.map(\.run)) {
        (ResultKey(run: $0.key.run, scenario: id, cell: "", repetition: 0), $0.statement.kind != .shown)
      }
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
    _ results: [Result], of runs: [LedgerRun], _ read: (Result) -> (key: ResultKey, isBad: Bool)
  ) {
    let firmware = Dictionary(runs.map { ($0.id, $0.firmware) }) { first, _ in first }
    var counts: [(name: String, bad: Int, total: Int)] = []
    for result in results {
      let (key, isBad) = read(result)
      let name = "\(key.name) with \(firmware[key.run] ?? "unknown firmware")"
      let index = counts.firstIndex { $0.name == name } ?? counts.count
      if index == counts.count { counts.append((name, 0, 0)) }
      counts[index].total += 1
      if isBad { counts[index].bad += 1 }
    }
    shares = counts.compactMap { count in
      WilsonInterval(count.bad, of: count.total).map {
        Share(name: count.name, bad: count.bad, total: count.total, interval: $0)
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

  private static func point(_ run: LedgerRun, saying statements: [RequirementStatement]) -> Point {
    func count(_ kind: RequirementStatement.Kind) -> Int { statements.count { $0.kind == kind } }
    let counts = [
      (count(.violated), "violated"), (count(.known), "known"), (count(.mended), "mended"), (count(.shown), "shown"),
      (count(.notJudged), "not judged"), (count(.notObservable), "not observable"),
    ].filter { $0.0 > 0 }
    let bad = count(.violated) + count(.known)
    return Point(
      run: run, words: counts.map { "\($0.0) \($0.1)" }.joined(separator: ", "), total: bad + count(.shown), bad: bad)
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
