import Bytes
import Text
import Timeline
import Verdicts

/// What happened in a run, in the words and the order of every report.
package struct RunStory: Sendable {
  /// Scenarios told of that passed only after their bench was brought back.
  private static let recoveryLimit = 3

  /// How the answer is to be taken.
  package enum Tone: Hashable, Sendable {
    /// Everything is as it should be.
    case good
    /// A device or this harness failed.
    case bad
    /// The run says less than it was asked for.
    case uncertain
  }

  /// The exact values.
  package let report: RunReport
  /// Its scenarios, in their order.
  package let scenarios: [ScenarioStory]
  /// Those that neither passed nor failed as declared, what matters most first.
  package let deviant: [ScenarioStory]
  /// The same, grouped by what seems to be their cause.
  package let causes: [CauseStory]

  package init(_ report: RunReport) {
    self.report = report
    scenarios = report.scenarios.map { ScenarioStory($0, isSimulated: report.isSimulated) }
    deviant = ScenarioStory.byWeight(scenarios)
    causes = CauseStory.grouped(deviant)
  }

  /// The answer in a word.
  package var word: String {
    switch report.exitCode {
    case .passed: "PASSED"
    case .deviceFailed: "FAILED"
    case .usage: "REFUSED"
    case .benchFailed: "BENCH FAILED"
    case .nothingRan: "NOTHING RAN"
    case .outstanding: "OUTSTANDING"
    case .internalError: "HARNESS FAILED"
    case .interrupted: "INTERRUPTED"
    }
  }

  /// How the answer is to be taken.
  package var tone: Tone {
    switch report.exitCode {
    case .passed: .good
    case .deviceFailed, .usage, .internalError: .bad
    case .benchFailed, .nothingRan, .outstanding, .interrupted: .uncertain
    }
  }

  /// The rest of the answer: counts by verdict, the parties that failed, and the time it took.
  package var counts: String {
    let counts = Verdict.Kind.allCases.compactMap { kind -> String? in
      let count = report.count(kind)
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    let total = report.scenarios.count + (report.repetitions?.unlisted ?? 0)
    let wanted = total + report.unrun.count
    let scenarios = (wanted == total ? "" : "\(total) of ") + Wording.count(wanted, "scenario")
    let virtual = report.isSimulated ? " for \(DurationText.text(report.virtualDuration)) of virtual time" : ""
    let times = DurationText.text(report.wallDuration) + virtual
    return "\(scenarios): \(counts.joined(separator: ", "))\(parties), in \(times)"
  }

  /// The parties that device failures count against.
  private var parties: String {
    let judged = report.scenarios.compactMap { scenario -> JudgedParty? in
      if case .failed = scenario.verdict { scenario.blames } else { nil }
    }
    if report.target == TargetKind.app.rawValue { return judged.isEmpty ? "" : " (against the application)" }
    let parties = JudgedParty.allCases.filter { judged.contains($0) }.map(\.rawValue)
    return parties.isEmpty ? "" : " (against the \(parties.joined(separator: ", the ")))"
  }

  /// What befell the bench although scenarios were judged: recoveries, and health scenarios that did not pass.
  package var benchTrouble: [String] {
    let recovered = scenarios.filter { $0.kind != .benchError && $0.report.recovery != nil }
    let recoveries = recovered.prefix(Self.recoveryLimit).map { story in
      "bench-error, then \(story.kind.rawValue): \(story.name): \(story.report.recovery ?? "")"
    }
    let health = report.benches.flatMap(\.health).filter { $0.verdict != .passed }
    let troubles = report.benches.compactMap { trouble(of: $0) }
    return recoveries + troubles + health.map { "health \($0.occasion.rawValue): \($0.verdict.reason ?? "")" }
  }

  /// Why a bench got no more scenarios; `nil` where it did. What the scenarios or the health of the only bench tell is not
  /// told again.
  private func trouble(of bench: BenchRecord) -> String? {
    guard let trouble = bench.trouble else { return nil }
    let place = bench.place ?? "without a name"
    guard report.furtherBenches.isEmpty else { return "bench \(place) got no more scenarios: \(trouble)" }
    let isTold =
      bench.health.contains { $0.verdict != .passed } || report.scenarios.contains { $0.verdict.reason == trouble }
    return isTold ? nil : "bench \(place) failed: \(trouble)"
  }

  /// How many requirements were shown, and which were violated; empty without a catalogue. Failures that name none are
  /// counted, so that no failed run ends with nothing violated.
  package var requirements: [String] {
    guard !report.requirements.isEmpty else { return [] }
    let words = ["shown", "partlyShown", "violated", "notJudged", "notExercised", "notObservable"]
    let names = ["shown", "partly shown", "violated", "not judged", "not exercised", "not observable"]
    let counts = zip(words, names).compactMap { word, name -> String? in
      let count = report.requirements.count { $0.outcome.word == word }
      return count == 0 && !["shown", "violated"].contains(word) ? nil : "\(count) \(name)"
    }
    let unattributed = report.unattributedFailures
    let parts = report.requirements.compactMap { result -> String? in
      guard case .partlyShown(let missing) = result.outcome else { return nil }
      return "\(result.requirement.id) (not \(missing.joined(separator: ", ")))"
    }
    let unjudged = ids("notJudged")
    let violated = ids("violated")
    let known = report.undisputedDefects
    let (declared, other) = (violated.filter(known.contains), violated.filter { !known.contains($0) })
    return ["requirements: " + counts.joined(separator: ", ")]
      + (other.isEmpty ? [] : ["  violated: " + other.joined(separator: " ")])
      + (declared.isEmpty ? [] : ["  violated as declared: " + declared.joined(separator: " ")])
      + (unattributed == 0 ? [] : ["  unattributed: \(Wording.count(unattributed, "failure")) of no known requirement"])
      + (parts.isEmpty ? [] : ["  partly shown: " + parts.joined(separator: ", ")])
      + (unjudged.isEmpty ? [] : ["  not judged: " + unjudged.joined(separator: " ")])
  }

  /// The charge that executed recorders took; empty where none was executed.
  package var charge: [String] {
    guard let charge = report.charge else { return [] }
    let total = Self.microampereHours(charge.least, charge.most)
    let hours = Double(charge.poweredNanoseconds) / 3.6e12
    let mean =
      hours > 0
      ? ", a mean of \(Self.decimal(Double(charge.least) / hours / 1e6)) to "
        + "\(Self.decimal(Double(charge.most) / hours / 1e6)) mA" : ""
    let parts = charge.parts.map { part in
      "\(part.name) \(Self.microampereHours(part.leastNanoampereHours, part.mostNanoampereHours))"
    }
    let powered = DurationText.text(.nanoseconds(charge.poweredNanoseconds))
    return [
      "charge by data sheets, 3 V and 25 °C: \(total) in \(powered) with power\(mean)",
      "  \(parts.joined(separator: "; "))", "  not counted: \(charge.notCounted.joined(separator: "; "))",
    ]
  }

  private static func microampereHours(_ least: Int64, _ most: Int64) -> String {
    "\(decimal(Double(least) / 1_000)) to \(decimal(Double(most) / 1_000)) µAh"
  }

  /// A number with two digits behind the point.
  private static func decimal(_ number: Double) -> String {
    let hundredths = Int64((max(0, min(number, 1e15)) * 100).rounded())
    let rest = String(hundredths % 100)
    return "\(NumberText.grouped(hundredths / 100)).\(rest.count < 2 ? "0" : "")\(rest)"
  }

  private func ids(_ word: String) -> [String] {
    report.requirements.filter { $0.outcome.word == word }.map(\.requirement.id)
  }

  /// What the run can be told from others by.
  package var identity: String {
    let owner = report.isSimulated ? "" : "our recorder's "
    let profile = report.profile.map { ", \(owner)profile \($0)" } ?? ""
    let phone = report.phone.map { ", phone \($0)" } ?? ""
    let fault = report.fault.map { ", fault \($0)" } ?? ""
    return "trace \(report.traceHash), seed \(report.seed)\(profile)\(phone)\(fault)"
  }
}
