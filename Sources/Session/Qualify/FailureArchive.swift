import Bytes
import Crypto
import Runner
import ScenarioLanguage
import Verdicts

/// Where a qualification keeps what explains its failures. A failure is found again by the digest of ``FailureDigest``.
package protocol FailureArchive: Sendable {
  /// The files of a run. `digest` tells how a failure is found again; it returns `nil` for what is not kept.
  ///
  /// - Throws: why they cannot be written.
  func files(
    _ heading: RunReport, of plan: RunPlan, digest: @escaping @Sendable (Scenario, ScenarioReport) -> String?
  ) throws -> any RunFiles

  /// What explains a failure; `nil` where nothing of it is there.
  func record(of scenario: String, _ digest: String) -> FailureRecord?
}

/// Tells a failure from every other one: what was tested, what judged it, and what happened. Records of the same digest
/// explain the same failure, whichever run wrote them.
enum FailureDigest {
  /// The digest, as 16 hexadecimal digits; `nil` where nothing has to be explained, or nothing ran.
  static func text(
    _ subject: LedgerResults.Subject, scenarioHash: String, verdict: String, traceHash: String?
  ) -> String? {
    guard let traceHash, !isGood(verdict) else { return nil }
    let parts = [
      subject.program, subject.target, subject.firmware, subject.rules, String(subject.seed), scenarioHash, verdict,
      traceHash,
    ]
    return Hexadecimal.string(Array(SHA256.digest(Array(parts.joined(separator: "\n").utf8)).prefix(8)))
  }

  /// Whether nothing has to be explained of a verdict.
  static func isGood(_ verdict: String) -> Bool {
    [Verdict.Kind.passed, .blocked].map(\.rawValue).contains(verdict)
  }
}
