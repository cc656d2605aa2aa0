import Bench
import Phone
import Recorder
import ScenarioLanguage
import Text
import Timeline
import Trace
import Verdicts
import World

/// Runs one scenario in a world of its own, on the calling thread: simulated in virtual time, or our phone before a real
/// recorder in real time.
public struct ScenarioRun {
  /// The scenario.
  public let scenario: Scenario
  /// The settings of the run.
  public let settings: RunSettings
  /// Finds the sounds that scenarios name.
  public let sounds: any SoundLibrary
  /// Finds the firmware that scenarios name.
  public let firmware: any FirmwareLibrary

  /// Steps of the conversation shown of a run that failed.
  private static let shownSteps = 10
  /// Virtual time that a scenario may take when it sets no limit of its own.
  private static let timeLimit = Duration.seconds(400 * 86_400)

  public init(
    _ scenario: Scenario, _ settings: RunSettings, sounds: any SoundLibrary, firmware: any FirmwareLibrary
  ) {
    self.scenario = scenario
    self.settings = settings.inOneWorld
    self.sounds = sounds
    self.firmware = firmware
  }

  /// Runs the scenario. `sinks` receive its trace, `observer` its steps and events.
  public func run(sinks: [any TraceSink] = [], observer: (any RunObserver)? = nil) -> ScenarioReport {
    let began = MachineClock.monotonicNanoseconds()
    if let capability = missingCapability { return report(of: .blocked(capability: capability)) }
    if let trouble = settings.benchTrouble ?? settings.hardware?.trouble {
      return report(of: .benchError(BenchTrouble(trouble)))
    }
    let isOnBench = settings.isOnBench
    let loop = EventLoop(driver: isOnBench ? .wall : .virtual, seed: settings.seed(of: scenario))
    defer { loop.discardEvents() }
    let trace = TraceRecorder()
    for sink in sinks { trace.add(sink) }
    let world = settings.world(on: loop, trace, for: scenario)
    var performance = Performance()
    var opened: StageSet?
    do {
      performance = try play(on: loop, world, observer, &opened)
    } catch ControlFailure.bench(let fault) {
      performance.verdict = .benchError(BenchTrouble(fault.description))
    } catch ControlFailure.lacking(let capability) {
      performance.verdict = .blocked(capability: capability)
    } catch let failure as Rehearsal.Failure {
      for execution in failure.told { world.state(.execution(execution)) }
      // What its program did wrong counts against the recorder, and explains why there is no bond.
      let violation = world.monitors.firstViolation
      if violation == nil, failure.wasInterrupted { return leftReport }
      performance.verdict = violation.map { .failed(DeviceFailure($0)) } ?? .blocked(capability: failure.lack)
    } catch {
      performance.verdict = .harnessError(HarnessTrouble("\(error)"))
    }
    if isOnBench, let trouble = world.controllerTrouble {
      // Whatever the steps made of it, nothing was learned about the other side.
      performance.verdict = .benchError(BenchTrouble(trouble))
    }
    let findings = world.finish()
    var verdict = performance.verdict
    if let violation = world.monitors.firstViolation { verdict = verdict.attributed(to: violation, findings) }
    if !isOnBench, let trouble = world.controllerTrouble {
      verdict = .harnessError(HarnessTrouble("in a simulated world, \(trouble)"))
    }
    if let stopped = world.stoppedSince {
      verdict = verdict.whenExecuted(until: stopped, world.monitors.firstViolation)
    }
    if let slept = world.sleptSince { verdict = verdict.whenAwake(until: slept, findings) }
    if let refused = world.refusedTransition {
      verdict = .harnessError(HarnessTrouble("a machine of ours left its state chart: \(refused)"))
    }
    if settings.application != nil { verdict = verdict.aboutApplication }
    let ended = loop.now
    // Nothing of this is the scenario's any more: nobody judges it.
    let leftover = opened?.restore(on: loop)
    var report = report(
      verdict, performance.steps, findings, trace, virtual: ended,
      wall: .nanoseconds(Int64(MachineClock.monotonicNanoseconds() - began)))
    if verdict != .passed {
      let conversation = performance.broken?.conversation ?? world.conversation
      report.lastEvents = conversation.ladder(Self.shownSteps, until: verdict.failure?.instant)
      report.account = account(of: verdict, performance, world, findings, at: ended)
    }
    report.leftover = leftover
    report.isImprovised = world.isImprovised
    report.notModelled = world.notModelled
    report.chartLogs = world.chartLogs
    report.figures = world.figures
    report.charge = world.charge
    report.prompts = performance.prompts
    report.verdict = settings.known.verdict(of: report)
    report.attempts = [report.verdict]
    return report
  }

