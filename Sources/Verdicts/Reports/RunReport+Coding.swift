import Trace

/// The form of `summary.json`: every value of the report, and some that scripts would else have to compute, which are
/// not read back.
extension RunReport: Codable {
  /// Version of the members; it changes when one is taken away or changes its meaning.
  package static let schemaVersion = 3

  private enum Key: String, CodingKey {
    case schemaVersion, tool, target, seed, profile, phone, fault, image, host, startedAt, exitCode, caveat, totals,
      wallSeconds
    case part, attestations, unrun
    case virtualSeconds, traceHash, bench, furtherBenches, repetitions, knownDefects, requirements, scenarios
    case capture, baseline, charts
    case isInterrupted = "interrupted"
    case requiresAll = "requireAll"
    case wallDuration = "wallNanoseconds"
  }

  /// What is kept of a capture, as `--capture` names it.
  private enum CaptureContent: String, Codable { case covered, full }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws { try encode(to: encoder, listing: listedScenarios) }

  /// The report whose list of scenarios, its last member, is empty: what is written before them where there are many.
  package struct Head: Encodable {
    private let run: RunReport

    package init(_ run: RunReport) { self.run = run }

    /// Writes the members of the object.
    package func encode(to encoder: any Encoder) throws { try run.encode(to: encoder, listing: []) }
  }

  /// The items of the list of scenarios.
  package var listedScenarios: [ListedScenario] {
    scenarios.map { ListedScenario(scenario: $0, isSimulated: isSimulated) }
  }

