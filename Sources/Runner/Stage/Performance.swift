import Bench
import Requirements
import ScenarioLanguage
import Timeline
import Trace
import Verdicts
import World

extension StepOutcome {
  /// The operator interrupted the run; this counts as a bench error.
  static func interrupted(_ what: String) -> StepOutcome { .benchError("interrupted in \(what)") }
}

/// The outcome of all steps of a scenario.
struct Performance: Sendable {
  /// The steps in order, those of `always:` after the others.
  var steps: [StepReport] = []
  /// The first verdict that was not a pass; one of `always:` counts only when nothing else failed.
  var verdict = Verdict.passed
  /// The first step that did not pass, with what is known of its failure.
  var broken: BrokenStep?
  /// The prompts for the operator.
  var prompts: [OperatorPrompt] = []
}

/// How a step ended, and whether that says anything about what it asserts.
private struct StepResult {
  var outcome: StepOutcome
  /// Whether its own assertion was decided: it passed, or failed for what it asserts.
  var isDecided: Bool
  /// What it was decided by, in words; `nil` where nothing was looked at.
  var observed: String?

  static func decided(_ outcome: StepOutcome, by observed: String? = nil) -> StepResult {
    StepResult(outcome: outcome, isDecided: true, observed: observed)
  }

  /// How a claim about sensed events ended: one that cannot be observed is not decided.
  init(_ outcome: StepOutcome) {
    self.outcome = outcome
    if case .blocked = outcome { isDecided = false } else { isDecided = true }
  }

  init(outcome: StepOutcome, isDecided: Bool, observed: String? = nil) {
    self.outcome = outcome
    self.isDecided = isDecided
    self.observed = observed
  }

  static func undecided(_ outcome: StepOutcome) -> StepResult { StepResult(outcome: outcome, isDecided: false) }

  /// The same of a step that only tried: that the products failed decides nothing.
  var asAttempt: StepResult {
    if case .failed = outcome { .undecided(.passed) } else { self }
  }
}

extension Stage {
  /// Time in which a bench is put right after trouble or an interrupt, all `always:` steps together.
  static let cleanUpBudget = Duration.seconds(30)

  /// Characters that are kept of what a step observed.
  static let mostObserved = 600

  /// Performs the steps of a scenario, and then its `always:` steps, even if a step failed.
  func perform(_ scenario: Scenario) async -> Performance {
    var performance = Performance()
    assertions.forget()
    kept = KeptValues()
    senses?.beginScenario()
    await perform(scenario.steps, &performance)
    if let senses { await judge(scenario, seenBy: senses, &performance) }
    await cleanUp(scenario, &performance)
    tellReceivedSounds()
    return performance
  }

  /// Performs the `always:` steps, each of them even if others failed. After bench trouble their time is limited.
  func cleanUp(_ scenario: Scenario, _ performance: inout Performance) async {
    let (waits, loop) = (waits, loop)
    var end = Instant.distantFuture
    var budget: ScheduledEvent?
    if waits.beginCleanUp() || performance.verdict.kind == .benchError {
      end = loop.now.advanced(by: Self.cleanUpBudget)
      budget = loop.schedule(at: end, .deadline) { waits.endAll(.deadline) }
    }
    defer { if let budget { loop.cancel(budget) } }
    for step in scenario.always {
      if loop.now < end {
        await perform([step], &performance)
      } else {
        add(report(step, from: loop.now, .skipped), &performance)
      }
    }
  }

