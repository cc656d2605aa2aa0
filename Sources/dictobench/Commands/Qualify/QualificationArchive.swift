import Reports
import Requirements
import Runner
import ScenarioLanguage
import Session
import System
import Timeline
import Trace
import Verdicts

/// Keeps the capture, the trace page and the story of each failure in the folder of a qualification.
struct QualificationArchive: FailureArchive {
  private let folder: FailureFolder

  /// An archive below a folder. Failures that it does not hold are looked for in the folders `others`.
  init(_ folder: ReportFolder, named out: String, others: [String], _ console: Console) throws(UsageFailure) {
    var place = ReportPlace(
      folder: folder, attachmentFolder: ProjectFolder.path(out), style: console.outputStyle,
      environment: Environment.value, say: { console.out($0) })
    place.findFiles()
    do throws(ReportFailure) { self.folder = try FailureFolder(in: place, others: others) } catch {
      throw UsageFailure("\(error)")
    }
  }

  func files(
    _ heading: RunReport, of plan: RunPlan, digest: @escaping @Sendable (Scenario, ScenarioReport) -> String?
  ) throws -> any RunFiles {
    FailureFiles(folder: folder, heading: heading, plan: plan, digest: digest)
  }

  func record(of scenario: String, _ digest: String) -> FailureRecord? { folder.record(of: scenario, digest) }
}

/// The files of one run of a qualification. Each failure's are complete before its verdict is written anywhere.
private struct FailureFiles: RunFiles {
  let folder: FailureFolder
  let heading: RunReport
  let plan: RunPlan
  let digest: @Sendable (Scenario, ScenarioReport) -> String?

  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? {
    let note = "\(Tool.description), \(scenario.name), seed \(plan.settings.seed), \(plan.firmware)"
    return FailureFollower(scenario, try folder.begin(scenario.name, number, note: note), self)
  }

  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {}
  func finish(_ report: RunReport) throws {}
}

/// Follows one attempt, and keeps its files where it failed.
private final class FailureFollower: AttemptFiles {
  private let scenario: Scenario
  private let capture: FailureCapture
  private let files: FailureFiles
  private let follower: ScenarioFollower

  init(_ scenario: Scenario, _ capture: FailureCapture, _ files: FailureFiles) {
    self.scenario = scenario
    self.capture = capture
    self.files = files
    follower = ScenarioFollower(
      scenario.name, capture: (capture.sink, ""), keepsAll: false, pages: .all,
      wantsSounds: files.plan.target == .simulated)
  }

  var sinks: [any TraceSink] { follower.sinks }
  var wantsSounds: Bool { follower.wantsSounds }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {
    follower.stepStarted(sentence, file: file, line: line, at: instant)
  }

  func stepFinished(_ report: StepReport) { follower.stepFinished(report) }
  func observed(_ event: ProductEvent) { follower.observed(event) }
  func heard(_ sound: HeardSound) { follower.heard(sound) }

  func close(_ report: ScenarioReport, isNews: Bool) throws -> String? {
    guard let digest = files.digest(scenario, report) else {
      try capture.sink.close(keeping: false)
      return nil
    }
    capture.belongs(to: scenario.name, digest)
    _ = try follower.close(report, isNews: true)
    try files.folder.keep(follower.log, digest, of: files.heading)
    return nil
  }
}
