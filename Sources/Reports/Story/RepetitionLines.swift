import Text
import Verdicts

/// Renders how often each scenario failed over the repetitions of a run, one line each.
enum RepetitionLines {
  /// Scenarios that get a line of their own when more were run.
  static let limit = 10

  /// The lines; none for a run that was not repeated. Failures of devices come first, then what befell bench or
  /// harness.
  static func lines(_ run: RunReport) -> [String] {
    guard let repetitions = run.repetitions else { return [] }
    var lines = [
      "repeated \(repetitions.turns == 1 ? "once" : "\(repetitions.turns) times"); "
        + "share of failures (\(WilsonInterval.name) interval):"
    ]
    let all = repetitions.tallies
    let failed = all.filter { $0.failed > 0 }.sorted { $0.failed > $1.failed }
    let troubled = all.filter { $0.failed == 0 && hasTrouble($0) }
    let clean = all.filter { $0.failed == 0 && !hasTrouble($0) && $0.judged > 0 }
    let listed = failed + troubled + (all.count <= limit ? clean : [])
    lines += listed.prefix(limit).map { "  " + line($0) }
    if listed.count > limit { lines.append("  and \(listed.count - limit) more") }
    if all.count > limit, let fewest = clean.map(\.judged).min(), let share = WilsonInterval(0, of: fewest) {
      lines.append("  0 failed of at least \(fewest) in each of \(clean.count) scenarios: \(share.text)")
    }
    return lines
  }

  private static func hasTrouble(_ tally: RepetitionTally) -> Bool {
    tally.benchErrors + tally.harnessErrors + tally.known > 0
  }

  /// `3 of 37 failed, 2.8 % to 21.3 %  library-no-redownload; apart from that 1 bench error`
  private static func line(_ tally: RepetitionTally) -> String {
    let share = tally.interval.map { ", " + $0.text } ?? ""
    let troubles = [
      (tally.known, "known", "known"), (tally.benchErrors, "bench error", "bench errors"),
      (tally.harnessErrors, "harness error", "harness errors"),
    ].compactMap { count, one, several in count > 0 ? "\(count) \(count == 1 ? one : several)" : nil }
    let apart = troubles.isEmpty ? "" : "; also \(troubles.joined(separator: ", "))"
    return "\(tally.failed) of \(tally.judged) failed\(share)  \(tally.name)\(apart)"
  }
}
