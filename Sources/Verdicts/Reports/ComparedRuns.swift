/// What two runs, or two captures, have in common, scenario by scenario.
package struct ComparedRuns: Hashable, Sendable {
  /// A run as it was recorded: its report, and the logs of its scenarios by their names.
  package typealias Recorded = (report: RunReport, events: [String: [RunComparison.Log]])
  /// A capture: what is kept of its events, how they are read again, and of each record that passed whole and uncovered the
  /// name and a digest of its octets.
  package typealias Captured = (
    outline: RunComparison.Outline, read: RunComparison.Reading, records: [(name: String, digest: [UInt8])]
  )

  /// A scenario that differs.
  package struct Difference: Hashable, Sendable {
    /// The scenario, or the capture.
    package var name: String
    /// Both verdicts where they are of different kinds.
    package var verdicts: String?
    /// Where they first differ; `nil` where no event does.
    package var first: FirstDifference?
    /// What differs although every event is the same; `nil` for nothing.
    package var untold: String?
  }

  /// How many are the same.
  package private(set) var same = 0
  /// Those that differ, in the order of the first run.
  package private(set) var differences: [Difference] = []
  /// Those that only one of both has, each with which one.
  package private(set) var lone: [String] = []
  /// What could not be compared of scenarios that are otherwise the same, a sentence each.
  package private(set) var notCompared: [String] = []

  /// Whether there was nothing to compare.
  package var isEmpty: Bool { same + differences.count + lone.count == 0 }
  /// Whether nothing differs.
  package var isSame: Bool { differences.isEmpty && lone.isEmpty }

  /// Compares two runs, called `names`, or only their scenarios with the name or id `wanted`. Simulated runs of one target,
  /// seed and profile must agree in every value and in their hashes, others only in what happens. Of a scenario that was
  /// repeated, the first repetition that was reported is compared with the same one of the other run, or with its first.
  package init(_ here: Recorded, _ there: Recorded, names: (String, String), only wanted: String?) {
    func scenarios(_ report: RunReport) -> [ScenarioReport] {
      var names: Set<String> = []
      return report.scenarios.filter {
        (wanted == nil || $0.name == wanted || $0.id == wanted) && names.insert($0.name).inserted
      }
    }
    let areAlike = Self.areAlike(here.report, there.report)
    let (mine, others) = (scenarios(here.report), scenarios(there.report))
    for scenario in mine {
      let same = there.report.scenarios.first { $0.name == scenario.name && $0.repetition == scenario.repetition }
      guard let other = same ?? others.first(where: { $0.name == scenario.name }) else {
        lone.append("\(scenario.name): only in \(names.0)")
        continue
      }
      let logs = (Self.events(of: scenario, here), Self.events(of: other, there))
      let isExact = areAlike && same != nil
      let first = RunComparison(isExact ? .exact : .cause).firstDifference(logs.0, logs.1, other: names.1)
      let areHashed = isExact && here.report.isUncovered == there.report.isUncovered
      let hashes = areHashed ? [scenario.traceHash, other.traceHash].compactMap { $0 } : []
      let hasOtherTrace = hashes.count == 2 && hashes[0] != hashes[1]
      add(scenario, other, first, untold: first == nil && hasOtherTrace ? Self.words(ofOtherTrace: logs) : nil)
      // One hash says more than any log.
      guard first == nil, hashes.count < 2 || hasOtherTrace else { continue }
      for (events, name) in [(logs.0, names.0), (logs.1, names.1)] where events.dropped > 0 {
        let extent = "\(events.dropped) events in \(name) after the first \(events.entries.count)"
        notCompared.append("\(scenario.name): \(extent)")
      }
    }
    if areAlike, here.report.isUncovered != there.report.isUncovered {
      notCompared.append("the hashes: keys and recordings were left uncovered in one of both runs")
    }
    let known = Set(mine.map(\.name))
    lone += others.filter { !known.contains($0.name) }.map { "\($0.name): only in \(names.1)" }
  }

  /// Compares two captures by what happens in them, and the records that have the same name in both octet for octet; there
  /// is nothing to compare where no host is in both. Throws what reading them again throws.
  package init(_ here: Captured, _ there: Captured, names: (String, String)) throws {
    guard !here.outline.sources.isDisjoint(with: there.outline.sources) else { return }
    let first = try RunComparison.firstDifference(
      (here.outline, here.read), (there.outline, there.read), other: names.1)
    if let first {
      differences = [Difference(name: names.0, first: first)]
    } else if let untold = Self.otherOctets(here, there) {
      differences = [Difference(name: names.0, untold: untold)]
    } else {
      same = 1
    }
  }

  /// The first record that has other octets in the other capture; `nil` for none. One that passed again is compared with
  /// the same turn of the other.
  private static func otherOctets(_ here: Captured, _ there: Captured) -> String? {
    var others: [String: [[UInt8]]] = [:]
    for record in there.records { others[record.name, default: []].append(record.digest) }
    var turns: [String: Int] = [:]
    for record in here.records {
      let turn = turns[record.name, default: 0]
      turns[record.name] = turn + 1
      if let other = others[record.name], turn < other.count, other[turn] != record.digest {
        return "record \(record.name) has other octets"
      }
    }
    return nil
  }

  /// What was logged of the reported attempt at a scenario.
  private static func events(of scenario: ScenarioReport, _ run: Recorded) -> RunComparison.Log {
    run.events[scenario.name]?.first { $0.repetition == scenario.repetition } ?? RunComparison.Log()
  }

  private static func words(ofOtherTrace logs: (RunComparison.Log, RunComparison.Log)) -> String {
    let isCut = logs.0.dropped + logs.1.dropped > 0
    return "the traces differ in what no event tells, such as the octets of a recording"
      + (isCut ? ", or after the last event that was kept" : "")
  }

  private static func areAlike(_ here: RunReport, _ there: RunReport) -> Bool {
    here.isSimulated && (here.target, here.seed, here.profile) == (there.target, there.seed, there.profile)
  }

  private mutating func add(
    _ scenario: ScenarioReport, _ other: ScenarioReport, _ first: FirstDifference?, untold: String?
  ) {
    let kinds = (scenario.verdict.kind, other.verdict.kind)
    if first == nil, untold == nil, kinds.0 == kinds.1 {
      same += 1
    } else {
      let verdicts = kinds.0 == kinds.1 ? nil : "\(kinds.0.rawValue) here, \(kinds.1.rawValue) there"
      differences.append(Difference(name: scenario.name, verdicts: verdicts, first: first, untold: untold))
    }
  }
}
