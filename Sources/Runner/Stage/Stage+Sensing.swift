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
    if watcher.outcome == .pending {
      await wait(for: watcher, until: watcher.lastInstant, .deadline, by: senses, lookingAfter: deadline) {
        $0.conclude()
      }
    }
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
    await wait(for: watcher, until: end, .normal, by: senses) { $0.conclude() }
    return outcome(of: watcher)
  }

  /// Forbids an event until another one.
  func forbid(
    _ pattern: EventPattern, until end: EventPattern, within limit: Duration, by senses: BenchSenses
  ) async -> StepOutcome {
    let words = words
    let latest = loop.now.advanced(by: limit)
    let deadline = latest.advanced(by: patience(for: [end], senses) ?? .zero)
    let watcher = watcher(forbidding: pattern, before: .distantFuture, senses) { words.match($0.event, end) }
    let isCertain = patience(for: [end], senses) != nil
    let sentence = "\(end.declaration.name), which should end the ban on \(pattern.declaration.name), was not seen"
    await wait(for: watcher, until: deadline, .deadline, by: senses, lookingAfter: latest) {
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
    case .passed where !assertions.bans.isEmpty:
      let end = await watchBans(by: senses)
      if let trouble = benchTrouble() {
        performance.verdict = .benchError(BenchTrouble(trouble))
        return
      }
      switch assertions.doubt {
      case .violated(let reason)?:
        performance.verdict = .failed(DeviceFailure(judges: .pair, reason: reason, instant: loop.now))
      case .unobservable(let reason)?:
        performance.verdict = .blocked(capability: "\(StepOutcome.unobservableWords): \(reason)")
      default:
        guard let end else { return }
        let reason = "\(end.sentence) before the sensors could tell that nothing happened that must not"
        performance.verdict =
          end == .interrupted
          ? .benchError(BenchTrouble(reason)) : .blocked(capability: "\(StepOutcome.unobservableWords): \(reason)")
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

  /// Watches bans that held so far until they have held for certain, and tells what ended that before; `nil` for nothing.
  private func watchBans(by senses: BenchSenses) async -> WaitEnd? {
    guard let last = assertions.lastInstantOfBans, assertions.doubt == nil else { return nil }
    if last > loop.now, case .failure(let end) = await waits.pass(loop.now.duration(to: last), on: loop) { return end }
    return await awaitLooks(since: last, by: senses)
  }

  /// Waits until everything that is looked at was asked at or after an instant, and has answered, because the silence of an
  /// instrument that hangs proves nothing; one that never answers becomes the bench's trouble. What ended that before; `nil`
  /// for nothing.
  private func awaitLooks(since instant: Instant, by senses: BenchSenses) async -> WaitEnd? {
    while senses.trouble == nil, !senses.haveLooked(since: instant) {
      if case .failure(let end) = await waits.pass(Self.lookPace, on: loop) { return end }
    }
    return nil
  }

  /// Waits until the scanner listens, where there is one.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where its controller does not answer.
  func awaitScanner() async throws(ControlFailure) {
    while let senses, !senses.isListening {
      if let trouble = senses.trouble { throw .bench(BenchFault(trouble)) }
      try await rest(Self.lookPace)
    }
  }

  /// Time between two looks at what sensors have told.
  static let lookPace = Duration.milliseconds(20)

  private func patience(for patterns: [EventPattern], _ senses: BenchSenses) -> Duration? {
    let times = patterns.map { senses.patience(for: $0) }
    return times.contains { $0 == nil } ? nil : times.compactMap { $0 }.max()
  }

  private func name(of patterns: [EventPattern]) -> String {
    patterns.map(\.declaration.name).joined(separator: " or ")
  }

  /// Waits until a watcher is decided by what is seen, or until `end`, when `conclude` decides it; where its silence is to
  /// prove something up to an instant, `limit`, not before the sensors have looked then or later.
  private func wait(
    for watcher: SensedWatcher, until end: Instant, _ urgency: Urgency, by senses: BenchSenses,
    lookingAfter limit: Instant? = nil, _ conclude: (SensedWatcher) -> Void
  ) async {
    let timer = loop.schedule(at: end, urgency) { watcher.onDecided?(.pending) }
    let decided: Result<SensedClaim.Outcome, WaitEnd> = await waits.value { resume in watcher.onDecided = resume }
    watcher.onDecided = nil
    loop.cancel(timer)
    guard case .success = decided else { return }
    if let limit, watcher.outcome == .pending, await awaitLooks(since: limit, by: senses) != nil { return }
    if watcher.outcome == .pending { conclude(watcher) }
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
