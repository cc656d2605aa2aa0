import Bench
import Bytes
import Foundation
import Recorder
import Reports
import Runner
import ScenarioLanguage
import Verdicts

/// What `run` was asked for, read from its options.
struct RunRequest: Sendable {
  /// Whose captures are kept.
  enum Captures: String, Sendable {
    case failures, all, none
  }

  var target = TargetKind.simulated
  var selection: Selection
  var settings = RunSettings()
  var jobs: Int
  /// How often everything is run at most, unless the time given is over before.
  var repetitions = 1
  /// No more repetitions begin after so long; `nil` for no such limit.
  var budget: Duration?
  /// Whether nothing more begins after a device has failed.
  var stopsAtFailure: Bool
  /// Whether the report says how often each scenario failed.
  var isRepeated: Bool { repetitions > 1 || budget != nil }
  /// Which firmware is simulated; `nil` for a real recorder.
  var profileName: String? { target == .hardware ? nil : settings.profile.name }
  var retries = 0
  var out: String?
  var captures = Captures.failures
  /// Names of the reports that were asked for; empty for those that are written by default.
  var reports: [String]
  var requiresAll: Bool
  var writesErrorsAsFailures: Bool

  init(_ arguments: ParsedArguments) throws(UsageFailure) {
    let environment = ProcessInfo.processInfo.environment
    selection = try SelectionOptions.selection(arguments, environment: environment)
    target = arguments.value("--target").flatMap(TargetKind.init) ?? .simulated
    settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    if let name = arguments.value("--profile"), let profile = RecorderProfile.named(name) { settings.profile = profile }
    if let text = arguments.value("--fault") {
      guard let fault = PlantedFault(text) else {
        throw UsageFailure("there is no fault \(text)\(ParsedArguments.suggestion(text, PlantedFault.names))")
      }
      settings.fault = fault
    }
    jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    budget = try arguments.duration("--for", in: .seconds(1)...(.seconds(30 * 86_400)))
    repetitions = try arguments.number("--repeat", in: 1...1_000_000) ?? (budget == nil ? 1 : 1_000_000)
    stopsAtFailure = arguments.isSet("--until-fail")
    retries = try arguments.number("--retries", in: 0...100) ?? 0
    out = arguments.value("--out")
    reports = arguments.allValues("--report")
    if out == nil, let name = ReportSet.needingFolder(among: reports).first {
      throw UsageFailure("--report \(name) needs a folder: --out FOLDER")
    }
    captures = arguments.value("--captures").flatMap(Captures.init) ?? .failures
    settings.isUncovered = arguments.value("--capture") == "full"
    requiresAll = arguments.isSet("--require-all")
    writesErrorsAsFailures = arguments.isSet("--junit-errors-as-failures")
    // One controller serves one scenario at a time.
    if target != .simulated { jobs = 1 }
    if target != .simulated { settings.benchOptions = BenchFiles.words(arguments) }
    switch target {
    case .app: settings.application = try BenchFiles.application(arguments)
    case .hardware: settings.hardware = try BenchFiles.target(arguments)
    case .simulated where arguments.value("--bench") != nil:
      throw UsageFailure("--bench is for --target hardware and --target app; list --bench says what would run there")
    case .simulated: break
    }
  }
}
