import Bench
import Bytes
import Foundation
import Phone
import Recorder
import Reports
import Verdicts
import Runner
import ScenarioLanguage
import Session

/// What `run` was asked for, read from its options.
struct RunRequest: Sendable {
  /// Which captures are kept.
  enum Captures: String, Sendable {
    case failures, all, none
  }

  /// How much is told on the console while scenarios run.
  enum Detail: Sendable {
    case quiet, normal, verbose
  }

  /// The scenarios that are run.
  var selection: Selection
  /// How they are run.
  var plan = RunPlan()
  /// The time into which the run must fit on a bench; `nil` for any.
  var budget: Duration?
  /// Collects what was executed of an image; `nil` unless it is asked for.
  var coverage: FirmwareCoverage?
  /// Power cuts in copies of executed recorders; `nil` for none.
  var powerCuts: PowerCuts?
  /// The folder of the reports; `nil` for none.
  var out: String?
  var captures = Captures.failures
  var detail = Detail.normal
  /// Which scenarios get a trace page.
  var pages = ReportPlace.Pages.none
  /// Names of the reports that were asked for; empty for those that are written by default.
  var reports: [String]
  var writesErrorsAsFailures: Bool

  var settings: RunSettings { plan.settings }
  var profileName: String? { plan.profileName }

  init(_ arguments: ParsedArguments) throws(UsageFailure) {
    selection = try SelectionOptions.selection(arguments)
    out = arguments.value("--out")
    reports = arguments.allValues("--report")
    if out == nil, let name = ReportSet.needingFolder(among: reports).first {
      throw UsageFailure("--report \(name) needs a folder: --out FOLDER")
    }
    captures = arguments.value("--captures").flatMap(Captures.init) ?? .failures
    pages = arguments.value("--trace").flatMap(ReportPlace.Pages.init) ?? (out == nil ? .none : .failed)
    if out == nil, pages != .none { throw UsageFailure("--trace needs a folder: --out FOLDER") }
    writesErrorsAsFailures = arguments.isSet("--junit-errors-as-failures")
    plan.jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    plan.span = try arguments.duration("--for", in: .seconds(1)...(.seconds(30 * 86_400)))
    plan.repetitions = try arguments.number("--repeat", in: 1...1_000_000) ?? (plan.span == nil ? 1 : 1_000_000)
    budget = try arguments.duration("--budget", in: .seconds(1)...(.seconds(30 * 86_400)))
    if budget != nil, arguments.value("--target") != TargetKind.hardware.rawValue {
      throw UsageFailure("--budget needs --target hardware: only a bench takes a time that can be predicted")
    }
    plan.stopsAtFailure = arguments.isSet("--until-fail")
    plan.retries = try arguments.number("--retries", in: 0...100) ?? 0
    plan.requiresAll = arguments.isSet("--require-all")
    try readDetail(arguments)
    try readSettings(arguments)
    try readTarget(arguments)
    try readLastFailed(arguments)
  }

  /// The scenarios that are run, out of all; the plan keeps which part of the selection they are.
  mutating func choose(from all: [Scenario]) -> [Scenario] {
    var whole = selection
    whole.shard = nil
    let candidates = whole.select(all)
    let indices = candidates.indices.filter { selection.matches(candidates[$0]) }
    plan.places = indices
    plan.part = RunReport.Part(
      total: candidates.count, shard: selection.shard?.index, shards: selection.shard?.count)
    return indices.map { candidates[$0] }
  }

  /// The scenarios of those that were chosen for which there is time, in the order that changes least on the bench.
  mutating func fitting(_ chosen: [Scenario]) -> (scenarios: [Scenario], seconds: Int64)? {
    guard let budget, let target = plan.settings.hardware else { return nil }
    let forecasts = chosen.map { BenchForecast($0, on: target) }
    let runnable = chosen.indices.filter { forecasts[$0].missing == nil }
    let fit = BudgetPlan(
      runnable.map { (chosen[$0], forecasts[$0].seconds ?? 0) }, within: budget.components.seconds)
    let indices = fit.chosen.map { runnable[$0] }
    if !plan.places.isEmpty { plan.places = indices.map { plan.places[$0] } }
    let seconds = BenchForecast.inOrder(indices.map { forecasts[$0] }).reduce(0) { $0 + ($1.seconds ?? 0) }
    return (indices.map { chosen[$0] }, seconds)
  }