  private func encode(to encoder: any Encoder, listing scenarios: [ListedScenario]) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(Self.schemaVersion, forKey: .schemaVersion)
    try object.encode(tool, forKey: .tool)
    try object.encode(target, forKey: .target)
    try object.encode(seed, forKey: .seed)
    try object.encode(profile, forKey: .profile)
    try object.encodeIfPresent(phone, forKey: .phone)
    try object.encode(fault, forKey: .fault)
    try object.encodeIfPresent(image, forKey: .image)
    try object.encode(isUncovered ? CaptureContent.full : .covered, forKey: .capture)
    try object.encode(host, forKey: .host)
    try object.encode(startedAt, forKey: .startedAt)
    try object.encode(exitCode.rawValue, forKey: .exitCode)
    try object.encode(isInterrupted, forKey: .isInterrupted)
    try object.encode(requiresAll, forKey: .requiresAll)
    try object.encode(caveat, forKey: .caveat)
    try object.encode(part, forKey: .part)
    if !attestations.isEmpty { try object.encode(attestations, forKey: .attestations) }
    if !unrun.isEmpty { try object.encode(unrun, forKey: .unrun) }
    try encodeTotals(object.nestedContainer(keyedBy: TotalKey.self, forKey: .totals))
    try object.encode(wallDuration.wholeNanoseconds, forKey: .wallDuration)
    try object.encode(wallDuration.roundedSeconds, forKey: .wallSeconds)
    try object.encode(isSimulated ? virtualDuration.roundedSeconds : nil, forKey: .virtualSeconds)
    try object.encode(traceHash, forKey: .traceHash)
    try object.encode(bench, forKey: .bench)
    if !furtherBenches.isEmpty { try object.encode(furtherBenches, forKey: .furtherBenches) }
    try object.encode(repetitions, forKey: .repetitions)
    if !knownDefects.isEmpty { try object.encode(knownDefects, forKey: .knownDefects) }
    if let baseline { try object.encode(baseline, forKey: .baseline) }
    let coverage = chartCoverage
    if !coverage.isEmpty { try object.encode(coverage.map(CodedChart.init), forKey: .charts) }
    try object.encode(requirements, forKey: .requirements)
    try object.encode(scenarios, forKey: .scenarios)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let version = try object.decode(Int.self, forKey: .schemaVersion)
    guard version == Self.schemaVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .schemaVersion, in: object, debugDescription: "expected version \(Self.schemaVersion), got \(version)")
    }
    self.init(
      tool: try object.decode(String.self, forKey: .tool), seed: try object.decode(UInt64.self, forKey: .seed),
      profile: try object.decodeIfPresent(String.self, forKey: .profile),
      target: try object.decode(String.self, forKey: .target), host: try object.decode(String.self, forKey: .host),
      startedAt: try object.decode(.startedAt, in: ReportBounds.unixSeconds),
      wallDuration: try object.duration(.wallDuration),
      isInterrupted: try object.decode(Bool.self, forKey: .isInterrupted),
      requiresAll: try object.decode(Bool.self, forKey: .requiresAll),
      scenarios: try object.decode([ScenarioReport].self, forKey: .scenarios),
      requirements: try object.decode([RequirementResult].self, forKey: .requirements))
    phone = try object.decodeIfPresent(String.self, forKey: .phone)
    fault = try object.decodeIfPresent(String.self, forKey: .fault)
    image = try object.decodeIfPresent(String.self, forKey: .image)
    part = try object.decodeIfPresent(Part.self, forKey: .part)
    attestations = try object.decodeIfPresent([Attestation].self, forKey: .attestations) ?? []
    unrun = try object.decodeIfPresent([Unrun].self, forKey: .unrun) ?? []
    isUncovered = try object.decode(CaptureContent.self, forKey: .capture) == .full
    bench = try object.decodeIfPresent(BenchRecord.self, forKey: .bench)
    furtherBenches = try object.decodeIfPresent([BenchRecord].self, forKey: .furtherBenches) ?? []
    repetitions = try object.decodeIfPresent(Repetitions.self, forKey: .repetitions)
    charts = try object.decodeIfPresent([CodedChart].self, forKey: .charts)?.map(\.value) ?? []
    knownDefects = try object.decodeIfPresent([KnownDefectTally].self, forKey: .knownDefects) ?? []
  }

  /// The kind of a verdict as a member, in camel case.
  private struct TotalKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ kind: Verdict.Kind) {
      switch kind {
      case .benchError: stringValue = "benchError"
      case .harnessError: stringValue = "harnessError"
      default: stringValue = kind.rawValue
      }
    }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    /// Device failures that name nothing that was violated.
    static let unattributed = TotalKey(stringValue: "unattributed")
  }

  private func encodeTotals(_ container: KeyedEncodingContainer<TotalKey>) throws {
    var object = container
    for kind in Verdict.Kind.allCases { try object.encode(count(kind), forKey: TotalKey(kind)) }
    try object.encode(unattributedFailures, forKey: .unattributed)
  }

  /// A scenario with its virtual time, which there is none of on a bench.
  package struct ListedScenario: Encodable {
    fileprivate let scenario: ScenarioReport
    fileprivate let isSimulated: Bool

    private enum Key: CodingKey { case virtualSeconds }

    /// Writes the members of the object.
    package func encode(to encoder: any Encoder) throws {
      try scenario.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(isSimulated ? scenario.virtualDuration.roundedSeconds : nil, forKey: .virtualSeconds)
    }
  }
}

extension RunReport.Repetitions: Codable {
  private enum Key: String, CodingKey {
    case turns, interval, unlisted
    case tallies = "scenarios"
  }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(turns, forKey: .turns)
    try object.encode(WilsonInterval.name, forKey: .interval)
    try object.encode(unlisted, forKey: .unlisted)
    try object.encode(tallies, forKey: .tallies)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      turns: try object.count(.turns), tallies: try object.decode([RepetitionTally].self, forKey: .tallies),
      unlisted: try object.count(.unlisted))
  }
}

/// Requirement and outcome are written flat, into one object.
extension RequirementResult: Codable {
  private enum Key: CodingKey { case evidence, shownBy }

  /// Writes the members of the object.
  package func encode(to encoder: any Encoder) throws {
    try requirement.encode(to: encoder)
    try outcome.encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(evidence, forKey: .evidence)
    try object.encode(shownBy, forKey: .shownBy)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      requirement: try Requirement(from: decoder), outcome: try RequirementOutcome(from: decoder),
      evidence: try object.decode([String].self, forKey: .evidence),
      shownBy: try object.decode([ClauseEvidence].self, forKey: .shownBy))
  }
}
