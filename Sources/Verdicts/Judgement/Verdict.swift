import Timeline

/// A recorder, a phone or both broke an expectation or a requirement.
///
/// Only this makes a scenario `failed`. Bench and harness have failure types of their own, so that neither can be
/// mistaken for a device failure.
public struct DeviceFailure: Error, Hashable, Sendable {
  /// The party that it counts against.
  public var judges: JudgedParty
  /// What was broken, as references to clauses such as `DEV-9/transfer` or to requirements; empty where the failure
  /// cannot be attributed to any.
  public var violated: [String]
  /// What was expected and what was found, in one sentence. It may hold text of a device.
  public var reason: String
  /// When it was found, in the time of the run.
  public var instant: Instant
  /// Where the broken expectation is written, as `file:line`; `nil` for a monitor.
  public var place: String?

  public init(
    judges: JudgedParty, violated: [String] = [], reason: String, instant: Instant, place: String? = nil
  ) {
    self.judges = judges
    self.violated = violated
    self.reason = reason
    self.instant = instant
    self.place = place
  }

  /// What a monitor found.
  public init(_ violation: MonitorViolation) {
    self.init(
      judges: violation.judges, violated: [violation.requirement], reason: violation.reason,
      instant: violation.instant)
  }

  /// The ids of the requirements that were broken, each once.
  public var requirements: [String] {
    var ids: [String] = []
    for id in violated.map(RequirementReference.id) where !ids.contains(id) { ids.append(id) }
    return ids
  }

  /// What it is about, in words: the references, or that there are none.
  public var subject: String { violated.isEmpty ? "unattributed failure" : violated.joined(separator: ", ") }
}

/// The bench failed: an adapter, a cable, an actuator, an operator.
public struct BenchTrouble: Error, Hashable, Sendable {
  /// What failed, and what to do.
  public var reason: String

  public init(_ reason: String) { self.reason = reason }
}

/// This harness failed: a bug, or a scenario that lint should have refused.
public struct HarnessTrouble: Error, Hashable, Sendable {
  /// What went wrong.
  public var reason: String

  public init(_ reason: String) { self.reason = reason }
}

/// How one run of a scenario ended.
public enum Verdict: Hashable, Sendable {
  /// Every expectation and every armed requirement held.
  case passed
  /// A device broke an expectation or a requirement.
  case failed(DeviceFailure)
  /// The bench broke down before the devices could be judged.
  case benchError(BenchTrouble)
  /// The harness broke down before the devices could be judged.
  case harnessError(HarnessTrouble)
  /// The target lacks this capability, so nothing was run.
  case blocked(capability: String)
  /// Attempts disagreed; the first failure among them, whichever party it counts against.
  case flaky(reason: String)
  /// A defect that this firmware is declared to have showed, as it should.
  case known(KnownDefect, DeviceFailure)
  /// A defect that this firmware is declared to have did not show.
  case mended(KnownDefect)

  /// The kinds of verdict, as totals count them.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// See ``Verdict/passed``.
    case passed
    /// See ``Verdict/failed(_:)``.
    case failed
    /// See ``Verdict/benchError(_:)``.
    case benchError = "bench-error"
    /// See ``Verdict/harnessError(_:)``.
    case harnessError = "harness-error"
    /// See ``Verdict/blocked(capability:)``.
    case blocked
    /// See ``Verdict/flaky(reason:)``.
    case flaky
    /// See ``Verdict/known(_:_:)``.
    case known
    /// See ``Verdict/mended(_:)``.
    case mended
  }

  /// Which kind it is.
  public var kind: Kind {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .benchError: .benchError
    case .harnessError: .harnessError
    case .blocked: .blocked
    case .flaky: .flaky
    case .known: .known
    case .mended: .mended
    }
  }

  /// Why, in one sentence; `nil` for passed. It may hold text of a device.
  public var reason: String? {
    switch self {
    case .passed: nil
    case .failed(let failure): failure.reason
    case .benchError(let trouble): trouble.reason
    case .harnessError(let trouble): trouble.reason
    case .blocked(let capability): "the target lacks \(capability)"
    case .flaky(let reason): reason
    case .known(let defect, let failure): "\(defect): \(failure.reason)"
    case .mended(let defect):
      "\(defect.place) declares \(defect.requirement) violated here, but it holds: remove that line, or restrict its scenarios"
    }
  }

  /// The declared defect that it is about; `nil` for any other verdict.
  package var defect: KnownDefect? {
    switch self {
    case .known(let defect, _), .mended(let defect): defect
    default: nil
    }
  }

  /// Whether it is what was to be expected: a pass, or a failure as it is declared.
  public var isExpected: Bool { kind == .passed || kind == .known }

  /// The device's failure, where there is one, declared or not.
  public var failure: DeviceFailure? {
    switch self {
    case .failed(let failure), .known(_, let failure): failure
    default: nil
    }
  }

  /// Returns the verdict of several attempts: the one they agree on, otherwise `flaky` with the first that did not
  /// pass. Attempts in which the bench failed are ignored if another attempt judged the device. Traps if there is no
  /// attempt.
  public static func of(attempts: [Verdict]) -> Verdict {
    precondition(!attempts.isEmpty, "a verdict needs an attempt")
    let judging = attempts.contains { $0.kind.isAboutDevice } ? attempts.filter { $0.kind != .benchError } : attempts
    guard let deviant = judging.first(where: { $0.kind != judging[0].kind }) else { return judging[0] }
    let bad = judging[0].kind == .passed ? deviant : judging[0]
    return .flaky(reason: "\(bad.kind.rawValue) in one of \(judging.count) attempts: \(bad.reason ?? "")")
  }
}
