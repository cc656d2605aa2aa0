import Charts
import Timeline
import Trace

/// Everything that reports tell about one cell of one scenario.
public struct ScenarioReport: Hashable, Sendable {
  /// The scenario's id.
  public var id: String
  /// The sentence after `scenario:`.
  public var title: String
  /// Path of the file, relative to where the run was started.
  public var file: String
  /// Line at which the scenario begins, from 1.
  public var line: Int
  /// The matrix cell, such as `[records=7]`; empty without one.
  public var cell: String
  /// Words for selection.
  public var tags: [String]
  /// Ids of the requirements that the scenario verifies.
  public var requirements: [String]
  /// How it ended.
  public var verdict: Verdict
  /// Which turn of a repeated run the first attempt was, from 0; its seed depends on it.
  public var repetition = 0
  /// Its place in the whole selection of the run, shards included, from 0.
  public var place = 0
  /// Verdicts of all attempts in order; one where it was not tried again.
  public var attempts: [Verdict]
  /// Time that passed in the run.
  public var virtualDuration: Duration
  /// Time that passed on the machine.
  public var wallDuration: Duration
  /// Hash of the trace.
  public var traceHash: TraceHash?
  /// Path of the capture, relative to the folder of reports; `nil` where none was kept.
  public var capture: String?
  /// The command that runs it again.
  public var replay: String
  /// The bench on which it ran; `nil` where the run has one bench or none.
  public var bench: String?
  /// What an operator was asked for, in order.
  public var prompts: [OperatorPrompt] = []
  /// How the bench was recovered after it had failed, before the scenario was tried again; `nil` if it did not fail.
  public var recovery: String?
  /// Its steps in order.
  public var steps: [StepReport]
  /// What the monitors found.
  public var findings: [MonitorFinding]
  /// The last steps of the conversation before the failure, a line each, oldest first; empty for what passed.
  public var lastEvents: [String]
  /// Why it failed, for people; `nil` for what passed.
  package var account: FailureAccount?
  /// The party that its failure counts against, by its account, else by its verdict; `nil` where none of the products failed.
  package var blames: JudgedParty? { account?.blames ?? verdict.failure?.judges }
  /// What could not be restored on the bench after the scenario; `nil` if everything was. The verdict does not depend
  /// on it.
  public var leftover: String?

  /// Whether its phones wrote octets that its steps or the look of a bench chose: no packet tells that of itself.
  package var isImprovised = false

  /// What an executed image used that is not modelled, a sentence each, in order; empty for what ran on a model.
  public var notModelled: [String] = []

  /// What it measured besides its verdict; empty where that was nothing.
  package var figures: [Figure] = []

  /// The charge that its recorders took; `nil` where none executed an image.
  package var charge: ChargeEstimate?

  /// What our phone and a modelled recorder did on their state charts; empty where none of them ran.
  package var chartLogs: [ChartLog] = []

  /// Whether the run was interrupted while the world of the scenario was prepared, so that nothing is to be told of it.
  package var neverBegan = false

  public init(
    id: String, title: String, file: String, line: Int, cell: String = "", tags: [String] = [],
    requirements: [String] = [], verdict: Verdict, attempts: [Verdict] = [], virtualDuration: Duration = .zero,
    wallDuration: Duration = .zero, traceHash: TraceHash? = nil, capture: String? = nil, replay: String,
    steps: [StepReport] = [], findings: [MonitorFinding] = [], lastEvents: [String] = []
  ) {
    self.id = id
    self.title = title
    self.file = file
    self.line = line
    self.cell = cell
    self.tags = tags
    self.requirements = requirements
    self.verdict = verdict
    self.attempts = attempts.isEmpty ? [verdict] : attempts
    self.virtualDuration = virtualDuration
    self.wallDuration = wallDuration
    self.traceHash = traceHash
    self.capture = capture
    self.replay = replay
    self.steps = steps
    self.findings = findings
    self.lastEvents = lastEvents
  }

  /// The answers to the questions in its steps.
  public var answers: [StepReport.Answer] { steps.compactMap(\.answer) }

  /// The id with its cell, unique in a run.
  public var name: String { id + cell }
}
