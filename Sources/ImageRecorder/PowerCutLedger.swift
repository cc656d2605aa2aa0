import FirmwareImages
import Synchronization
import Timeline

/// Collects what power cuts in the scenarios of a run did. Scenarios end on any thread, in any order.
package final class PowerCutLedger: Sendable {
  /// What the cuts in one scenario did.
  package struct Sweep: Sendable {
    /// Instructions at which power was cut.
    package var instructions: UInt64 = 0
    /// Stretches of them in which no flash changed, each cut in one copy.
    package var stretches = 0
    /// The first cut of each stretch, in order, as many as are kept.
    package var cuts: [PowerCut] = []
    /// How many cuts did harm.
    package var harmfulCount = 0
    /// Those of ``cuts`` that did harm.
    package var harmful: [PowerCut] { cuts.filter { !$0.isHarmless } }
  }

  private static let keptLimit = 10_000
  private let runs = Mutex<[String: Sweep]>([:])

  /// A ledger without a cut.
  package init() {}

  func execute(_ instructions: UInt64, in scenario: String) {
    runs.withLock { $0[scenario, default: Sweep()].instructions += instructions }
  }

  func add(_ cut: PowerCut, in scenario: String) {
    runs.withLock { runs in
      runs[scenario, default: Sweep()].stretches += 1
      if !cut.isHarmless { runs[scenario, default: Sweep()].harmfulCount += 1 }
      if runs[scenario, default: Sweep()].cuts.count < Self.keptLimit {
        runs[scenario, default: Sweep()].cuts.append(cut)
      }
    }
  }

  /// What the cuts in a scenario did; `nil` where there were none.
  package func sweep(of scenario: String) -> Sweep? { runs.withLock { $0[scenario] } }
}

extension PowerCutLedger.Sweep {
  /// Cuts that are told one by one.
  private static let toldLimit = 10

  /// What to tell a person, given the scenario's name and the symbols of the image. Neighbours that do the same are told as
  /// one.
  package func lines(of scenario: String, _ symbols: SymbolTable) -> [String] {
    let states = stretches == 1 ? "1 state" : "\(stretches) states"
    let outcome = harmfulCount == 0 ? "no cut did harm" : "\(harmfulCount) did harm"
    var lines = [
      "power cuts in \(scenario): \(instructions) instructions, \(states) of the flashes; \(outcome)"
    ]
    var told: [(cut: PowerCut, count: Int)] = []
    for cut in harmful {
      if let last = told.last, last.cut.lost == cut.lost, last.cut.findings == cut.findings,
        last.cut.losesApplication == cut.losesApplication
      {
        told[told.count - 1].count += 1
      } else {
        told.append((cut, 1))
      }
    }
    lines += told.prefix(Self.toldLimit).map { cut, count in
      let harm =
        cut.lost.map { "record \($0) is lost" }
        + (cut.losesApplication ? ["the application does not start any more"] : [])
        + cut.findings.filter { !$0.isLimitation }.map { $0.text(symbols) }
      let more = count > 1 ? ", and so in the next \(count - 1)" : ""
      return "  from \(cut.instant) s on, at \(cut.place): \(harm.joined(separator: "; "))\(more)"
    }
    if told.count > Self.toldLimit { lines.append("  and \(told.count - Self.toldLimit) more kinds of harm") }
    return lines
  }
}
