import Timeline
import Verdicts

/// Watches every executed image for one kind of defect; it holds where a whole run showed none.
///
/// What it finds does not end a scenario's steps: the conversation may be right all the same, and says more.
protocol ExecutionMonitor: Monitor {
  /// What was seen so far.
  var watch: ExecutionWatch { get set }
}

extension ExecutionMonitor {
  var interests: EventKinds { [.oracle] }
  var endsSteps: Bool { false }
  var preconditionCount: Int { watch.imageCount }
  mutating func observe(_ event: ProductEvent) -> Observation { watch.observe(event) }
  mutating func finish(at instant: Instant) -> Observation { watch.finish() }
}

/// What such a monitor has seen.
struct ExecutionWatch {
  private let defect: ExecutionDefect
  private(set) var imageCount = 0
  private var isViolated = false

  init(_ defect: ExecutionDefect) { self.defect = defect }

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(.execution(let execution)) = event.happening else { return .pending }
    switch execution {
    case .began: imageCount += 1
    case .defect(let recorder, defect, let text):
      isViolated = true
      return .violated("recorder \(recorder): \(text)")
    case .switchedOff, .defect, .notModelled, .console: break
    }
    return .pending
  }

  func finish() -> Observation { imageCount > 0 && !isViolated ? .met : .pending }

  /// How such a monitor declares itself.
  static func declaration(_ requirement: String, _ sentence: String) -> MonitorDeclaration {
    MonitorDeclaration(
      requirement, sentence, judges: .recorder, needsWorld: "a chip that executes the firmware's image")
  }
}

/// IMG-1.
struct AccessesOnlyWhatIsThere: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-1", "no access to memory or registers that do not exist, may not be written, or are not aligned")
  var watch = ExecutionWatch(.access)

  init() {}
}

/// IMG-2.
struct ExecutesOnlyCode: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-2", "nothing but code is executed")
  var watch = ExecutionWatch(.wildExecution)

  init() {}
}

/// IMG-3.
struct StaysInItsStacks: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-3", "no stack is used up to its last word, or beyond")
  var watch = ExecutionWatch(.stackOverrun)

  init() {}
}

/// IMG-4.
struct IsNeverResetByDefect: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-4", "no watchdog, failed assertion or fault during a fault resets the chip")
  var watch = ExecutionWatch(.reset)

  init() {}
}

/// IMG-5.
struct IsNeverStuck: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-5", "the program never loops forever")
  var watch = ExecutionWatch(.stuck)

  init() {}
}

/// IMG-6.
struct ReadsOnlyWhatWasWritten: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-6", "no RAM is read before it is written, in the first 2 s after power on")
  var watch = ExecutionWatch(.unwrittenRead)

  init() {}
}

/// IMG-7.
struct CallsTheSoftDeviceRightly: Monitor, ExecutionMonitor {
  let declaration = ExecutionWatch.declaration(
    "IMG-7", "every call of the SoftDevice is one it knows, with pointers to memory, and its events are fetched")
  var watch = ExecutionWatch(.badCall)

  init() {}
}
