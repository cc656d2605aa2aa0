import ScenarioLanguage
import Timeline
import Trace
import World

/// What came of all steps of a scenario.
struct Performance: Sendable {
  /// The steps that were performed, in order; those of `always:` after the others.
  var steps: [StepReport] = []
  /// The first outcome that was not a pass; a failure of `always:` counts only when nothing else failed.
  var outcome: StepOutcome { steps.first { !$0.outcome.isPassed }?.outcome ?? .passed }
}

extension Stage {
  /// Performs the steps of a scenario, and whatever comes of them its `always:` steps.
  func perform(_ scenario: Scenario) async -> Performance {
    var performance = Performance()
    await perform(scenario.steps, &performance)
    var cleanUp = Performance()
    await perform(scenario.always, &cleanUp)
    performance.steps += cleanUp.steps
    return performance
  }

  private func perform(_ steps: [Step], _ performance: inout Performance) async {
    for step in steps {
      let began = loop.now
      trace.record(.stepStarted, from: .runner, at: began, note(step))
      let outcome = await perform(step, &performance)
      trace.record(.stepEnded, from: .runner, at: loop.now, outcome.word)
      performance.steps.append(
        StepReport(sentence: step.sentence, location: step.location, began: began, ended: loop.now, outcome: outcome))
      if !outcome.isPassed { return }
    }
  }

  private func perform(_ step: Step, _ performance: inout Performance) async -> StepOutcome {
    switch step.action {
    case .perform(let call): return await perform(call)
    case .eventually(let pattern, let limit): return await expect(pattern, within: limit)
    case .never(let pattern, let span): return await forbid(pattern, span, &performance)
    case .wait(let duration):
      switch await waits.pass(duration, on: loop) {
      case .success: return .passed
      case .failure(let end): return .failed(end.sentence)
      }
    }
  }

  // MARK: Verbs

  private func perform(_ call: VerbCall) async -> StepOutcome {
    guard let verb = VerbCatalogue.verb(call.declaration) else {
      return .harnessError("the verb \(call.declaration.name) is declared, but nothing performs it")
    }
    let waits = waits
    let deadline = loop.schedule(after: call.deadline, .deadline) { waits.endAll(.deadline) }
    defer { loop.cancel(deadline) }
    do {
      let findings = try await verb.perform(call, on: self)
      if let expected = call.expectedFailure {
        return .failed("expected it to fail with \(expected.name); it succeeded")
      }
      let mismatches = call.expectation.mismatches(in: findings)
      return mismatches.isEmpty ? .passed : .failed(mismatches.map(\.description).joined(separator: "; "))
    } catch let failure as VerbFailure {
      return outcome(of: failure, in: call)
    } catch let failure as ControlFailure {
      return StepOutcome(failure)
    } catch {
      return .harnessError("\(call.declaration.name) threw \(error)")
    }
  }

  private func outcome(of failure: VerbFailure, in call: VerbCall) -> StepOutcome {
    switch failure {
    case .control(let failure): return StepOutcome(failure)
    case .refused(let word, let text):
      if call.expectedFailure?.name == word { return .passed }
      let expected = call.expectedFailure.map { "expected it to fail with \($0.name); " } ?? ""
      return .failed("\(expected)\(word): \(text)")
    case .ended(.deadline):
      return .failed("not done within \(Dimension.duration.text(call.deadline.baseUnits))")
    case .ended(let end): return .failed(end.sentence)
    }
  }

  // MARK: Temporal assertions

  private func expect(_ pattern: EventPattern, within limit: Duration) async -> StepOutcome {
    let deadline = loop.schedule(after: limit, .deadline) { [waits] in waits.endAll(.deadline) }
    defer { loop.cancel(deadline) }
    var number: UInt64?
    let outcome: Result<Void, WaitEnd> = await waits.value { resume in
      number = watch.add(pattern) { _ in resume(()) }
    }
    if let number { watch.remove(number) }
    switch outcome {
    case .success: return .passed
    case .failure(.deadline):
      return .failed("\(pattern.declaration.name) did not happen within \(Dimension.duration.text(limit.baseUnits))")
    case .failure(let end): return .failed("\(pattern.declaration.name) did not happen: \(end.sentence)")
    }
  }

  private func forbid(
    _ pattern: EventPattern, _ span: Step.NeverSpan, _ performance: inout Performance
  ) async -> StepOutcome {
    let violation = Violation()
    let waits = waits
    let number = watch.add(pattern) { event in
      violation.event = event
      waits.endAll(.interrupted)
    }
    var outcome = StepOutcome.passed
    switch span {
    case .duration(let duration): _ = await waits.pass(duration, on: loop)
    case .until(let end, let limit): outcome = await expect(end, within: limit)
    case .during(let steps):
      let before = performance.steps.count
      await perform(steps, &performance)
      outcome = performance.steps[before...].first { !$0.outcome.isPassed }?.outcome ?? .passed
    }
    watch.remove(number)
    guard let event = violation.event else { return outcome }
    return .failed("\(event.name) \(event.findings) happened at \(event.instant) s")
  }

  /// The line that goes into trace and capture: the place first, because viewers cut long lines.
  private func note(_ step: Step) -> String {
    let file = step.location.file.split(separator: "/").last ?? ""
    return "\(file):\(step.location.line) \(step.sentence)"
  }
}

/// What a forbidden pattern met.
private final class Violation {
  var event: StageEvent?
}

extension VerbCatalogue {
  /// The verb that performs a declaration.
  static func verb(_ declaration: VerbDeclaration) -> (any Verb.Type)? {
    all.first { $0.declaration.name == declaration.name && $0.declaration.actor == declaration.actor }
  }
}

extension StepOutcome {
  init(_ failure: ControlFailure) {
    switch failure {
    case .lacking(let capability): self = .blocked(capability)
    case .bench(let text): self = .benchError(text)
    case .impossible(let text): self = .harnessError(text)
    }
  }

  /// The outcome in one word.
  var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .blocked: "blocked"
    case .benchError: "bench-error"
    case .harnessError: "harness-error"
    }
  }

  /// Why, for every outcome but a pass.
  var reason: String {
    switch self {
    case .passed: ""
    case .failed(let text), .benchError(let text), .harnessError(let text): text
    case .blocked(let capability): "needs \(capability)"
    }
  }
}

extension WaitEnd {
  /// What the wait ended with, in words.
  var sentence: String {
    switch self {
    case .deadline: "the time was up"
    case .starved: "nothing was left that could still have happened"
    case .interrupted: "it was interrupted"
    }
  }
}
