import Verdicts

/// The order of attempts at one scenario: tries until it passes, or fails as declared, or the retries are used up, and after the first bench
/// error asks once for the bench to be brought back. A bench that is back gives the failed attempt another chance, which
/// does not count as a retry.
package struct AttemptSequence: Sendable {
  /// What to do next.
  package enum Action: Equatable, Sendable {
    /// Make attempt `number`, from 0. `isAgain` marks the second chance after the bench was brought back.
    case attempt(number: Int, isAgain: Bool)
    /// Bring the bench back, and tell ``AttemptSequence/recovered(_:isInterrupted:)`` how that went.
    case recover(BenchTrouble)
    /// Nothing more is tried.
    case finish
  }

  /// How bringing the bench back went.
  package struct Recovery: Equatable, Sendable {
    /// What was done, in words.
    package var words: String
    /// Whether the scenario can be tried again.
    package var isBack: Bool

    package init(_ words: String, isBack: Bool) {
      self.words = words
      self.isBack = isBack
    }
  }

  /// All attempts so far, in order.
  package private(set) var attempts: [ScenarioReport] = []
  private let retries: Int
  private var turns = 0
  private var recovery: String?

  /// A sequence of one attempt and up to `retries` more, after those of another bench, which failed in them.
  package init(retries: Int, after earlier: [ScenarioReport] = []) {
    self.retries = retries
    attempts = earlier
  }

  /// The first thing to do.
  package var first: Action { .attempt(number: 0, isAgain: false) }

  /// Takes the report of the attempt that was asked for.
  package mutating func ended(_ report: ScenarioReport, isAgain: Bool, isInterrupted: Bool) -> Action {
    attempts.append(report)
    if !isAgain { turns += 1 }
    if recovery == nil, case .benchError(let trouble) = report.verdict { return .recover(trouble) }
    return next(isInterrupted)
  }

  /// Takes how bringing the bench back went; `nil` where nothing was tried.
  package mutating func recovered(_ result: Recovery?, isInterrupted: Bool) -> Action {
    recovery = result?.words
    guard result?.isBack == true else { return next(isInterrupted) }
    return .attempt(number: turns - 1, isAgain: true)
  }

  private func next(_ isInterrupted: Bool) -> Action {
    guard turns <= retries, !isInterrupted, let last = attempts.last, !last.verdict.isExpected else { return .finish }
    return .attempt(number: turns, isAgain: false)
  }

  /// The place of the attempt that is reported: the first one that judged the device, or else the first.
  private var reported: Int? { attempts.firstIndex { $0.verdict.kind != .benchError } ?? attempts.indices.first }

  /// Whether of all attempts so far the last one is reported, so that its files are those to keep.
  package var reportsLast: Bool { reported.map { $0 == attempts.count - 1 } ?? false }

  /// What all attempts come to: the one that is reported, with the verdict of all. `nil` before the first.
  package var result: ScenarioReport? {
    guard var report = reported.map({ attempts[$0] }) else { return nil }
    report.recovery = recovery
    report.attempts = attempts.map(\.verdict)
    report.verdict = Verdict.of(attempts: report.attempts)
    return report
  }
}