  /// Why the scenario did not pass; `nil` where the steps know nothing of it.
  private func account(
    of verdict: Verdict, _ performance: Performance, _ world: BluetoothWorld, _ findings: [MonitorFinding],
    at end: Instant
  ) -> FailureAccount? {
    let words = AccountWords(scenario: scenario, sources: settings.sources)
    var account: FailureAccount?
    if let broken = performance.broken { account = words.account(of: broken) }
    if let failure = verdict.failure, failure.place == nil || account == nil {
      account = words.account(of: failure, after: performance.broken, findings)
    }
    let conversation = performance.broken?.conversation ?? world.conversation
    account?.open = conversation.openObligations(at: performance.broken?.instant ?? end)
    return account
  }

  private func play(
    on loop: EventLoop, _ world: BluetoothWorld, _ observer: (any RunObserver)?, _ opened: inout StageSet?
  ) throws -> Performance {
    // Stage and world share one thread, this one, from here to the end of the run: the loop's executor sees to it.
    let builder = SetBuilder(
      scenario: scenario, settings: settings, world: world, sounds: sounds, firmware: firmware, observer: observer)
    nonisolated(unsafe) let set = try settings.isOnBench ? openedSet(by: builder, on: loop) : builder.build()
    if settings.hardware != nil { opened = set }
    let stage = Stage(loop: loop, set)
    let scenario = scenario
    guard settings.isOnBench else {
      loop.schedule(after: scenario.timeout ?? Self.timeLimit, .deadline) { [waits = world.waits] in
        waits.timeOut()
      }
      return try loop.run(afterEvery: lookPace, { interruptIfAsked(world.waits) }) { await stage.perform(scenario) }
    }
    defer { set.giveControllersBack() }
    let target = settings.hardware
    var performance = try settings.interruption.heard(by: { loop.post { stage.assumeIsolated { $0.interrupt() } } }) {
      try loop.run { await stage.performOnBench(scenario, target) }
    }
    performance.prompts = set.prompts
    return performance
  }

  /// Events of a simulated world between two looks whether the run was interrupted. An event of an image may take long.
  private var lookPace: UInt64 { settings.program.isModelled ? 4_096 : 1 }

  /// Ends everything in a simulated world when the run was interrupted: nothing of such a world has to be put in order.
  private func interruptIfAsked(_ waits: Waits) {
    if !waits.isInterrupted, settings.interruption.isRequested { waits.close() }
  }

  /// Opens what stands on the bench, which may take its time.
  private func openedSet(by builder: SetBuilder, on loop: EventLoop) throws -> StageSet {
    try settings.interruption.heard(by: { loop.requestStop() }) {
      do {
        if let target = settings.hardware { return try builder.build(target) }
        if let target = settings.application { return try builder.build(target) }
        return try builder.build()
      } catch {
        throw settings.interruption.isRequested ? ControlFailure.bench("interrupted while the bench was opened") : error
      }
    }
  }

  private var missingCapability: String? {
    if let target = settings.hardware { return BenchOutlook(scenario, on: target).missingCapability }
    if let target = settings.application { return ApplicationOutlook(scenario, on: target).missingCapability }
    return ProgramOutlook(scenario, running: settings.program).lackOfScreen?.description
  }