  /// Performs steps until one does not pass or a requirement is broken; says how the last one ended.
  @discardableResult
  func perform(_ steps: [Step], _ performance: inout Performance) async -> StepOutcome {
    for (position, step) in steps.enumerated() {
      let began = loop.now
      // The place stays out of the trace, so that a comment in the file does not change its hash.
      trace.record(.stepStarted, from: .runner, at: began, step.sentence)
      observer?.stepStarted(step.sentence, file: step.location.file, line: step.location.line, at: began)
      var result = await perform(step, &performance)
      // Whatever the step makes of it, nobody waited for the device.
      if let end = waits.closedBy {
        result = .undecided(end == .interrupted ? .interrupted("`\(step.sentence)`") : .failed(end.sentence, .pair))
      }
      // Nor has a sensor that is gone seen that something did not happen.
      if !result.outcome.isPassed || senses(for: step.patterns) != nil, let trouble = benchTrouble() {
        result = .undecided(.benchError(trouble))
        seenBy = []
      }
      if case .perform(let call) = step.action, call.mayFail, waits.closedBy == nil { result = result.asAttempt }
      if !assertions.hasContact, step.needsContact, !result.outcome.isPassed { result.isDecided = false }
      var shows = result.isDecided ? step.shows : []
      if case .failed(let reason, let actor) = result.outcome {
        result.outcome = .failed(reason, party(shows) ?? actor)
      }
      // One violation ends the steps; it does not end the cleaning up.
      if performance.verdict == .passed, !onlyMonitorsJudge, let violation = firstViolation() {
        let isBeside = !result.outcome.isPassed
        (result.outcome, shows) = attribute(violation, result.outcome, shows)
        performance.verdict =
          isBeside
          ? verdict(result.outcome, of: step, violating: [violation.requirement] + shows)
          : .failed(DeviceFailure(violation))
      }
      let outcome = result.outcome
      trace.record(.stepEnded, from: .runner, at: loop.now, outcome.word)
      add(report(step, from: began, outcome, result.observed, deciding: shows == step.shows), &performance)
      if onlyMonitorsJudge, waits.closedBy == nil, case .failed = outcome { continue }
      guard outcome.isPassed else {
        if performance.broken == nil {
          performance.broken = BrokenStep(
            step: step, outcome: outcome, mismatches: mismatches, at: loop.now, after: conversation())
        }
        if performance.verdict == .passed { performance.verdict = verdict(outcome, of: step, violating: shows) }
        for skipped in steps[(position + 1)...] {
          add(report(skipped, from: loop.now, .skipped), &performance)
        }
        return outcome
      }
    }
    return .passed
  }

  /// What a step came to during which a monitor saw a violation, and what its own assertion still decides. The violation
  /// explains a step that failed later, so what that asserts was not reached.
  private func attribute(
    _ violation: MonitorViolation, _ outcome: StepOutcome, _ shows: [String]
  ) -> (StepOutcome, [String]) {
    let seen = "\(violation.requirement): \(violation.reason)"
    switch outcome {
    case .passed: return (.failed(seen, violation.judges), [])
    case .failed(let reason, let judged):
      guard violation.instant == loop.now, !shows.isEmpty else {
        return (.failed("\(reason); \(seen)", violation.judges), [])
      }
      return (.failed("\(reason); \(seen)", judged), shows)
    case .blocked, .benchError, .harnessError, .skipped: return (outcome, shows)
    }
  }

  private func add(_ report: StepReport, _ performance: inout Performance) {
    performance.steps.append(report)
    observer?.stepFinished(report)
  }

  private func report(
    _ step: Step, from began: Instant, _ outcome: StepOutcome, _ observed: String? = nil,
    deciding isDecided: Bool = false
  ) -> StepReport {
    var report = StepReport(
      sentence: step.sentence, file: step.location.file, line: step.location.line, began: began, ended: loop.now,
      outcome: outcome)
    // What was skipped around other steps stands for them too.
    report.shows = outcome == .skipped ? step.everythingShown : step.shows
    report.isDecided = isDecided
    report.observed = observed.map { $0.count > Self.mostObserved ? $0.prefix(Self.mostObserved) + "…" : $0 }
    if case .ask = step.action { report.answer = answer.take() }
    report.seenBy = seenBy
    seenBy = []
    return report
  }

  private func verdict(_ outcome: StepOutcome, of step: Step, violating: [String]) -> Verdict {
    switch outcome {
    case .passed, .skipped: .passed
    case .failed(let reason, let judged):
      .failed(
        DeviceFailure(
          judges: judged, violated: violating.distinct, reason: reason, instant: loop.now,
          place: "\(step.location.file):\(step.location.line)"))
    case .blocked(let capability): .blocked(capability: capability)
    case .benchError(let reason): .benchError(BenchTrouble(reason))
    case .harnessError(let reason): .harnessError(HarnessTrouble(reason))
    }
  }

