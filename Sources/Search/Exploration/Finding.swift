import ScenarioLanguage
import Text

/// A failure that an exploration found, as small as it could be made.
package struct Finding: Sendable {
  /// The run that showed it first, from 1.
  package let run: Int
  /// How it fails.
  package let failure: TrialFailure
  /// The actions of the run that showed it first.
  package let actionsBefore: Int
  /// The steps of the scenario that is left.
  package let steps: Int
  /// How many schedules were tried to make it small.
  package let trials: Int
  /// How often the scenario was repeated with other chances: ``plannedRepetitions`` times, or less often where somebody
  /// ended the exploration.
  package let repetitions: Int
  /// In how many of the repetitions it fails for the same reason.
  package let repeated: Int
  /// The name of the scenario.
  package let id: String
  /// The scenario's file.
  package let text: String
  /// How many runs failed for this reason, this one included.
  package internal(set) var count = 1

  /// How often a finding is repeated with other chances.
  package static let plannedRepetitions = 10

  /// Whether somebody ended the exploration before it was as small as it can be and repeated.
  package var isInterrupted: Bool { repetitions < Self.plannedRepetitions }
}

/// Turns a run that failed into a finding.
struct FindingReduction {
  let trials: any ScheduleTrials
  /// What was explored, for readers, such as `--seed 1 --profile firmware-1.4`.
  let origin: String
  /// What the recorders run.
  let scope: ScheduleScope

  /// The finding of a run that failed. Its scenario keeps the name of the run, or has a number behind it; the names of
  /// earlier findings are not taken again. Once trials are interrupted it stays as small as it is.
  func finding(
    _ schedule: Schedule, _ failure: TrialFailure, run: Int, after others: [Finding], as plain: ScheduleText,
    performed: Int
  ) -> Finding {
    let cause = failure.cause
    let texts = texts(plain, cause, besides: others.map(\.id))
    // As which file each schedule failed.
    var shown: [Schedule: ScheduleText] = [:]
    func fails(_ schedule: Schedule) -> Bool? {
      let attempt = attempt(among: texts, of: schedule, cause)
      shown[schedule] = attempt.text
      return attempt.isInterrupted ? nil : attempt.text != nil
    }
    var start = schedule
    start.actions = Array(schedule.actions.prefix(performed))
    if fails(start) != true { start = schedule }
    var shrinker = ScheduleShrinker(for: scope, where: fails)
    let small = shrinker.smallest(start)
    if shown[small] == nil { _ = fails(small) }
    let chosen = shown[small] ?? texts[0]
    let smallest = trimmed(small, chosen, cause)
    let told = text(chosen, smallest, failure, run)
    let outcomes = (0..<Finding.plannedRepetitions).map { trials.run(smallest, as: told, repetition: $0) }
    return Finding(
      run: run, failure: outcomes[0].failure(for: cause) ?? failure, actionsBefore: schedule.actions.count,
      steps: ScheduleText.stepCount(of: smallest), trials: shrinker.trials,
      repetitions: outcomes.count { !$0.isInterrupted }, repeated: outcomes.count { $0.failure(for: cause) != nil },
      id: told.id, text: told.text(of: smallest))
  }

  /// The files as which a schedule is tried, that of the run first.
  private func texts(_ plain: ScheduleText, _ cause: TrialCause, besides taken: [String]) -> [ScheduleText] {
    let ids = (1...scope.names + taken.count).map { plain.id + ($0 == 1 ? "" : "-\($0)") }
    return ids.filter { !taken.contains($0) }.prefix(scope.names).map { id in
      var text = ScheduleText(id: id, published: plain.published)
      text.requirements = cause.requirements
      return text
    }
  }

  /// The first of the files as which a schedule fails for this reason, `nil` where it does not, and whether that was not
  /// tried to the end.
  private func attempt(
    among texts: [ScheduleText], of schedule: Schedule, _ cause: TrialCause
  ) -> (text: ScheduleText?, isInterrupted: Bool) {
    for text in texts {
      let outcome = trials.run(schedule, as: text, repetition: 0)
      if outcome.isInterrupted { return (nil, true) }
      if outcome.failure(for: cause) != nil { return (text, false) }
    }
    return (nil, false)
  }

  /// The schedule without the steps that are not performed any more.
  private func trimmed(_ schedule: Schedule, _ text: ScheduleText, _ cause: TrialCause) -> Schedule {
    let performed = trials.run(schedule, as: text, repetition: 0).performed
    var shorter = schedule
    shorter.closing = performed - schedule.actions.count
    guard performed >= schedule.actions.count, performed > 0 else { return schedule }
    return trials.run(shorter, as: text, repetition: 0).failure(for: cause) != nil ? shorter : schedule
  }

  private func text(_ plain: ScheduleText, _ schedule: Schedule, _ failure: TrialFailure, _ run: Int) -> ScheduleText {
    var text = plain
    var nouns: [String] = []
    for noun in schedule.actions.map(\.declaration.noun) where !nouns.contains(noun) && noun != "pause" {
      nouns.append(noun)
    }
    text.title = Self.title(failure.sentence, after: nouns)
    text.description = Self.escaped("Run \(run) of `dictobench explore \(origin)` found: \(failure.reason).")
    return text
  }

  /// What holds, and after what; as much of that as a title may hold.
  static func title(_ sentence: String, after nouns: [String]) -> String {
    for count in (1..<nouns.count + 1).reversed() {
      let named = nouns.prefix(count) + (count < nouns.count ? ["more"] : [])
      let title = sentence + ", also after: " + Wording.list(Array(named), "and")
      if title.utf8.count <= LanguageLimits.titleLength { return title }
    }
    return sentence
  }

  /// Text in which nothing is replaced and nothing controls a terminal.
  private static func escaped(_ text: String) -> String {
    PlainText.escaped(text, limit: 1_000).replacing("$", with: "$$")
  }
}
