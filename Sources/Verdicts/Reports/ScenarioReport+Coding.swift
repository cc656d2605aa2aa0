import Charts
import Trace

/// The verdict of a scenario is written flat, into the scenario's own object.
extension ScenarioReport: Codable {
  private enum Key: String, CodingKey {
    case id, title, file, line, cell, tags, requirements, repetition, attempts, wallSeconds, traceHash, capture
    case bench, prompts, recovery, leftover, notModelled, figures, charge, replay, steps, findings, lastEvents, account
    case order = "number"
    case chartLogs = "charts"
    case isImprovised = "improvised"
    case virtualDuration = "nanoseconds"
    case wallDuration = "wallNanoseconds"
  }

  /// Writes the members of the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
    try object.encode(title, forKey: .title)
    try object.encode(file, forKey: .file)
    try object.encode(line, forKey: .line)
    try object.encode(cell, forKey: .cell)
    try object.encode(tags, forKey: .tags)
    try object.encode(requirements, forKey: .requirements)
    try verdict.encode(to: encoder)
    try object.encode(place, forKey: .order)
    try object.encode(repetition, forKey: .repetition)
    try object.encode(attempts, forKey: .attempts)
    try object.encode(virtualDuration.wholeNanoseconds, forKey: .virtualDuration)
    try object.encode(wallDuration.wholeNanoseconds, forKey: .wallDuration)
    try object.encode(wallDuration.roundedSeconds, forKey: .wallSeconds)
    try object.encode(traceHash, forKey: .traceHash)
    try object.encode(capture, forKey: .capture)
    if let bench { try object.encode(bench, forKey: .bench) }
    try object.encode(prompts, forKey: .prompts)
    try object.encode(recovery, forKey: .recovery)
    try object.encode(leftover, forKey: .leftover)
    if isImprovised { try object.encode(isImprovised, forKey: .isImprovised) }
    if !notModelled.isEmpty { try object.encode(notModelled, forKey: .notModelled) }
    if !figures.isEmpty { try object.encode(figures, forKey: .figures) }
    if let charge { try object.encode(charge, forKey: .charge) }
    if !chartLogs.isEmpty { try object.encode(chartLogs.map(CodedChartLog.init), forKey: .chartLogs) }
    try object.encode(replay, forKey: .replay)
    try object.encode(steps, forKey: .steps)
    try object.encode(findings, forKey: .findings)
    try object.encode(lastEvents, forKey: .lastEvents)
    if let account { try object.encode(account, forKey: .account) }
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) throws -> String { try object.decode(String.self, forKey: key) }
    func texts(_ key: Key) throws -> [String] { try object.decode([String].self, forKey: key) }
    func optional(_ key: Key) throws -> String? { try object.decodeIfPresent(String.self, forKey: key) }
    self.init(
      id: try text(.id), title: try text(.title), file: try text(.file), line: try object.count(.line),
      cell: try text(.cell), tags: try texts(.tags), requirements: try texts(.requirements),
      verdict: try Verdict(from: decoder), attempts: try object.decode([Verdict].self, forKey: .attempts),
      virtualDuration: try object.duration(.virtualDuration), wallDuration: try object.duration(.wallDuration),
      traceHash: try object.decodeIfPresent(TraceHash.self, forKey: .traceHash), capture: try optional(.capture),
      replay: try text(.replay), steps: try object.decode([StepReport].self, forKey: .steps),
      findings: try object.decode([MonitorFinding].self, forKey: .findings), lastEvents: try texts(.lastEvents))
    place = try object.count(.order)
    repetition = try object.count(.repetition)
    bench = try optional(.bench)
    prompts = try object.decode([OperatorPrompt].self, forKey: .prompts)
    recovery = try optional(.recovery)
    leftover = try optional(.leftover)
    isImprovised = try object.decodeIfPresent(Bool.self, forKey: .isImprovised) ?? false
    notModelled = try object.decodeIfPresent([String].self, forKey: .notModelled) ?? []
    figures = try object.decodeIfPresent([Figure].self, forKey: .figures) ?? []
    charge = try object.decodeIfPresent(ChargeEstimate.self, forKey: .charge)
    chartLogs = try object.decodeIfPresent([CodedChartLog].self, forKey: .chartLogs)?.map(\.value) ?? []
    account = try object.decodeIfPresent(FailureAccount.self, forKey: .account)
  }
}