  private func perform(_ step: Step, _ performance: inout Performance) async -> StepResult {
    // Only what is waited for at once may have happened before the instrument answered.
    if !step.isWaitForEvents { assertions.forget() }
    if let event = untoldEvents.first(where: step.meets) { return .undecided(.blocked(Lack.oracle(event).description)) }
    let action: Step.Action
    do { action = try kept.filling(step.action) } catch { return .undecided(.failed(error.description, .pair)) }
    switch action {
    case .perform, .ask: lateness = .zero
    case .eventually, .either, .never, .wait: break
    }
    switch action {
    case .perform(let call): return await perform(call)
    case .eventually(let pattern, let limit): return await expect([pattern], within: limit)
    case .either(let patterns, let limit): return await expect(patterns, within: limit)
    case .never(let pattern, let span): return await forbid(pattern, span, &performance)
    case .ask(let question): return .decided(await ask(question))
    case .wait(let duration):
      switch await waits.pass(duration, on: loop) {
      case .success: return .decided(.passed)
      case .failure(let end): return .undecided(.failed(end.sentence, .pair))
      }
    }
  }

  private func ask(_ question: String) async -> StepOutcome {
    guard let phone = phones.first else { return .blocked(ApplicationAction.ask.capability) }
    do {
      let said = try await phone.answer(question)
      answer = StepReport.Answer(
        question: question, isYes: said.isYes, text: said.text, answeredAt: MachineClock.secondsSince1970())
      return said.isYes ? .passed : .failed("\(question) The answer was no", .phone)
    } catch { return outcome(of: error) }
  }

  // MARK: Verbs

  private func perform(_ call: VerbCall) async -> StepResult {
    guard
      let verb = verbs.first(where: {
        $0.declaration.name == call.declaration.name && $0.declaration.actor == call.declaration.actor
      })
    else {
      return .undecided(.harnessError("the verb \(call.declaration.name) has no implementation"))
    }
    let waits = waits
    isLooking = false
    let limit = call.deadline + tolerance + patience(of: call)
    deadline = loop.schedule(after: limit, .deadline) { waits.endAll(.deadline) }
    defer { if let deadline { loop.cancel(deadline) } }
    do {
      let findings = try await verb.perform(call, on: self)
      observer?.found(findings)
      if let expected = call.failureWords {
        return .decided(.failed("expected failure \(expected), but it succeeded", call.judged))
      }
      mismatches = call.expectation.mismatches(in: findings)
      do { try kept.keep(call.keeps, from: findings) } catch {
        return .decided(.failed(error.description, call.judged))
      }
      let reason = mismatches.map(\.description).joined(separator: "; ")
      return .decided(
        mismatches.isEmpty ? .passed : .failed(reason, call.judged), by: call.expectation.judged(of: findings))
    } catch ControlFailure.ended(.deadline) where isLooking {
      return .undecided(.unobservable("the look at the recorder took too long"))
    } catch ControlFailure.ended(.deadline) where isActuated(by: call),
      VerbFailure.control(.ended(.deadline)) where isActuated(by: call)
    {
      return .undecided(.benchError("the bench did not get it done in time: look which instrument is slow"))
    } catch let failure as VerbFailure {
      return StepResult(
        outcome: outcome(of: failure, in: call), isDecided: failure.decides(call), observed: failure.observed)
    } catch let failure as ControlFailure {
      let failure = VerbFailure.control(failure)
      return StepResult(outcome: outcome(of: failure, in: call), isDecided: failure.decides(call))
    } catch {
      return .undecided(.harnessError("\(call.declaration.name) threw \(error)"))
    }
  }

  func outcome(of failure: ControlFailure) -> StepOutcome {
    switch failure {
    case .ended(let end): .failed(end.sentence, .pair)
    case .lacking(let capability): .blocked(capability)
    case .bench(let fault): .benchError(fault.description)
    case .impossible(let text): .harnessError(text)
    }
  }

