import Bytes
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
/// the recorder drains what the machine wants done, then lets host stack and machine answer each other until both have
/// nothing more to say.
public protocol RecorderApplicationMachine: Sendable {
  /// Whether the chip has power. While it has none, the recorder hears nothing from its controller.
  var isOn: Bool { get }

  /// Takes what a person, a bench or a scenario does to the recorder.
  mutating func take(_ control: RecorderControl, at instant: Instant)

  /// Takes what the host stack reports.
  mutating func take(_ event: HostEvent, at instant: Instant)

  /// A timer of this kind, armed by ``arm(_:at:)``, ran out.
  mutating func timerFired(_ kind: UInt8, at instant: Instant)

  /// Goes on when the host stack has nothing more to say; returns whether anything happened. Called again until it
  /// returns `false`.
  mutating func settle(at instant: Instant) -> Bool

  /// Moves what is to be asked of the host stack, and what happened, into `output`.
  mutating func drain(_ output: inout RecorderOutput)

  /// Appends the timers that changed since the last call, when everything is settled.
  mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant)

  /// What can be seen of the recorder from inside at this instant.
  func inspect(at instant: Instant) -> RecorderInspection

  /// What its clock shows; `nil` where nobody can know.
  func clock(at instant: Instant) -> CivilTime?

  /// What it keeps without power; `nil` where that cannot be stored.
  var memory: RecorderMemory? { get }

  /// Operations on its flashes since it was made; power can fail at each of them.
  var flashOperationCount: Int { get }
}

extension RecorderApplicationMachine {
  /// Does nothing, for a program without timers.
  public mutating func timerFired(_ kind: UInt8, at instant: Instant) {}
  /// Returns `false`, for a program that does everything when it is told something.
  public mutating func settle(at instant: Instant) -> Bool { false }
  /// Arms nothing, for a program without timers.
  public mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {}
  /// Tells only whether the recorder has power.
  public func inspect(at instant: Instant) -> RecorderInspection { RecorderInspection(isOn: isOn) }
  /// `nil`, for a program without a clock.
  public func clock(at instant: Instant) -> CivilTime? { nil }
  /// `nil`, for a program whose memory cannot be stored.
  public var memory: RecorderMemory? { nil }
  /// 0, for a program without flash.
  public var flashOperationCount: Int { 0 }
}

/// What a machine behind the recorder's host stack wants done.
public struct RecorderOutput: Hashable, Sendable {
  /// Requests to the host stack, in order.
  public var requests: [HostRequest] = []
  /// What happened, in order; reported when everything is settled.
  public var events: [RecorderEvent] = []
  /// Whether power is gone or the chip reset: the host stack forgets its links and the controller must fall silent.
  /// Requests drained until then are forgotten with it.
  public var silencesController = false

  /// Nothing yet.
  public init() {}
}

/// A timer that a machine behind the recorder's host stack arms or cancels.
public struct RecorderTimer: Hashable, Sendable {
  /// Which of the machine's timers, 0 to 254; a timer of the same kind is replaced.
  public var kind: UInt8
  /// When it runs out; at once where that has passed, `nil` cancels it.
  public var due: Instant?

  /// A timer that runs out at `due`.
  public init(_ kind: UInt8, due: Instant?) {
    self.kind = kind
    self.due = due
  }
}

/// A recorder seen from inside. What the machine cannot tell is `nil`.
public struct RecorderInspection: Hashable, Sendable {
  /// Whether it has power.
  public var isOn: Bool
  /// Whether its bootloader runs, waiting for an update or putting one in place.
  public var isBootloaderRunning = false
  /// State of its state machine, in the firmware's words; the last one while it is off.
  public var stateName: String?
  /// Version of its application, as its bootloader knows it.
  public var firmwareVersion: UInt32?
  /// How its application behaves, from the next boot on where that was changed.
  public var profile: RecorderProfile?
  /// Its finished records, in the order they were made.
  public var records: [PlacedRecord]?
  /// What its file system says of itself.
  public var fileSystemStatus: FileSystemStatus?
  /// How many phones it is bonded with.
  public var bondCount: Int?
  /// Mean of the last measurements of its battery, in millivolts.
  public var batteryMillivolts: Int?
  /// The battery level it shows, in percent.
  public var batteryPercent: UInt8?
  /// What its LED shows; `nil` also while it is off.
  public var light: LightSignal?

  /// A recorder of which nothing else is known.
  public init(isOn: Bool) { self.isOn = isOn }
}