  /// The report of a scenario before which the run was interrupted.
  private var leftReport: ScenarioReport {
    var report = report(of: .benchError(BenchTrouble("interrupted before the scenario began")))
    report.neverBegan = true
    return report
  }

  /// The report of a scenario that was not begun.
  private func report(of verdict: Verdict) -> ScenarioReport {
    ScenarioReport(
      id: scenario.id, title: scenario.title, file: scenario.location.file, line: scenario.location.line,
      cell: scenario.cell.description, tags: scenario.tags, requirements: scenario.requirements,
      verdict: verdict, replay: replay)
  }

  private func report(
    _ verdict: Verdict, _ steps: [StepReport], _ findings: [MonitorFinding], _ trace: TraceRecorder,
    virtual: Instant, wall: Duration
  ) -> ScenarioReport {
    // How far an interrupted simulation came depends on the machine, so that its hash cannot be compared.
    let isCutShort = !settings.isOnBench && verdict.kind == .benchError && settings.interruption.isRequested
    var report = ScenarioReport(
      id: scenario.id, title: scenario.title, file: scenario.location.file, line: scenario.location.line,
      cell: scenario.cell.description, tags: scenario.tags, requirements: scenario.requirements, verdict: verdict,
      virtualDuration: Instant.zero.duration(to: virtual), wallDuration: wall,
      traceHash: isCutShort ? nil : trace.hash,
      replay: replay, steps: steps, findings: findings,
      lastEvents: [])
    report.repetition = settings.repetition
    return report
  }

  /// The command that runs it again: to the same bytes, or before the same bench.
  private var replay: String {
    var words = ["dictobench run", scenario.location.file]
    words += settings.benchOptions
    words.append("--seed \(settings.seed)")
    if settings.profile != .reference { words.append("--profile \(settings.profile.name)") }
    if settings.phone != .reference { words.append("--phone \(settings.phone.rawValue)") }
    words += settings.faults.map { "--fault \($0.text)" }
    if let file = settings.known.file { words.append("--known \(ShellWord.quoted(file))") }
    if settings.isUncovered { words.append("--capture full") }
    // The last repetition of that run is this one; a retry comes after attempts that do not pass there either.
    let turn = AttemptNumber.turn(of: settings.repetition)
    let retry = AttemptNumber.retry(of: settings.repetition)
    if turn > 0 { words.append("--repeat \(turn + 1)") }
    if retry > 0 { words.append("--retries \(retry)") }
    words.append("--name '\(scenario.name)'")
    return words.joined(separator: " ")
  }
}

extension Rehearsal.Failure {
  /// What the target lacks thereby, with the reasons.
  fileprivate var lack: String {
    let words =
      switch cause {
      case let failure as PhoneFailure: "\(VerbFailure(failure))"
      case ControlFailure.lacking(let what): "the target lacks \(what)"
      case ControlFailure.ended(.timeout): "it took longer than \(DurationText.text(Rehearsal.limit))"
      case ControlFailure.ended(let end): end.sentence
      default: "\(cause)"
      }
    return "actuators: bonds (pairing before the scenario failed: \(([words] + reasons).joined(separator: "; ")))"
  }
}

extension RunSettings {
  /// A world without devices, whose steps end when nothing can happen any more.
  func world(on loop: EventLoop, _ trace: TraceRecorder, for scenario: Scenario) -> BluetoothWorld {
    let monitors = monitors(for: scenario)
    let world = BluetoothWorld(
      loop: loop, trace: trace, isUncovered: isUncovered, seenFrom: application == nil ? .phone : .recorder,
      watchedBy: monitors)
    if let weakened = generated?.weakening { world.arm(monitors, weakened: weakened) }
    let waits = world.waits
    loop.onStarvation = {
      if waits.isEmpty { return false }
      waits.endAll(.starved)
      return true
    }
    if isOnBench { world.onControllerTrouble = { waits.breakOff() } }
    return world
  }
}

