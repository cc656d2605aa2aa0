/// What two runs, or two captures, have in common, scenario by scenario.
package struct ComparedRuns: Hashable, Sendable {
  /// A run as it was recorded: its report, and the events of its scenarios by their names.
  package typealias Recorded = (report: RunReport, events: [String: [RunComparison.Entry]])

  /// A scenario that differs.
  package struct Difference: Hashable, Sendable {
    /// The scenario, or the capture.
    package var name: String
    /// Both verdicts where they are of different kinds.
    package var verdicts: String?
    /// Where they first differ; `nil` when only the verdicts do.
    package var first: FirstDifference?
  }

  /// How many are the same.
  package private(set) var same = 0
  /// Those that differ, in the order of the first run.
  package private(set) var differences: [Difference] = []
  /// Those that only one of both has, each with which one.
  package private(set) var lone: [String] = []

  /// Whether there was nothing to compare.
  package var isEmpty: Bool { same + differences.count + lone.count == 0 }
  /// Whether nothing differs.
  package var isSame: Bool { differences.isEmpty && lone.isEmpty }

  /// Compares two runs, called `names`, or only their scenarios with the name or id `wanted`. Simulated runs of one target,
  /// seed and profile must agree in every value, others only in what happens.
  package init(_ here: Recorded, _ there: Recorded, names: (String, String), only wanted: String?) {
    func scenarios(_ report: RunReport) -> [ScenarioReport] {
      report.scenarios.filter { $0.repetition == 0 && (wanted == nil || $0.name == wanted || $0.id == wanted) }
    }
    let comparison = RunComparison(Self.areAlike(here.report, there.report) ? .exact : .cause)
    let (mine, others) = (scenarios(here.report), scenarios(there.report))
    for scenario in mine {
      guard let other = others.first(where: { $0.name == scenario.name }) else {
        lone.append("\(scenario.name): only in \(names.0)")
        continue
      }
      let first = comparison.firstDifference(
        here.events[scenario.name] ?? [], there.events[scenario.name] ?? [], other: names.1)
      add(scenario, other, first)
    }
    let known = Set(mine.map(\.name))
    lone += others.filter { !known.contains($0.name) }.map { "\($0.name): only in \(names.1)" }
  }

  /// Compares two captures by what happens in them; there is nothing to compare where no host is in both.
  package init(_ here: [RunComparison.Entry], _ there: [RunComparison.Entry], names: (String, String)) {
    guard !Set(here.map(\.event.source)).isDisjoint(with: there.map(\.event.source)) else { return }
    if let first = RunComparison(.cause).firstDifference(here, there, other: names.1) {
      differences = [Difference(name: names.0, first: first)]
    } else {
      same = 1
    }
  }

  private static func areAlike(_ here: RunReport, _ there: RunReport) -> Bool {
    here.isSimulated && (here.target, here.seed, here.profile) == (there.target, there.seed, there.profile)
  }

  private mutating func add(_ scenario: ScenarioReport, _ other: ScenarioReport, _ first: FirstDifference?) {
    let kinds = (scenario.verdict.kind, other.verdict.kind)
    if first == nil, kinds.0 == kinds.1 {
      same += 1
    } else {
      let verdicts = kinds.0 == kinds.1 ? nil : "\(kinds.0.rawValue) here, \(kinds.1.rawValue) there"
      differences.append(Difference(name: scenario.name, verdicts: verdicts, first: first))
    }
  }
}
