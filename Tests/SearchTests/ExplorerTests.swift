import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Timeline
import Verdicts

@testable import Search

/// Trials in which a schedule fails where it does one thing after another, and reaches what it does.
private struct ScriptedTrials: ScheduleTrials {
  let first: Int
  let second: Int

  func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome {
    let kinds = schedule.actions.map(\.kind)
    let reached = Set(kinds.map { Landmark.transition(chart: "kinds", number: $0) })
    guard let place = kinds.firstIndex(of: first), kinds[place...].contains(second) else {
      return TrialOutcome(reached: reached, performed: ScheduleText.stepCount(of: schedule))
    }
    let failure = TrialFailure(["DEV-6"], "it failed after \(kinds.count) actions", .recorder, "it does not fail")
    return TrialOutcome(failures: [failure], reached: reached, performed: kinds.count)
  }
}

/// Trials of which some cannot be made, by the number of the run.
private struct LackingTrials: ScheduleTrials {
  let isLacking: @Sendable (Int) -> Bool

  func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome {
    let number = text.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
    return TrialOutcome(lack: isLacking(number) ? "a bond in run \(number)" : nil, performed: 0)
  }
}

/// Trials that somebody ends after a number of runs.
private struct InterruptedTrials: ScheduleTrials {
  let trials: any ScheduleTrials
  let limit: Int
  let count = Counter()

  final class Counter: Sendable { let value = Atomic(0) }

  func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome {
    let number = count.value.wrappingAdd(1, ordering: .relaxed).newValue
    return number > limit ? .interrupted : trials.run(schedule, as: text, repetition: repetition)
  }
}

@Suite struct Explorations {
  private static func findings(_ plan: Explorer.Plan, _ trials: any ScheduleTrials) -> [Finding] {
    Explorer(plan, trials).run(isStopped: { false }) { _ in }.findings
  }

  private static func plan(runs: Int, seed: UInt64 = 1, jobs: Int = 1) -> Explorer.Plan {
    var plan = Explorer.Plan()
    plan.runs = runs
    plan.seed = seed
    plan.jobs = jobs
    return plan
  }

  @Test func oneReasonIsOneFinding() throws {
    let findings = Self.findings(Self.plan(runs: 2_000), ScriptedTrials(first: 2, second: 5))
    #expect(findings.count == 1)
    let finding = try #require(findings.first)
    #expect(finding.count > 1)
    #expect(finding.steps == 2)
    #expect(finding.repeated == Finding.plannedRepetitions)
  }

  @Test func aSeedHasTheSameFindingsOnAnyNumberOfThreads() {
    let trials = ScriptedTrials(first: 2, second: 5)
    let texts = [1, 2, 4].map { Self.findings(Self.plan(runs: 2_000, jobs: $0), trials).map(\.text) }
    #expect(!texts[0].isEmpty)
    #expect(texts[0] == texts[1])
    #expect(texts[0] == texts[2])
    let other = Self.findings(Self.plan(runs: 2_000, seed: 2), trials).map(\.text)
    #expect(texts[0] != other)
  }

  @Test func timeDecidesOnlyTheNumberOfRuns() throws {
    let trials = ScriptedTrials(first: 2, second: 5)
    var batches = 0
    let stopped = Explorer(Self.plan(runs: .max), trials).run(
      isStopped: {
        batches += 1
        return batches > 60
      }
    ) { _ in }
    #expect(stopped.progress.runs == 60 * ScheduleScope.model.batch)
    let counted = Self.findings(Self.plan(runs: 60 * ScheduleScope.model.batch), trials)
    #expect(stopped.findings.map(\.text) == counted.map(\.text))
  }