extension Verdict {
  /// The verdict when a recorder that the scenario keeps awake fell asleep: a step that failed afterwards says nothing about
  /// it. What its chip did wrong counts, and so does what a monitor saw, such as that it fell asleep too early; what was
  /// seen before is not hidden by what came later.
  fileprivate func whenAwake(until slept: Instant, _ findings: [MonitorFinding]) -> Verdict {
    guard case .failed(let failure) = self, failure.instant >= slept,
      !failure.violated.contains(where: RequirementReference.isOfImage)
    else { return self }
    let violations = findings.violationsInOrder.filter { $0.instant <= failure.instant }
    let later = violations.filter { $0.instant >= slept }
    if later.contains(where: { failure.violated.contains($0.requirement) }) { return self }
    if let first = later.first ?? violations.first { return .failed(DeviceFailure(first)) }
    let lack = Lack.given(GivenDevice.declaration, field: GivenDevice.timeouts.declaration.name)
    return .blocked(capability: lack.description)
  }

  /// The verdict when a recorder's program was executed for only a part of the scenario: what happened before counts. A
  /// recorder that stands still behind its controller makes trouble there, which tells nothing.
  fileprivate func whenExecuted(until stopped: Instant, _ violation: MonitorViolation?) -> Verdict {
    switch self {
    case .failed(let failure) where failure.instant < stopped: return self
    case .passed, .failed, .harnessError:
      if let violation, violation.instant < stopped { return .failed(DeviceFailure(violation)) }
      return .blocked(capability: Lack.processorTime.description)
    default: return self
    }
  }

  /// The verdict after a monitor's finding: a scenario that passed its steps failed, and a failure that names nothing is
  /// explained by a violation before it. What a chip did wrong inside explains no step: the conversation went on as before.
  func attributed(to violation: MonitorViolation, _ findings: [MonitorFinding]) -> Verdict {
    switch self {
    case .passed: return .failed(DeviceFailure(violation))
    case .failed(var failure) where failure.violated.isEmpty:
      let causes = [violation] + findings.violationsInOrder
      guard let cause = causes.first(where: { !RequirementReference.isOfImage($0.requirement) }),
        cause.instant <= failure.instant
      else { return self }
      failure.violated = [cause.requirement]
      failure.judges = cause.judges
      return .failed(failure)
    default: return self
    }
  }

  /// The verdict when an application is under test: a failure of our own recorder is a harness error.
  fileprivate var aboutApplication: Verdict {
    guard case .failed(let failure) = self, failure.judges == .recorder else { return self }
    return .harnessError(
      HarnessTrouble("our own simulated recorder failed, not the application under test: \(failure.reason)"))
  }
}

extension [MonitorFinding] {
  /// The violations of all of them, the earliest first.
  fileprivate var violationsInOrder: [MonitorViolation] {
    flatMap(\.violations).sorted { $0.instant < $1.instant }
  }
}

extension StageSet {
  /// Leaves real recorders as they were found, with a good battery, and gives their instruments back; what could not be
  /// done of that.
  func restore(on loop: EventLoop) -> String? {
    let waits = waits
    nonisolated(unsafe) let devices = devices.compactMap { $0 as? ActuatedDevice }
    defer { for device in devices { device.close() } }
    _ = waits.beginCleanUp()
    let limit = loop.schedule(after: Self.restoreLimit, .deadline) { waits.close() }
    defer { loop.cancel(limit) }
    let millivolts = Arguments().batteryMillivolts
    let troubles = try? loop.run {
      var troubles: [String] = []
      for device in devices { troubles += await device.restore(batteryMillivolts: millivolts) }
      return troubles
    }
    guard let troubles, !troubles.isEmpty else { return nil }
    return "the bench could not be restored: " + troubles.joined(separator: "; ")
  }

  /// How long that may take.
  private static let restoreLimit = Duration.seconds(10)
}