  private func outcome(of failure: VerbFailure, in call: VerbCall) -> StepOutcome {
    switch failure {
    case .control(.ended(.deadline)):
      return .failed("not done within \(Dimension.duration.text(call.deadline.baseUnits))", call.judged)
    case .control(.ended(let end)): return .failed(end.sentence, call.judged)
    case .control(let failure): return outcome(of: failure)
    case .refused(let failure, let text, let code):
      if call.expectedFailure?.name == failure.name, call.expectedCode == nil || call.expectedCode == code {
        return .passed
      }
      let expected = call.failureWords.map { "expected failure \($0), got " } ?? ""
      return .failed("\(expected)\(failure.name): \(text)", call.judged)
    }
  }

  // MARK: Temporal assertions

  private func expect(_ patterns: [EventPattern], within limit: Duration) async -> StepResult {
    if let senses = senses(for: patterns) { return StepResult(await expect(patterns, within: limit, by: senses)) }
    let deadline = loop.now.advanced(by: limit + tolerance)
    let words = words
    func match(_ event: ProductEvent) -> Bool { patterns.contains { words.match(event, $0) } }
    if let earlier = assertions.takeEarlier(where: match) {
      return .decided(.passed, by: words.sentence(earlier, of: patterns))
    }
    assertions.forget()
    let name = patterns.map(\.declaration.name).joined(separator: " or ")
    let observer = TemporalObserver.eventually(name, by: deadline, where: match)
    return await watch(observer, patterns, until: deadline, .deadline)
  }

  private func forbid(
    _ pattern: EventPattern, _ span: Step.NeverSpan, _ performance: inout Performance
  ) async -> StepResult {
    if let senses = senses(for: span.end.map { [pattern, $0] } ?? [pattern]) {
      return await forbid(pattern, span, by: senses, &performance)
    }
    let words = words
    let name = "\(pattern.declaration.name) must not happen"
    switch span {
    case .duration(let duration):
      let deadline = loop.now.advanced(by: duration)
      let observer = TemporalObserver.never(name, before: deadline) { words.match($0, pattern) }
      return await watch(observer, [pattern], until: deadline, .normal)
    case .until(let end, let limit):
      let deadline = loop.now.advanced(by: limit + tolerance)
      let observer = TemporalObserver.never(name, until: { words.match($0, end) }, by: deadline) {
        words.match($0, pattern)
      }
      return await watch(observer, [pattern, end], until: deadline, .deadline)
    case .during(let steps):
      let waits = waits
      let watcher = assertions.add(.never(name, before: .distantFuture) { words.match($0, pattern) })
      watcher.onDecided = { observation in
        if case .violated = observation { waits.banIsBroken() }
      }
      let (before, brokenBefore) = (performance.verdict, performance.broken)
      let outcome = await perform(steps, &performance)
      assertions.remove(watcher)
      // Where one of its steps failed, the ban was not watched to its end.
      guard case .violated(let reason) = watcher.last else {
        let observed = outcome.isPassed ? "none until \(loop.now) s" : nil
        return StepResult(outcome: outcome, isDecided: outcome.isPassed, observed: observed)
      }
      waits.banEnds()
      // The step that was ended is not what failed.
      performance.verdict = before
      performance.broken = brokenBefore
      return .decided(.failed(reason, .pair))
    }
  }