  /// Wherever an exploration is interrupted, its findings are those that it had until then, and each of them fails.
  @Test func anInterruptionLeavesWhatWasFound() throws {
    let scripted = ScriptedTrials(first: 2, second: 5)
    let whole = Explorer(Self.plan(runs: 2_000), scripted).run(isStopped: { false }) { _ in }
    let finding = try #require(whole.findings.first)
    #expect(!finding.isInterrupted)
    // The batch of the run that fails, the trials that make it small, and its repetitions.
    let batch = ScheduleScope.model.batch
    let counted = (finding.run + batch - 1) / batch * batch
    let end = counted + 4 * (finding.trials + 1) + 2 + Finding.plannedRepetitions
    var sizes: [Int] = []
    for limit in Array(stride(from: counted, to: end, by: 4)) + [end] {
      let outcome = Explorer(Self.plan(runs: .max), InterruptedTrials(trials: scripted, limit: limit))
        .run(isStopped: { false }) { _ in }
      let found = try #require(outcome.findings.first)
      #expect((counted...limit).contains(outcome.progress.runs))
      #expect(found.repetitions <= Finding.plannedRepetitions)
      #expect(found.repeated == found.repetitions)
      #expect(found.run == finding.run)
      #expect(found.trials <= finding.trials)
      if !found.isInterrupted { #expect(found.text == finding.text) }
      sizes.append(found.steps)
    }
    #expect(try #require(sizes.first) > finding.steps)
    #expect(sizes.last == finding.steps)
    let before = Explorer(Self.plan(runs: .max), InterruptedTrials(trials: scripted, limit: finding.run - 1))
      .run(isStopped: { false }) { _ in }
    #expect(before.findings.isEmpty)
    #expect(before.progress.runs == finding.run - 1)
  }

  /// A run that was interrupted says nothing, whether it had begun or not.
  @Test(arguments: [false, true]) func anInterruptedRunIsNoResult(hasBegun: Bool) {
    var settings = RunSettings()
    let interruption = settings.interruption
    if hasBegun { settings.airListener = { _ in interruption.request() } } else { interruption.request() }
    let trials = SimulatedTrials(
      settings, vocabulary: Schedules.vocabulary, sounds: Tone(), firmware: NoFirmware())
    let outcome = Explorer(Self.plan(runs: 64), trials).run(isStopped: { false }) { _ in }
    #expect(outcome.progress == Explorer.Progress())
    #expect(outcome.findings.isEmpty)
  }

  /// Runs that lack something say nothing, and that is not the same as finding nothing.
  @Test func whatCouldNotBeRunIsCounted() {
    func progress(runs: Int, lacking isLacking: @escaping @Sendable (Int) -> Bool) -> Explorer.Progress {
      Explorer(Self.plan(runs: runs), LackingTrials(isLacking: isLacking)).run(isStopped: { false }) { _ in }.progress
    }
    let none = progress(runs: 64) { _ in true }
    #expect((none.runs, none.blocked, none.lack, none.isAllBlocked) == (64, 64, "a bond in run 1", true))
    let some = progress(runs: 64) { $0 != 40 }
    #expect((some.runs, some.blocked, some.lack, some.isAllBlocked) == (64, 63, "a bond in run 1", false))
    let all = progress(runs: 64) { _ in false }
    #expect((all.blocked, all.lack, all.isAllBlocked) == (0, nil, false))
    #expect(!Explorer.Progress().isAllBlocked, "no run was made")
  }

  @Test func progressIsToldAtRoundNumbers() {
    var told: [Int] = []
    _ = Explorer(Self.plan(runs: 640), ScriptedTrials(first: 2, second: 5)).run(isStopped: { false }) { event in
      if case .progress(let progress, _) = event { told.append(progress.runs) }
    }
    #expect(told == [32, 64, 128, 224, 512])
  }

  @Test func whatDiffersInNumbersAloneIsOneCause() {
    let first = TrialCause(violated: ["DEV-3"], reason: "recorder 0 no longer lists 0000240131120000")
    #expect(first == TrialCause(violated: ["DEV-3"], reason: "recorder 1 no longer lists 0000240131120001"))
    #expect(first != TrialCause(violated: ["DEV-4"], reason: "recorder 0 no longer lists 0000240131120000"))
    #expect(first != TrialCause(violated: ["DEV-3"], reason: "recorder 0 lists 0000240131120000"))
  }

  /// Where a program is when a full stack is noticed differs from run to run.
  @Test func whatDiffersInThePlaceAloneIsOneCause() {
    let places = ["vListInsert+0xe (list.c:151); called by prvTimerTask", "nrfx_uarte_rx_abort+0x24"]
    let causes = places.map {
      TrialCause(violated: ["IMG-3"], reason: "recorder 0: the stack of task `Tmr S` is used up, seen at \($0)")
    }
    #expect(causes[0] == causes[1])
    let other = "recorder 0: the stack of task `IDLE` is used up, seen at \(places[0])"
    #expect(causes[0] != TrialCause(violated: ["IMG-3"], reason: other))
  }
}

@Suite struct PlantedDefects {
  private static func trials() -> SimulatedTrials {
    SimulatedTrials(RunSettings(), vocabulary: Schedules.vocabulary, sounds: Tone(), firmware: NoFirmware())
  }

  /// A recorder that folds the dates in the names of records is found, and what is written fails for the same reason,
  /// and passes on a recorder that does not.
  @Test func isFoundAndWrittenAsAScenario() throws {
    var plan = Explorer.Plan()
    plan.runs = 64
    plan.jobs = 2
    plan.published = ["identifiers"]
    let findings = Explorer(plan, Self.trials()).run(isStopped: { false }) { _ in }.findings
    let finding = try #require(findings.first { $0.failure.cause.violated == ["DEV-4"] })
    #expect(finding.steps <= 6, "\(finding.text)")
    let library = Schedules.library(finding.text)
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    let scenario = try #require(library.scenarios.first)
    let report = ScenarioRun(scenario, RunSettings(), sounds: Tone(), firmware: NoFirmware()).run()
    #expect(report.verdict.failure?.violated.contains("DEV-4") == true, "\(report.verdict)")
    let mended = finding.text.replacing("published: [identifiers], ", with: "").replacing(
      "device: {published: [identifiers]}", with: "device: {}")
    let again = try #require(Schedules.library(mended).scenarios.first)
    #expect(ScenarioRun(again, RunSettings(), sounds: Tone(), firmware: NoFirmware()).run().verdict == .passed)
  }

  /// A recorder that lets strangers keep its link is found without a step that looks at it.
  @Test func strangersWhoStayAreFound() throws {
    let finding = try #require(Self.findings("strangers-link", runs: 320).first)
    #expect(finding.failure.cause.violated == ["DEV-10"])
    #expect(finding.failure.reason.contains("keeps the link of a phone without a bond"))
  }

  /// A wrong label of the codec is heard, by comparing what the phone plays with what was said.
  @Test func aForgottenLabelIsHeard() throws {
    let finding = try #require(Self.findings("codec-label", runs: 128).first)
    #expect(finding.failure.cause.violated == ["DEV-5/sound"])
  }

  private static func findings(_ behaviour: String, runs: Int) -> [Finding] {
    var plan = Explorer.Plan()
    plan.runs = runs
    plan.jobs = 2
    plan.published = [behaviour]
    return Explorer(plan, trials()).run(isStopped: { false }) { _ in }.findings
  }

  @Test func theReferenceHasNone() {
    var plan = Explorer.Plan()
    plan.runs = 32
    plan.jobs = 2
    let findings = Explorer(plan, Self.trials()).run(isStopped: { false }) { _ in }.findings
    #expect(findings.isEmpty, "\(findings.map(\.text))")
  }
}
