import Bytes
import Phone
import Transports
import World

/// Looks at a bench, thing by thing.
package struct Checkup: Sendable {
  /// What was found, in order.
  package private(set) var findings: [(name: String, finding: Finding)] = []
  /// What came to light on the way.
  package private(set) var examination: Examination

  private let checks: [any BenchCheck]

  /// Looks with these checks, in this order.
  package init(_ checks: [any BenchCheck], of subject: BenchSubject, on machine: BenchMachine) {
    self.checks = checks
    examination = Examination(subject: subject, machine: machine, began: machine.clock())
  }

  /// What is looked at shortly before a run: all that costs next to nothing and opens nothing.
  package static let preflight: [any BenchCheck] = [
    AdapterCheck(), PermissionCheck(), RadioCheck(), OwnerCheck(), SpaceCheck(), ClockCheck(),
  ]

  /// Everything that can be looked at.
  package static func doctor(of subject: BenchSubject) -> [any BenchCheck] {
    let recorders = subject.recorders.flatMap { InstrumentCheck.all(of: $0) + ProgramCheck.all(of: $0) }
    return [
      AdapterCheck(), PermissionCheck(), RuleCheck(), RadioCheck(), OwnerCheck(), ControllerCheck(), RecorderCheck(),
    ]
      + recorders + ProgramCheck.all(of: subject.phone) + [SpaceCheck(), ClockCheck()]
  }

  /// Makes the checks, until `isStopped`; `progress` is told of each before it is made.
  package mutating func perform(until isStopped: () -> Bool = { false }, progress: (String) -> Void = { _ in }) {
    for check in checks {
      guard !isStopped() else {
        findings.append((check.name, .checking("not checked: interrupted")))
        continue
      }
      if let need = check.needs.first(where: { name in failedOrUnknown(name) }) {
        findings.append((check.name, .checking("not checked until \(need) is ready")))
        continue
      }
      progress(check.name)
      if let finding = check.look(&examination) { findings.append((check.name, finding)) }
    }
  }

  private func failedOrUnknown(_ name: String) -> Bool {
    findings.contains { $0.name == name && $0.finding.outcome != .ready }
  }

  /// The result of all checks.
  package var outcome: Readiness {
    let outcomes = findings.map(\.finding.outcome)
    return outcomes.contains(.failed) ? .failed : outcomes.contains(.checking) ? .checking : .ready
  }

  /// What is wrong and what to do, in one sentence: the first check that failed; `nil` if none did.
  package var trouble: String? {
    guard let first = findings.first(where: { $0.finding.outcome == .failed }) else { return nil }
    return BenchFault(first.finding.found, advice: first.finding.advice).description
  }

  /// All that identifies the bench.
  package var traits: [BenchTrait] { examination.machine.traits + findings.flatMap(\.finding.traits) }
}
