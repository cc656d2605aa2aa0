import Bench
import Requirements
import ScenarioLanguage
import Timeline
import Verdicts
import World

extension StepOutcome {
  /// A step of which the sensors of this bench cannot tell whether it holds.
  static func unobservable(_ reason: String) -> StepOutcome { .blocked("\(Self.unobservableWords): \(reason)") }

  static let unobservableWords = "sensors: not observable here"
}

/// Temporal assertions about what only a bench's sensors can see.
extension Stage {
  /// What looks at the recorders, where one of these patterns needs it; else `nil`.
  func senses(for patterns: [EventPattern]) -> BenchSenses? {
    patterns.contains { $0.declaration.isOracle } ? senses : nil
  }

  /// Waits for one of several events.
  func expect(_ patterns: [EventPattern], within limit: Duration, by senses: BenchSenses) async -> StepOutcome {
    let words = words
    let since = assertions.keptSince ?? loop.now
    let deadline = loop.now.advanced(by: limit + tolerance)
    let claim = SensedClaim(
      .eventually(since: since, deadline: deadline), of: name(of: patterns), patience: patience(for: patterns, senses),
      watchedBy: patterns.flatMap { senses.sensors(for: $0) })
    let watcher = SensedWatcher(claim) { seen in patterns.contains { words.match(seen.event, $0) } }
    assertions.addWithEarlier(watcher)
    defer { assertions.forget() }
    if watcher.outcome == .pending { await wait(for: watcher, until: watcher.lastInstant, .deadline) { $0.conclude() } }
    assertions.remove(watcher)
    // What comes next counts from the event, and not from the instant at which a sensor told of it.
    lateness = watcher.decidedBy.map { max(.zero, $0.duration(to: loop.now)) } ?? .zero
    return outcome(of: watcher)
  }

  /// Forbids an event for a time.
  func forbid(_ pattern: EventPattern, for span: Duration, by senses: BenchSenses) async -> StepOutcome {
    let end = loop.now.advanced(by: span)
    let watcher = watcher(forbidding: pattern, before: end, senses)
    // What happens before the end may still be seen after it: the watcher stays.
    await wait(for: watcher, until: end, .normal) { $0.conclude() }
    return outcome(of: watcher)
  }

  /// Forbids an event until another one.
  func forbid(
    _ pattern: EventPattern, until end: EventPattern, within limit: Duration, by senses: BenchSenses
  ) async -> StepOutcome {
    let words = words
    let deadline = loop.now.advanced(by: limit + (patience(for: [end], senses) ?? .zero))
    let watcher = watcher(forbidding: pattern, before: .distantFuture, senses) { words.match($0.event, end) }
    let isCertain = patience(for: [end], senses) != nil
    let sentence = "\(end.declaration.name), which should end the ban on \(pattern.declaration.name), was not seen"
    await wait(for: watcher, until: deadline, .deadline) {
      $0.expire(isCertain ? .violated(sentence) : .unobservable(sentence))
    }
    return outcome(of: watcher)
  }

  /// A watcher of a ban from now on, which stays until the end of the scenario.
  func watcher(
    forbidding pattern: EventPattern, before end: Instant, _ senses: BenchSenses,
    ends: ((SensedEvent) -> Bool)? = nil
  ) -> SensedWatcher {
    let words = words
    let claim = SensedClaim(
      .never(since: loop.now, end: end), of: "\(pattern.declaration.name), which must not happen,",
      patience: senses.patience(for: pattern), watchedBy: senses.sensors(for: pattern), lateness: lateness)
    let watcher = SensedWatcher(claim, ends: ends) { words.match($0.event, pattern) }
    assertions.add(watcher)
    return watcher
  }

  /// What a watcher's outcome makes of a step, which then tells who saw it.
  func outcome(of watcher: SensedWatcher) -> StepOutcome {
    switch watcher.outcome {
    case .holds(let sensors):
      seenBy = sensors.map(\.name)
      return .passed
    case .violated(let reason): return .failed(reason, .pair)
    case .unobservable(let reason): return .unobservable(reason)
    case .pending: return .failed("interrupted", .pair)
    }
  }

  /// Corrects a verdict by what the sensors saw: bans that held so far are watched until they have held for certain, and
  /// a step that began with a recorder that had switched itself off, in a scenario that keeps it awake, shows nothing.
  func judge(_ scenario: Scenario, seenBy senses: BenchSenses, _ performance: inout Performance) async {
    let failed = performance.steps.first { $0.outcome.isTrouble }
    switch performance.verdict {
    case .passed:
      if let last = assertions.lastInstantOfBans, last > loop.now, assertions.doubt == nil {
        _ = await waits.pass(loop.now.duration(to: last), on: loop)
      }
      switch assertions.doubt {
      case .violated(let reason)?:
        performance.verdict = .failed(DeviceFailure(judges: .pair, reason: reason, instant: loop.now))
      case .unobservable(let reason)?:
        performance.verdict = .blocked(capability: "\(StepOutcome.unobservableWords): \(reason)")
      default: break
      }
    case .failed(let failure):
      guard scenario.expectsToStayAwake else { return }
      // A sensor tells a little later what happened before.
      _ = await waits.pass(Self.sensorLatency, on: loop)
      guard let off = senses.offSince, failed?.began ?? failure.instant >= off else { return }
      let lack = Lack.given(GivenDevice.declaration, field: GivenDevice.timeouts.declaration.name)
      performance.verdict = .blocked(capability: lack.description)
    default: break
    }
  }

  private static let sensorLatency = Duration.milliseconds(400)

  private func patience(for patterns: [EventPattern], _ senses: BenchSenses) -> Duration? {
    let times = patterns.map { senses.patience(for: $0) }
    return times.contains { $0 == nil } ? nil : times.compactMap { $0 }.max()
  }

  private func name(of patterns: [EventPattern]) -> String {
    patterns.map(\.declaration.name).joined(separator: " or ")
  }

  private func wait(
    for watcher: SensedWatcher, until end: Instant, _ urgency: Urgency, _ conclude: @escaping (SensedWatcher) -> Void
  ) async {
    let timer = loop.schedule(at: end, urgency) { conclude(watcher) }
    let _: Result<SensedClaim.Outcome, WaitEnd> = await waits.value { resume in watcher.onDecided = resume }
    watcher.onDecided = nil
    loop.cancel(timer)
  }
}

extension Stage {
  /// Begins a look at a real recorder. It takes no time in a simulated world, in which scenarios are written, so the limit of
  /// the running step does not count it.
  func beginLook() {
    if let deadline { loop.cancel(deadline) }
    isLooking = true
    deadline = loop.schedule(after: Self.lookLimit, .deadline) { [waits] in waits.endAll(.deadline) }
  }

  /// A full flash whose records are all fetched once more, a second for each, takes half of this.
  private static let lookLimit = Duration.seconds(600)

  /// Presses the button of a real recorder for a time that an instrument measures.
  func press(_ device: ActuatedDevice, for time: Duration) async throws(ControlFailure) {
    observer?.buttonChanged(of: device.name, isDown: true, at: loop.now)
    defer { observer?.buttonChanged(of: device.name, isDown: false, at: loop.now) }
    try await device.press(for: time)
  }
}

extension Scenario {
  /// Whether its recorders must not switch themselves off, and no step looks whether they do.
  fileprivate var expectsToStayAwake: Bool {
    let steps = Step.flat(steps + always)
    return given.sections(of: GivenDevice.declaration).allSatisfy { $0.arguments[GivenDevice.timeouts] == .never }
      && !steps.flatMap(\.patterns).contains { $0.declaration.sensedKind == .power }
  }
}
