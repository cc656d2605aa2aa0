import Phone
import Recorder
import Runner
import ScenarioLanguage
import Text
import Verdicts

/// Runs again what a report recorded, and compares verdicts and hashes.
package struct RunReproduction {
  /// Why a recorded run cannot be run again, in words that are safe for a terminal.
  package struct Failure: Error, CustomStringConvertible {
    /// What cannot be had.
    package let description: String
  }

  /// How a scenario came out.
  package enum Outcome: Hashable, Sendable {
    /// With the same verdict and the same hash.
    case same
    /// Its file no longer has it.
    case missing
    /// Otherwise: verdict and hash, recorded and now.
    case different(was: String, now: String)
  }

  private let settings: RunSettings
  private let performer: any ScenarioPerformer

  /// Prepares runs with the settings of a recorded one. `program` is what runs on the chips. Throws for a run that names
  /// a profile or a fault that this program does not have.
  package init(
    of recorded: RunReport, in catalogue: RequirementCatalogue, program: RecorderProgram = .modelled,
    _ performer: any ScenarioPerformer
  ) throws(Failure) {
    var settings = RunSettings()
    settings.seed = recorded.seed
    settings.isUncovered = recorded.isUncovered
    settings.catalogue = catalogue
    settings.known = KnownDefects(recorded.knownDefects.map(\.defect))
    settings.program = program
    if let name = recorded.profile {
      guard let profile = RecorderProfile.named(name) else { throw Self.unknown("profile", name) }
      settings.profile = profile
    }
    if let name = recorded.phone {
      guard let phone = PhoneProfile(rawValue: name) else { throw Self.unknown("phone", name) }
      settings.phone = phone
    }
    if let text = recorded.fault {
      guard let faults = [PlantedFault](text) else { throw Self.unknown("fault", text) }
      settings.faults = faults
    }
    self.settings = settings
    self.performer = performer
  }

  private static func unknown(_ what: String, _ name: String) -> Failure {
    Failure(description: "the recorded run has the unknown \(what) \"\(PlainText.escaped(name, limit: 100))\"")
  }

  /// Runs a recorded scenario again. The report is `nil` where there is no such scenario any more.
  package func run(
    _ recorded: ScenarioReport, from library: ScenarioLibrary
  ) -> (outcome: Outcome, report: ScenarioReport?) {
    guard let scenario = library.scenarios.first(where: { $0.name == recorded.name }) else { return (.missing, nil) }
    var settings = settings
    settings.repetition = recorded.repetition
    let report = performer.perform(scenario, settings, sinks: [], observer: nil)
    // A report of several attempts describes the first one, except for the verdict they come to together.
    let verdict = recorded.attempts.first?.kind ?? recorded.verdict.kind
    if report.verdict.kind == verdict, report.traceHash == recorded.traceHash { return (.same, report) }
    func text(_ kind: Verdict.Kind, _ report: ScenarioReport) -> String {
      "\(kind.rawValue) \(report.traceHash?.description ?? "without a hash")"
    }
    return (.different(was: text(verdict, recorded), now: text(report.verdict.kind, report)), report)
  }
}

extension RunReproduction.Outcome {
  /// What is to be said of the scenario; `nil` for what came out the same.
  package var trouble: String? {
    switch self {
    case .same: nil
    case .missing: "the scenario no longer exists"
    case .different(let was, let now): "was \(was), is \(now)"
    }
  }
}
