import Bench
import Transports
import World

/// What a check of a bench came to.
package struct DoctorResult: Sendable {
  /// What was found.
  package var checkup: Checkup
  /// The name of the bench; `nil` where none is meant.
  package var place: String?
  /// The last good run on this bench; `nil` where there was none.
  package var last: GoodRun?
  /// What the adapters are like, one by one; empty where that was not asked for.
  package var adapters: [(controller: TransportSpecification, findings: Result<AdapterFindings, ControlFailure>)] = []

  /// What changed since the last good run.
  package var changes: [BenchChange] { last?.changes(to: checkup.traits) ?? [] }
}

/// Checks whether a bench is ready, and what changed since the last good run.
package struct DoctorSession {
  private let subject: BenchSubject
  private let place: String?
  private let machine: BenchMachine
  private let lastRun: (String) -> GoodRun?

  /// A check of `subject`, called `place`, on `machine`; `lastRun` finds the last good run on a bench by its name.
  package init(
    of subject: BenchSubject, place: String?, on machine: BenchMachine, lastRun: @escaping (String) -> GoodRun?
  ) {
    self.subject = subject
    self.place = place
    self.machine = machine
    self.lastRun = lastRun
  }

  /// Examines the controllers that a run would use, without hiding their quirks. Only controllers that passed the checks
  /// before are opened.
  package func examine(_ result: inout DoctorResult, until isStopped: () -> Bool) {
    let obstacles = ["adapter", "permission", "radio", "owner"]
    let isBlocked = result.checkup.findings.contains { name, finding in
      obstacles.contains(name) && finding.outcome != .ready
    }
    guard !isBlocked, let chosen = result.checkup.examination.chosen else { return }
    let controllers = subject.controllers.isEmpty ? [chosen] : subject.controllers
    for controller in controllers where !isStopped() {
      let findings = Result { () throws(ControlFailure) in try AdapterExaminer.examine(controller) }
      result.adapters.append((controller, findings))
    }
  }

  /// Makes all checks until `isStopped`. `progress` is told the name of each one before it begins.
  package func run(until isStopped: () -> Bool, progress: (String) -> Void) -> DoctorResult {
    var checkup = Checkup(Checkup.doctor(of: subject), of: subject, on: machine)
    checkup.perform(until: isStopped, progress: progress)
    let place = place ?? checkup.examination.chosen.map { "\($0)" }
    return DoctorResult(checkup: checkup, place: place, last: place.flatMap(lastRun))
  }
}
