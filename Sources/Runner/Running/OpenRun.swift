import Bench
import ScenarioLanguage
import Timeline
import Trace
import Verdicts
import World

/// A run whose steps come one after the other, and nobody knows the next: simulated in virtual time, which stands still
/// between the steps, or our phone before a real recorder.
///
/// A step that fails does not end the run, and neither does a violation; everything happens on the calling thread.
package final class OpenRun {
  /// What was there at the end.
  package struct End: Sendable {
    /// What the monitors found.
    package var findings: [MonitorFinding]
    /// The hash of the trace.
    package var hash: TraceHash
    /// The time of the run.
    package var duration: Duration
    /// What could not be put right on the bench; `nil` for nothing.
    package var leftover: String?
  }

  /// The time of the run. Between steps on a bench the caller runs its events, so that the link is kept.
  package let loop: EventLoop
  private let settings: RunSettings
  private let trace = TraceRecorder()
  private let world: BluetoothWorld
  private let stage: Stage
  private let set: StageSet

  /// Makes the world that the scenario's `given` describes; its steps are not performed. On a bench, controllers and
  /// instruments are opened. The trace goes to what `capture` begins, if anything.
  ///
  /// - Throws: ``ControlFailure`` where that cannot be done, and what `capture` throws.
  package init(
    _ scenario: Scenario, _ settings: RunSettings, sounds: any SoundLibrary, firmware: any FirmwareLibrary,
    capture: (EventLoop) throws -> (any TraceSink)?, observer: any RunObserver
  ) throws {
    let settings = settings.inOneWorld
    self.settings = settings
    loop = EventLoop(driver: settings.isOnBench ? .wall : .virtual, seed: settings.seed(of: scenario))
    if let sink = try capture(loop) { trace.add(sink) }
    world = settings.world(on: loop, trace, for: scenario)
    let builder = SetBuilder(
      scenario: scenario, settings: settings, world: world, sounds: sounds, firmware: firmware, observer: observer)
    var built = try settings.hardware.map { try builder.build($0) } ?? builder.build()
    // A violation is told when it is seen; it does not decide what later steps came to.
    built.firstViolation = { nil }
    set = built
    // Stage and world share the thread that performs the steps: the loop's executor sees to it.
    nonisolated(unsafe) let given = built
    stage = Stage(loop: loop, given)
  }

  /// Brings real recorders into the state that the scenario's `given` describes; a simulated world is in it.
  ///
  /// - Throws: ``ControlFailure`` where that cannot be done.
  package func establish(_ scenario: Scenario) throws {
    guard let target = settings.hardware else { return }
    let stage = stage
    try loop.run { try await stage.establish(scenario, on: target) }
  }

  /// Performs the steps of one line until one does not pass, or the interruption is requested.
  package func perform(_ steps: [Step], _ interruption: RunInterruption) throws -> [StepReport] {
    let (stage, waits) = (stage, world.waits)
    defer { if world.controllerTrouble == nil { waits.resume() } }
    let isOnBench = settings.isOnBench
    // A virtual loop has always something to do; one in real time has to be woken.
    let reports = try interruption.heard(by: { [loop] in if isOnBench { loop.post {} } }) {
      try loop.run(afterEvery: 1, { if !waits.isInterrupted, interruption.isRequested { waits.interrupt() } }) {
        await stage.perform(line: steps)
      }
    }
    world.beIdle(until: loop.now)
    return reports
  }

  /// What this target lacks for steps; `nil` for nothing.
  package func lack(for scenario: Scenario) -> String? {
    settings.hardware.flatMap { BenchOutlook(scenario, on: $0).missingCapability }
  }

  /// The violations that were not reported yet.
  package func takeViolations() -> [MonitorViolation] { world.takeViolations() }

  /// What the monitors would find if the run ended now.
  package var findings: [MonitorFinding] {
    var monitors = world.monitors
    return monitors.finish(at: loop.now)
  }

  /// Why nothing can be learned any more, because a controller failed; `nil` while all work.
  package var controllerTrouble: String? { world.controllerTrouble }

  /// Ends the run, and leaves a bench as it was found.
  package func finish() -> End {
    if settings.isOnBench { set.giveControllersBack() }
    let findings = world.finish()
    var end = End(
      findings: findings, hash: trace.hash, duration: Instant.zero.duration(to: loop.now), leftover: nil)
    if settings.hardware != nil { end.leftover = set.restore(on: loop) }
    loop.discardEvents()
    return end
  }
}

extension Stage {
  /// Performs the steps of one line, whatever became of those before.
  func perform(line steps: [Step]) async -> [StepReport] {
    var performance = Performance()
    await perform(steps, &performance)
    return performance.steps
  }
}
