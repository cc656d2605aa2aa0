import FirmwareImages
import Processor
import Synchronization

/// Collects which instructions of an image the scenarios of a run executed. Scenarios end on any thread, in any order.
package final class CoverageLedger: Sendable {
  private let runs = Mutex<[String: Coverage]>([:])

  /// A ledger without a run.
  package init() {}

  /// Adds what one recorder of a scenario executed.
  func add(_ coverage: Coverage, of scenario: String) {
    runs.withLock { runs in
      if runs[scenario] == nil { runs[scenario] = coverage } else { runs[scenario]?.formUnion(coverage) }
    }
  }

  /// What one scenario executed; `nil` where it had no recorder.
  package func executed(by scenario: String) -> Coverage? { runs.withLock { $0[scenario] } }

  /// What was executed of an image, given the names of the scenarios in their order, and the requirements in theirs with
  /// the names of the scenarios that verify each.
  package func coverage(
    of image: FirmwareImage, by scenarios: [String], verifying requirements: [(name: String, scenarios: [String])]
  ) -> ImageCoverage {
    let runs = runs.withLock { $0 }
    return ImageCoverage(
      image, scenarios.compactMap { name in runs[name].map { (name, $0) } },
      requirements.map { ($0.name, $0.scenarios.compactMap { runs[$0] }) })
  }
}
