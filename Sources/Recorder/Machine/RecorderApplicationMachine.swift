import Bytes
import Charts
import DictofunProtocol
import HostStack
import Timeline

/// What runs on a recorder's chip above the Bluetooth host stack: the second door of the simulated recorder.
///
/// ``ModelledRecorder`` is one, the model of the published firmware with its bootloader. An image that is executed
/// instruction by instruction is another, and so is a test's program of ten lines. ``SimulatedRecorder`` knows this
/// protocol only: it owns the host stack, hands every event up and takes every request down.
///
/// A machine is a value: no I/O, no clock, no chance. Everything it is told comes with its instant. After each call
/// the recorder drains what the machine wants done, then lets host stack and machine answer each other until both are
/// idle.
package protocol RecorderApplicationMachine: Sendable {
  /// Whether the chip has power. While it has none, the recorder hears nothing from its controller.
  var isOn: Bool { get }

  /// Takes what a person, a bench or a scenario does to the recorder.
  mutating func take(_ control: RecorderControl, at instant: Instant)

  /// Takes what the host stack reports.
  mutating func take(_ event: HostEvent, at instant: Instant)

  /// A timer of this kind, armed by ``arm(_:at:)``, ran out.
  mutating func timerFired(_ kind: UInt8, at instant: Instant)

  /// Continues when the host stack is idle. Returns whether anything happened; it is called again until it returns
  /// `false`.
  mutating func settle(at instant: Instant) -> Bool

  /// Moves what is to be asked of the host stack, and what happened, into `output`.
  mutating func drain(_ output: inout RecorderOutput)

  /// Appends the timers that changed since the last call, when everything is settled.
  mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant)

  /// What can be seen of the recorder from inside at this instant.
  func inspect(at instant: Instant) -> RecorderInspection

  /// What its clock shows; `nil` where the program cannot tell.
  func clock(at instant: Instant) -> CivilTime?

  /// What it keeps without power; `nil` where that cannot be stored.
  var memory: RecorderMemory? { get }

  /// Everything in its chip's flash, where the program that it executes keeps its bonds itself; `nil` for a model.
  var chipFlash: [UInt8]? { get }

  /// Operations on its flashes since it was made; power can fail at each of them.
  var flashOperationCount: Int { get }

  /// What its parts did while it had power, since it was made; `nil` for a model, whose processor executes nothing.
  func use(at instant: Instant) -> RecorderUse?

  /// What it did on its state charts since it was made.
  var chartLogs: [ChartLog] { get }
}

extension RecorderApplicationMachine {
  /// Does nothing, for a program without timers.
  package mutating func timerFired(_ kind: UInt8, at instant: Instant) {}
  /// Returns `false`, for a program that does everything when it is told something.
  package mutating func settle(at instant: Instant) -> Bool { false }
  /// Arms nothing, for a program without timers.
  package mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {}
  /// Tells only whether the recorder has power.
  package func inspect(at instant: Instant) -> RecorderInspection { RecorderInspection(isOn: isOn) }
  /// `nil`, for a program that keeps nothing in its chip's flash.
  package var chipFlash: [UInt8]? { nil }
  /// `nil`, for a program without a clock.
  package func clock(at instant: Instant) -> CivilTime? { nil }
  /// `nil`, for a program whose memory cannot be stored.
  package var memory: RecorderMemory? { nil }
  /// `nil`, for a program that is not executed.
  package func use(at instant: Instant) -> RecorderUse? { nil }
  /// Empty, for a program that runs no chart.
  package var chartLogs: [ChartLog] { [] }
  /// 0, for a program without flash.
  package var flashOperationCount: Int { 0 }
}

/// What a machine behind the recorder's host stack wants done.
package struct RecorderOutput: Hashable, Sendable {
  /// Requests to the host stack, in order.
  package var requests: [HostRequest] = []
  /// What happened, in order; reported when everything is settled.
  package var events: [RecorderEvent] = []
  /// Whether power is gone or the chip reset: the host stack forgets its links and the controller must fall silent.
  /// Requests drained until then are forgotten with it.
  package var silencesController = false

  /// Nothing yet.
  package init() {}
}

/// A timer that a machine behind the recorder's host stack arms or cancels.
package struct RecorderTimer: Hashable, Sendable {
  /// Which of the machine's timers, 0 to 254; a timer of the same kind is replaced.
  package var kind: UInt8
  /// When it runs out; at once where that has passed, `nil` cancels it.
  package var due: Instant?

  /// A timer that runs out at `due`.
  package init(_ kind: UInt8, due: Instant?) {
    self.kind = kind
    self.due = due
  }
}

/// A recorder seen from inside. What the machine cannot tell is `nil`.
package struct RecorderInspection: Hashable, Sendable {
  /// Whether it has power.
  package var isOn: Bool
  /// Whether its bootloader runs, waiting for an update or putting one in place.
  package var isBootloaderRunning = false
  /// State of its state machine, in the firmware's words; the last one while it is off.
  package var stateName: String?
  /// Version of its application, as its bootloader knows it.
  package var firmwareVersion: UInt32?
  /// How its application behaves, from the next boot on where that was changed.
  package var profile: RecorderProfile?
  /// Its finished records, in the order they were made.
  package var records: [PlacedRecord]?
  /// What its file system says of itself.
  package var fileSystemStatus: FileSystemStatus?
  /// How many phones it is bonded with.
  package var bondCount: Int?
  /// Mean of the last measurements of its battery, in millivolts.
  package var batteryMillivolts: Int?
  /// The battery level it shows, in percent.
  package var batteryPercent: UInt8?
  /// What its LED shows; `nil` also while it is off.
  package var light: LightSignal?

  /// An inspection that knows only whether the recorder has power.
  package init(isOn: Bool) { self.isOn = isOn }
}