  /// Forbids an event that sensors see.
  private func forbid(
    _ pattern: EventPattern, _ span: Step.NeverSpan, by senses: BenchSenses, _ performance: inout Performance
  ) async -> StepResult {
    switch span {
    case .duration(let duration): return StepResult(await forbid(pattern, for: duration, by: senses))
    case .until(let end, let limit): return StepResult(await forbid(pattern, until: end, within: limit, by: senses))
    case .during(let steps):
      let watcher = watcher(forbidding: pattern, before: .distantFuture, senses)
      let (waits, before) = (waits, performance)
      var isBroken = false
      watcher.onDecided = { outcome in
        guard case .violated = outcome, !isBroken else { return }
        isBroken = true
        waits.banIsBroken()
      }
      let outcome = await perform(steps, &performance)
      watcher.onDecided = nil
      if isBroken { waits.banEnds() }
      guard outcome.isPassed || watcher.outcome != .pending else {
        return StepResult(outcome: outcome, isDecided: false)
      }
      if watcher.outcome == .pending {
        watcher.end(at: loop.now)
      } else {
        // The step that was ended is not what failed.
        performance.verdict = before.verdict
        performance.broken = before.broken
      }
      return StepResult(self.outcome(of: watcher))
    }
  }

  /// Waits until an assertion about events of these patterns is decided by one of them or by its deadline.
  ///
  /// The deadline of a wait is only a limit; the span of a ban is time that is meant to pass.
  private func watch(
    _ observer: TemporalObserver, _ patterns: [EventPattern], until deadline: Instant, _ urgency: Urgency
  ) async -> StepResult {
    let watcher = assertions.add(observer)
    let timer = loop.schedule(at: deadline, urgency) { watcher.reach(deadline) }
    let decided: Result<Observation, WaitEnd> = await waits.value { resume in watcher.onDecided = resume }
    loop.cancel(timer)
    assertions.remove(watcher)
    switch decided {
    case .success(.violated(let reason)): return .decided(.failed(reason, .pair))
    case .success:
      return .decided(
        .passed, by: watcher.decidingEvent.map { words.sentence($0, of: patterns) } ?? "none until \(loop.now) s")
    // Nothing can happen any more: a wait for an event has failed, a ban on one has held.
    case .failure(.starved):
      guard case .violated(let reason) = watcher.decide(at: deadline) else {
        return .decided(.passed, by: "none until \(deadline) s")
      }
      // The wait would have gone on until then, and so would every wait of a monitor.
      beIdle(deadline)
      return .decided(.failed("\(reason): \(WaitEnd.starved.sentence)", .pair))
    case .failure(let end): return .undecided(.failed(end.sentence, .pair))
    }
  }
}

extension VerbCall {
  /// The party to blame when the step fails: an operation of a phone involves both.
  var judged: JudgedParty { declaration.actor == .device ? .recorder : .pair }
}

extension Step {
  /// Whether what it asserts needs a recorder on the air; what recorders do by themselves does not.
  fileprivate var needsContact: Bool {
    switch action {
    case .perform(let call): call.declaration.actor == .phone
    case .eventually(let pattern, _), .never(let pattern, _): pattern.needsContact
    case .either(let patterns, _): patterns.contains(where: \.needsContact)
    case .wait, .ask: false
    }
  }

  /// Whether it waits for events that may have happened before an instrument answered.
  fileprivate var isWaitForEvents: Bool {
    switch action {
    case .eventually, .either: true
    default: false
    }
  }
}

extension EventPattern {
  fileprivate var needsContact: Bool {
    declaration.name != "advertising" && !declaration.name.hasPrefix("device.")
  }
}

extension VerbFailure {
  /// Whether it decides what a step asserts. A step that asserts nothing but that it succeeds is decided by any failure;
  /// one that expects something of the outcome is not where the other side was out of reach or the time was up.
  fileprivate func decides(_ call: VerbCall) -> Bool {
    let isBare = call.expectedFailure == nil && call.expectation.matchers.isEmpty
    switch self {
    case .refused(let failure, _, _):
      return isBare || !failure.isOutOfReach || failure.name == call.expectedFailure?.name
    case .control(.ended): return isBare || call.statesDeadline
    case .control: return false
    }
  }

  /// What the other side said, in words; `nil` where it said nothing.
  fileprivate var observed: String? {
    guard case .refused(let failure, let text, let code) = self else { return nil }
    return "\(failure.name): \(text)" + (code.map { ", code \($0)" } ?? "")
  }
}

extension [String] {
  /// The texts, each once.
  fileprivate var distinct: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Instant {
  /// Later than any run.
  static let distantFuture = Instant(nanoseconds: .max)
}
