/// The exit code of a run.
///
/// A device failure is never hidden: 130 > 1 > 70 > 3 > 5 > 0, and 4 when nothing ran. Continuous integration may run
/// again on 3, and must not on 1.
package enum ExitCode: Int32, CaseIterable, Hashable, Sendable {
  /// Everything passed, or failed as it is declared to.
  case passed = 0
  /// A device failed, or a declared defect did not show.
  case deviceFailed = 1
  /// Wrong usage, a wrong scenario or a wrong bench file.
  case usage = 2
  /// The bench failed and no device did.
  case benchFailed = 3
  /// Nothing was selected, or nothing could run.
  case nothingRan = 4
  /// Something is flaky or outstanding.
  case outstanding = 5
  /// A bug of this harness.
  case internalError = 70
  /// Interrupted; reports were still written.
  case interrupted = 130

  /// What the code tells a person, as part of a sentence.
  package var meaning: String {
    switch self {
    case .passed: "everything passed, or failed as --known declares"
    case .deviceFailed: "the device failed, or a defect that --known declares did not show"
    case .usage: "wrong usage, or a wrong scenario"
    case .benchFailed: "the bench failed, but no device did"
    case .nothingRan: "nothing was selected, or nothing could run"
    case .outstanding: "something is flaky, or a requirement is not shown although --require-all is given"
    case .internalError: "a bug of the harness"
    case .interrupted: "interrupted; reports were written"
    }
  }

  /// The status of a run. `isOutstanding` when a requirement that was demanded is not shown.
  package static func of(_ verdicts: [Verdict.Kind], isInterrupted: Bool = false, isOutstanding: Bool = false) -> Self {
    if isInterrupted { return .interrupted }
    if verdicts.contains(where: { $0 == .failed || $0 == .mended }) { return .deviceFailed }
    if verdicts.contains(.harnessError) { return .internalError }
    if verdicts.contains(.benchError) { return .benchFailed }
    if verdicts.allSatisfy({ $0 == .blocked }) { return .nothingRan }
    if verdicts.contains(.flaky) || isOutstanding { return .outstanding }
    return .passed
  }
}
