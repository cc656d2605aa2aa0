/// What is known of a firmware before it is released: for each requirement and each target, what was shown and what was
/// not. It is a value; every page is a rendering of it.
package struct Qualification: Hashable, Sendable, Codable {
  /// Version of the members; it changes when one is taken away or changes its meaning.
  package static let currentSchemaVersion = 1

  /// What a qualification says about one requirement on one target.
  package enum Finding: String, Hashable, Sendable, Codable, CaseIterable {
    /// Every clause was seen to hold.
    case shown
    /// Some clauses were seen to hold, none was violated.
    case partlyShown
    /// It did not hold.
    case violated
    /// It did not hold, as it is declared.
    case known
    /// It is declared not to hold, but it held.
    case mended
    /// It did not hold, and somebody decided to ship nevertheless.
    case waived
    /// Its precondition never held.
    case notExercised
    /// It cannot be seen on this target, or says nothing about the firmware.
    case notObservable
    /// What could have shown it ended before it could.
    case notJudged

    /// The words for people.
    package var words: String {
      switch self {
      case .shown: "shown"
      case .partlyShown: "partly shown"
      case .violated: "violated"
      case .known: "known"
      case .mended: "mended"
      case .waived: "waived"
      case .notExercised: "not exercised"
      case .notObservable: "not observable"
      case .notJudged: "not judged"
      }
    }

    /// Whether the firmware breaks the requirement.
    package var isBroken: Bool { [.violated, .known, .waived].contains(self) }
    /// Whether it was seen to hold, all of it or a part.
    var isGood: Bool { [.shown, .partlyShown, .mended].contains(self) }
  }

  /// What the whole comes to.
  package enum Answer: String, Hashable, Sendable, Codable {
    /// Nothing is violated, and nothing that was asked for is left open.
    case qualified
    /// Nothing is violated so far, but not everything could be tried.
    case provisional
    /// Something is violated, or a declaration is wrong.
    case notQualified
  }

  /// One requirement on one target.
  package struct Cell: Hashable, Sendable, Codable {
    /// The target, by its name.
    package var target: String
    /// What is said.
    package var finding: Finding
    /// Why, in one sentence; `nil` for what was shown.
    package var reason: String?
    /// Names of the scenarios and monitors that say so.
    package var evidence: [String]
    /// What shows each clause.
    package var shownBy: [RequirementResult.ClauseEvidence]
    /// The waiver that applies, or has expired; `nil` for none.
    package var waiver: Waiver?
  }

  /// One requirement on all targets.
  package struct Row: Hashable, Sendable, Codable {
    /// The requirement.
    package var requirement: Requirement
    /// What is said on each target, in the order of the targets.
    package var cells: [Cell]
  }

  /// One target.
  package struct Target: Hashable, Sendable, Codable {
    /// Its name: `modelled`, `image`, `hardware`, or `update from` and a release.
    package var name: String
    /// Scenarios of the plan that belong to it, each cell counted.
    package var scenarios: Int
    /// Those among them in which the device was judged.
    package var judged: Int
    /// Why nothing could be tried there; `nil` where it could.
    package var waiting: String?
    /// The scenarios that could not be tried there, in their order; `nil` in documents from before they were kept.
    package var blocked: [Blocked]? = []
    /// Why it is not certain that the firmware is what was tried there; `nil` where it is.
    package var unidentified: String?

    package init(name: String, scenarios: Int, judged: Int, waiting: String? = nil) {
      self.name = name
      self.scenarios = scenarios
      self.judged = judged
      self.waiting = waiting
    }

    /// How far it is, in a few words.
    package var state: String {
      if let waiting { return "waiting: \(waiting)" }
      let rest = [blocked.flatMap { $0.isEmpty ? nil : "\($0.count) blocked" }, unidentified].compactMap { $0 }
      return (["\(judged) of \(scenarios) scenarios judged"] + rest).joined(separator: ", ")
    }

    /// Its blocked scenarios that verify a requirement.
    func blocked(about requirement: String) -> [Blocked] {
      (blocked ?? []).filter { $0.requirements.contains(requirement) }
    }
  }

  /// A scenario that could not be tried on a target.
  package struct Blocked: Hashable, Sendable, Codable {
    /// The scenario, with its cell.
    package var scenario: String
    /// What the target lacks, in one sentence.
    package var reason: String
    /// Ids of the requirements that it verifies.
    package var requirements: [String]

    package init(_ scenario: String, reason: String, requirements: [String]) {
      self.scenario = scenario
      self.reason = reason
      self.requirements = requirements
    }
  }

  /// A scenario that failed.
  package struct Failure: Hashable, Sendable, Codable {
    /// The scenario, with its cell.
    package var scenario: String
    /// The target.
    package var target: String
    /// The verdict, in one word.
    package var verdict: String
    /// Why, in one sentence.
    package var reason: String
    /// What explains it; `nil` where the scenario did not run, and in documents from before it was kept.
    package var record: FailureRecord?
    /// The requirements that it violates although nobody declared it; `nil` in documents from before they were kept.
    package var violated: [String]?
    /// The quarantine of a flaky scenario; `nil` where there is none, or it has expired.
    package var quarantine: Quarantine?

    package init(
      scenario: String, target: String, verdict: String, reason: String, record: FailureRecord? = nil,
      violated: [String]? = nil, quarantine: Quarantine? = nil
    ) {
      self.scenario = scenario
      self.target = target
      self.verdict = verdict
      self.reason = reason
      self.record = record
      self.violated = violated
      self.quarantine = quarantine
    }

    /// Why, and until when it is let be.
    package var sentence: String { reason + (quarantine.map { "; \($0.sentence)" } ?? "") }
  }

  /// The version of the members.
  package var schemaVersion = Qualification.currentSchemaVersion
  /// Name and version of the program.
  package var tool: String
  /// The firmware: its digest, or the profile that was simulated.
  package var firmware: String
  /// The plan's file.
  package var plan: String
  /// The root seed.
  package var seed: UInt64
  /// The day on which waivers were read, as `2026-12-31`.
  package var day: String
  /// The targets, in the order of the columns.
  package var targets: [Target]
  /// The requirements, in the order of the catalogue.
  package var rows: [Row]
  /// What failed, in the order of the scenarios.
  package var failures: [Failure]
  /// Scenarios that were repeated until enough was known.
  package var repeats: [RepeatResult]
  /// What differs from an earlier qualification; `nil` where none was named.
  package var changes: QualificationChanges?
  /// What was measured besides verdicts; `nil` in documents from before it was kept.
  package var figures: [MeasuredFigure]?
  /// How many planted faults the suite noticed; `nil` where that was not given.
  package var killScore: KillScore?
  /// What the targets do not prove, a sentence each; `nil` in documents from before it was kept.
  package var notModelled: [String]?
  /// Where it was found out; `nil` in documents from before it was kept.
  package var environment: [Circumstance]?

  /// Something about the place in which a qualification was found out.
  package struct Circumstance: Hashable, Sendable, Codable {
    /// What is told, such as `machine`.
    package var name: String
    /// Its value.
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    tool: String, firmware: String, plan: String, seed: UInt64, day: String, targets: [Target], rows: [Row],
    failures: [Failure], repeats: [RepeatResult]
  ) {
    self.tool = tool
    self.firmware = firmware
    self.plan = plan
    self.seed = seed
    self.day = day
    self.targets = targets
    self.rows = rows
    self.failures = failures
    self.repeats = repeats
    notModelled = targets.compactMap(\.caveat)
  }

  /// What the whole comes to.
  package var answer: Answer {
    let cells = rows.flatMap(\.cells)
    let isBad = cells.contains { $0.finding == .violated || $0.finding == .mended }
    // A scenario that did not pass need not name a requirement of the plan.
    let isFailing = failures.contains(where: counts)
    if isBad || isFailing || repeats.contains(where: \.isBad) { return .notQualified }
    let isOpen = targets.contains { $0.isOpen }
    let isUndecided = repeats.contains { $0.ending == .notJudged }
    let isLeft = rows.contains { $0.isLeftOpen || isBlocked($0) }
    // What judges only phone or harness qualifies no firmware.
    let isAboutFirmware = rows.contains { $0.requirement.judges.isTheFirmware }
    return isOpen || isUndecided || isLeft || !isAboutFirmware ? .provisional : .qualified
  }

  /// Whether a target says nothing about a requirement because its scenarios were blocked there. What a real recorder shows
  /// needs no other target.
  private func isBlocked(_ row: Row) -> Bool {
    let real = row.cells.filter { $0.target == Self.hardwareName }.map(\.finding)
    return !real.contains { $0.isGood || $0.isBroken }
      && row.cells.contains { cell in
        cell.finding == .notJudged
          && targets.contains { $0.name == cell.target && !$0.blocked(about: row.requirement.id).isEmpty }
      }
  }

  /// What the target of real recorders is called.
  private static let hardwareName = TargetKind.hardware.rawValue

  /// Whether a scenario that did not pass counts against the firmware. A flaky one is let be in a quarantine only: nobody
  /// knows all that its attempts violate, so no waiver covers it.
  private func counts(_ failure: Failure) -> Bool {
    let isHeld = repeats.contains {
      $0.scenario == failure.scenario && $0.target == failure.target && !$0.isBad
    }
    switch Verdict.Kind(rawValue: failure.verdict) {
    case .failed?: return !isHeld && !isWaived(failure)
    case .flaky?: return !isHeld && failure.quarantine == nil
    case .mended?: return true
    case .passed?, .known?, .blocked?, .benchError?, .harnessError?, nil: return false
    }
  }

  /// Whether a failing scenario violates only what is waived.
  private func isWaived(_ failure: Failure) -> Bool {
    let waived = rows.filter { row in
      row.cells.contains { cell in
        cell.target == failure.target && cell.finding == .waived
          && cell.evidence.contains { $0 == failure.scenario || $0 == "monitor in \(failure.scenario)" }
      }
    }
    return !waived.isEmpty
      && (failure.violated ?? []).allSatisfy { id in waived.contains { $0.requirement.id == id } }
  }

  /// The number of cells with a finding.
  package func count(_ finding: Finding) -> Int { rows.reduce(0) { $0 + $1.cells.count { $0.finding == finding } } }

  /// The exit code.
  package var exitCode: ExitCode {
    switch answer {
    case .qualified: .passed
    case .provisional: .outstanding
    case .notQualified: .deviceFailed
    }
  }
}

extension Qualification.Target {
  /// Whether something could not be tried there, or perhaps not with the firmware.
  fileprivate var isOpen: Bool {
    waiting != nil || unidentified != nil || judged + (blocked?.count ?? 0) < scenarios
  }

  /// What this target does not prove; `nil` for real recorders, and for updates, which the modelled recorder takes.
  fileprivate var caveat: String? {
    switch name {
    case "modelled":
      "On the modelled recorder none of the firmware's code runs: what it shows is evidence about the scenarios and the "
        + "protocol, not about a binary."
    case "image":
      "The executed image runs on a simulated chip with a simulated SoftDevice: radio timing, wait states and the "
        + "SoftDevice's share of the processor are not modelled."
    default: nil
    }
  }
}

extension Qualification.Row {
  /// Whether no target shows the requirement, or can show it, although it is one about the firmware.
  fileprivate var isLeftOpen: Bool {
    requirement.judges.isTheFirmware
      && cells.allSatisfy { [.notExercised, .notJudged, .notObservable, .partlyShown].contains($0.finding) }
  }
}