  private mutating func readDetail(_ arguments: ParsedArguments) throws(UsageFailure) {
    switch (arguments.isSet("--quiet"), arguments.isSet("--verbose")) {
    case (true, true): throw UsageFailure("--quiet and --verbose exclude each other")
    case (true, false): detail = .quiet
    case (false, true): detail = .verbose
    case (false, false): break
    }
  }

  /// Selects what did not pass in an earlier run, in the repetitions in which it did not, with the seed, profile and phone
  /// of that run unless others are asked for.
  private mutating func readLastFailed(_ arguments: ParsedArguments) throws(UsageFailure) {
    guard let folder = arguments.value("--last-failed") else { return }
    let run: RunReport
    do { run = try RunReport(summaryIn: folder) } catch { throw UsageFailure("\(error)") }
    let broken = run.scenarios.filter { !$0.verdict.isExpected && $0.verdict.kind != .blocked }
    selection.only = Set(broken.map(\.name))
    if arguments.value("--repeat") == nil, plan.span == nil, !broken.isEmpty {
      plan.chosenTurns = Set(broken.map { AttemptNumber.turn(of: $0.repetition) }).sorted()
      plan.repetitions = plan.chosenTurns.count
    }
    if arguments.value("--seed") == nil { plan.settings.seed = run.seed }
    if plan.target != .hardware, arguments.value("--profile") == nil, let name = run.profile,
      let profile = RecorderProfile.named(name)
    {
      plan.settings.profile = profile
    }
    if arguments.value("--phone") == nil, let phone = run.phone.flatMap(PhoneProfile.init) {
      plan.settings.phone = phone
    }
  }

  private mutating func readSettings(_ arguments: ParsedArguments) throws(UsageFailure) {
    plan.settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    plan.settings.isUncovered = arguments.value("--capture") == "full"
    plan.settings.profile = ModelOptions.profile(arguments)
    plan.settings.phone = PhoneProfileOption.phone(arguments)
    plan.settings.faults = try Self.faults(arguments)
  }

  /// The faults that `--fault` names.
  static func faults(_ arguments: ParsedArguments) throws(UsageFailure) -> [PlantedFault] {
    try arguments.allValues("--fault").map { text throws(UsageFailure) in
      guard let fault = PlantedFault(text) else {
        throw UsageFailure("unknown fault \(text)\(ParsedArguments.suggestion(text, PlantedFault.names))")
      }
      return fault
    }
  }

  private mutating func readTarget(_ arguments: ParsedArguments) throws(UsageFailure) {
    plan.target = arguments.value("--target").flatMap(TargetKind.init) ?? .simulated
    try TargetOptions.check(arguments, for: plan.target)
    guard (arguments.value("--image") != nil) == (plan.target == .image) else {
      throw UsageFailure("--target image and --image FILE belong together")
    }
    var image = try ImageFiles.read(arguments)
    image?.program.processorTime = ImageFiles.defaultProcessorTime
    if let span = try arguments.duration(ImageFiles.processorTime.name, in: .seconds(1)...(.seconds(30 * 86_400))) {
      guard image != nil else { throw UsageFailure("\(ImageFiles.processorTime.name) needs --target image") }
      image?.program.processorTime = span
    }
    coverage = try FirmwareCoverage(arguments, image)
    powerCuts = try PowerCuts(arguments, image)
    if let image {
      plan.image = image.description
      plan.imageDigest = image.digest
      plan.settings.program = image.program.recorderProgram(named: image.name)
      plan.settings.benchOptions = BenchFiles.words(arguments)
    }
    guard plan.target != .simulated, plan.target != .image else { return }
    // One controller serves one scenario at a time.
    plan.jobs = 1
    plan.settings.benchOptions = BenchFiles.words(arguments)
    if plan.target == .app {
      guard arguments.allValues("--bench").count < 2 else {
        throw UsageFailure("--bench may be given only once with --target app: one phone runs the application")
      }
      plan.settings.application = try BenchFiles.application(arguments)
    } else {
      var target = try BenchFiles.target(arguments)
      plan.furtherBenches = try BenchFiles.furtherTargets(arguments, besides: &target)
      plan.settings.hardware = target
    }
  }
}
