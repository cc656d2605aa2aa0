import Evidence
import Reports
import Verdicts

extension EvidenceStatement {
  /// What a bundle states of a run. `image` is the firmware that was executed; without one, the statement is about the
  /// run itself. `records` are what the run wrote besides its summary: captures, and what a ledger holds of it.
  init(
    of run: RunReport, image: ExecutableImage?, summary: Resource, configuration: [Resource], records: [Resource]
  ) {
    func names(_ kinds: [Verdict.Kind]) -> [String] {
      run.scenarios.filter { kinds.contains($0.verdict.kind) }.map(\.name)
    }
    let subject = image.map {
      Resource(
        name: "firmware image", sha256: $0.digest, annotations: ["digestOf": "the octets that it puts into flash"])
    }
    let result: Result =
      switch run.exitCode {
      case .passed: .passed
      case .outstanding: .warned
      default: .failed
      }
    self.init(
      subject: [subject ?? summary], result: result, configuration: configuration, evidence: [summary] + records,
      passedTests: names([.passed, .known]), warnedTests: names([.flaky, .benchError]),
      failedTests: names([.failed, .mended, .harnessError]), tool: run.tool, seed: run.seed,
      traceHash: run.traceHash.description)
  }
}

extension RunReport {
  /// The place of the summary in a bundle.
  static let evidencePlace = "run/summary.json"
  /// The place in a bundle of what a ledger holds of the run.
  static let ledgerPlace = "run/ledger.jsonl"
}
