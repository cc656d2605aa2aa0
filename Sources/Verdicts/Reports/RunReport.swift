import Charts
import Timeline
import Trace

/// Everything that reports tell about one run.
package struct RunReport: Hashable, Sendable {
  /// Name and version of the tool, such as `dictobench 0.1.0`.
  package var tool: String
  /// The root seed.
  package var seed: UInt64
  /// Which firmware was simulated; `nil` where a real recorder ran.
  package var profile: String?
  /// The phone that was played; `nil` for the reference.
  package var phone: String?
  /// The fault that was planted, `WHO:NAME`; `nil` for none.
  package var fault: String?
  /// Whether keys and recordings were left uncovered, which the hashes depend on.
  package var isUncovered = false
  /// What was tested: `simulated`, `hardware` or `app`.
  package var target: String
  /// Name of the machine or bench.
  package var host: String
  /// Seconds since 1970-01-01 00:00:00 UTC at which the run began, by the machine's clock.
  package var startedAt: Int64
  /// Time that passed on the machine.
  package var wallDuration: Duration
  /// Whether it was interrupted; what had ended by then is in the report.
  package var isInterrupted: Bool
  /// Whether every requirement of the catalogue was demanded (`--require-all`).
  package var requiresAll: Bool
  /// The scenarios, in their order and not in the order in which they ended.
  package var scenarios: [ScenarioReport]
  /// Those that never began because the run ended before, in their order; empty for a run that was complete.
  package var unrun: [Unrun] = []
  /// What the run says about every requirement of the catalogue, in its order.
  package var requirements: [RequirementResult]
  /// The bench of the run; `nil` for a simulated run.
  package var bench: BenchRecord?
  /// The benches besides that one, where the scenarios were spread over several.
  package var furtherBenches: [BenchRecord] = []
  /// The results of repetition; `nil` for a run that was not repeated.
  package var repetitions: Repetitions?

  /// Which part of a larger selection the run was; `nil` where nothing tells.
  package var part: Part?
  /// What checks outside of any run proved, and merging took in.
  package var attestations: [Attestation] = []

  /// A scenario that never began.
  package struct Unrun: Hashable, Sendable, Codable {
    /// Its id with its cell.
    package var name: String
    /// The file where it is written.
    package var file: String

    package init(name: String, file: String) {
      self.name = name
      self.file = file
    }
  }

  /// The part of a selection of scenarios that one run was asked for.
  package struct Part: Hashable, Sendable, Codable {
    /// Scenarios of the whole selection, each cell counted.
    package var total: Int
    /// Which shard this is, from 1; `nil` for the whole.
    package var shard: Int?
    /// How many shards there are; `nil` for the whole.
    package var shards: Int?

    package init(total: Int, shard: Int? = nil, shards: Int? = nil) {
      self.total = total
      self.shard = shard
      self.shards = shards
    }
  }

  /// The results of repeating a selection of scenarios.
  package struct Repetitions: Hashable, Sendable {
    /// How many times the selection was begun.
    package var turns: Int
    /// Each scenario's count, in order.
    package var tallies: [RepetitionTally]
    /// Repetitions that passed and are counted, but not among the scenarios of the report.
    package var unlisted: Int

    package init(turns: Int, tallies: [RepetitionTally], unlisted: Int = 0) {
      self.turns = turns
      self.tallies = tallies
      self.unlisted = unlisted
    }
  }

  package init(
    tool: String, seed: UInt64, profile: String?, target: String, host: String, startedAt: Int64,
    wallDuration: Duration = .zero, isInterrupted: Bool = false, requiresAll: Bool = false,
    scenarios: [ScenarioReport] = [], requirements: [RequirementResult] = []
  ) {
    self.tool = tool
    self.seed = seed
    self.profile = profile
    self.target = target
    self.host = host
    self.startedAt = startedAt
    self.wallDuration = wallDuration
    self.isInterrupted = isInterrupted
    self.requiresAll = requiresAll
    self.scenarios = scenarios
    self.requirements = requirements
  }

  /// What the run says about each declared defect, in the order of their file; empty without `--known`.
  package var knownDefects: [KnownDefectTally] = []

  /// How this run differs from an earlier one; `nil` without `--baseline`.
  package var baseline: BaselineChange?

  /// The state charts that machines of this program can run.
  package var charts: [ChartOutline] = []

  /// The firmware image that was executed: file, digest and board; `nil` without one.
  package var image: String?

  /// Every bench of the run; empty for a simulated one.
  package var benches: [BenchRecord] { (bench.map { [$0] } ?? []) + furtherBenches }

  /// The charge that the recorders of all scenarios took; `nil` where none executed an image.
  package var charge: ChargeEstimate? { ChargeEstimate.sum(of: scenarios.compactMap(\.charge)) }

  /// Virtual time of all scenarios together.
  package var virtualDuration: Duration { scenarios.reduce(.zero) { $0 + $1.virtualDuration } }

  /// Returns the number of scenarios that ended with a verdict of this kind; each repetition counts.
  package func count(_ kind: Verdict.Kind) -> Int {
    scenarios.count { $0.verdict.kind == kind } + (kind == .passed ? repetitions?.unlisted ?? 0 : 0)
  }

  /// Scenarios in which a device failed and nothing tells which requirement it violated.
  package var unattributedFailures: Int {
    scenarios.count { scenario in
      if case .failed(let failure) = scenario.verdict { failure.violated.isEmpty } else { false }
    }
  }

  /// Whether all of it ran in virtual time; a bench has none.
  package var isSimulated: Bool { target == TargetKind.simulated.rawValue || target == TargetKind.image.rawValue }

  /// What this run does not prove, for every report; `nil` where a real recorder ran.
  package var caveat: String? {
    switch TargetKind(rawValue: target) {
    case .hardware?: nil
    case .app?:
      "The application is under test; our recorder is only an instrument, and its failures are harness errors."
    case .image?:
      "The firmware image \(image ?? "of unknown origin") was executed instruction by instruction. Its SoftDevice and its "
        + "chip are simulated: radio timing, wait states and the SoftDevice's share of the processor are not modelled."
        + (notModelled.isEmpty
          ? "" : " It also used something that is not modelled: \(notModelled.joined(separator: "; ")).")
    case .simulated?, nil:
      "A simulated recorder proves nothing about a firmware binary: none of the firmware's code ran."
    }
  }

  /// What the executed image used that is not modelled, over all scenarios, each once, in order.
  package var notModelled: [String] {
    var told: Set<String> = []
    return scenarios.flatMap(\.notModelled).filter { told.insert($0).inserted }
  }

  /// The hash of the run: over (id, cell, hash) in order of id. Scenarios that never ran have no part in it.
  package var traceHash: TraceHash {
    TraceHash.ofRun(
      scenarios.compactMap { scenario in
        scenario.traceHash.map { TraceHash.Part(id: scenario.id, cell: scenario.cell, hash: $0) }
      })
  }

  /// The exit code of the run.
  package var exitCode: ExitCode {
    let isOutstanding = requiresAll && requirements.contains { $0.isOutstanding(on: TargetKind(rawValue: target)) }
    // A bench that failed and was recovered has failed nevertheless.
    let kinds = scenarios.flatMap { [$0.verdict.kind] + $0.attempts.map(\.kind).filter { $0 == .benchError } }
    let isIll = benches.contains { $0.trouble != nil || $0.health.contains { $0.verdict != .passed } }
    return ExitCode.of(kinds + (isIll ? [.benchError] : []), isInterrupted: isInterrupted, isOutstanding: isOutstanding)
  }
}
