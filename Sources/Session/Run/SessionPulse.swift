import Dispatch
import Ledger
import Runner
import Requirements
import Synchronization
import Timeline
import Verdicts

/// Writes how long a run keeps a bench session busy: at least every five seconds while it is under way, and when it ends.
final class SessionPulse: Sendable {
  /// The time between two beats; what a beat takes to be written fits into the rest of
  /// ``BenchSession/longestBeat``.
  static let interval = DispatchTimeInterval.seconds(4)

  private let meter: Mutex<BusyMeter>
  /// The number of the last beat; `nil` after the last one of the run.
  private let number = Mutex<Int64?>(0)
  private let attempts = Atomic<Int>(0)
  private let stream: String
  private let write: @Sendable (SessionBeat, _ isLast: Bool) -> Void

  /// A pulse of a run that begins now. `write` writes a beat.
  init(_ stream: String, isReal: Bool, write: @escaping @Sendable (SessionBeat, _ isLast: Bool) -> Void) {
    self.stream = stream
    self.write = write
    meter = Mutex(BusyMeter(at: MachineClock.monotonicNanoseconds(), isReal: isReal))
  }

  /// Begins to beat. The pulse beats as long as the result is not cancelled.
  func start(every interval: DispatchTimeInterval = SessionPulse.interval) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "session pulse"))
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler { [self] in beat(isLast: false) }
    timer.resume()
    return timer
  }

  /// Writes how far the run is. Nothing is written after the last beat.
  func beat(isLast: Bool) {
    number.withLock { number in
      guard let last = number else { return }
      let beat = meter.withLock { $0.beat(last + 1, of: stream, at: MachineClock.monotonicNanoseconds()) }
      number = isLast ? nil : last + 1
      write(beat, isLast)
    }
  }

  /// Performs a scenario, which counts.
  func during<Value>(_ scenario: () -> Value) -> Value {
    meter.withLock { $0.scenarioBegan(at: MachineClock.monotonicNanoseconds()) }
    defer { meter.withLock { $0.scenarioEnded(at: MachineClock.monotonicNanoseconds()) } }
    return scenario()
  }

  /// Who notices the recordings of one attempt.
  func observer() -> RecordingObserver {
    RecordingObserver(self, attempt: attempts.add(1, ordering: .relaxed).newValue)
  }

  fileprivate func measure(_ change: (inout BusyMeter) -> Void) { meter.withLock { change(&$0) } }
}

/// Notices when the buttons of an attempt's recorders are held.
final class RecordingObserver: RunObserver {
  private let pulse: SessionPulse
  private let attempt: Int

  init(_ pulse: SessionPulse, attempt: Int) {
    self.pulse = pulse
    self.attempt = attempt
  }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}
  func observed(_ event: ProductEvent) {}

  func buttonChanged(of device: String, isDown: Bool, at instant: Instant) {
    let now = MachineClock.monotonicNanoseconds()
    pulse.measure { meter in
      if isDown {
        meter.pressed(device, in: attempt, at: instant, now)
      } else {
        meter.released(device, in: attempt, at: instant)
      }
    }
  }

  /// The attempt ended.
  func ended(_ report: ScenarioReport) {
    pulse.measure { $0.attemptEnded(attempt, at: .zero.advanced(by: report.virtualDuration)) }
  }
}
