import DictofunProtocol
import Timeline
import Verdicts

/// DEV-1: a press of the button is recorded within 0.4 s.
///
/// A record tells by its length when its first sample was taken: it ends when the button comes up. Records that end for
/// another reason are judged by their beginning alone.
///
/// An image that switched its recorder off on a held rail hears no press until its chip is reset, as in the field, where it
/// would have no power. That it runs again shows when it advertises or records.
struct RecordingStarts: Monitor {
  /// How long the recorder may take.
  static let patience: Duration = .milliseconds(400)
  /// A shorter press may be overlooked.
  static let shortestPress: Duration = .milliseconds(100)
  /// A press so soon after the button came up may be taken for a contact that bounces.
  static let bouncing: Duration = .milliseconds(20)
  /// The state machine looks at the button and ends a record at its next frame.
  static let granularity: Duration = .milliseconds(30)

  private struct Device: NumberedState {
    var index: UInt16
    var isOn = false
    var isInBootloader = false
    /// Whether its image switched it off and has not started again.
    var isGone = false
    /// Whether its memory was full in this power session.
    var isFull = false
    var state = ""
    var pressed: Instant?
    var released: Instant?
    /// When the record that is awaited must have begun.
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-1", "the first sample is recorded within 0.4 s after the button was pressed", judges: .recorder,
    needsWorld: "the button")
  let interests: EventKinds = [.advertising, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .advertisingStarted = event.happening, event.source.part == .recorder {
      comesBack(position(event.source.index))
    }
    guard case .oracle(let oracle) = event.happening, case .recorder(let index) = oracle.party else { return .pending }
    let position = position(index)
    switch oracle {
    case .buttonPressed: pressed(position, at: event.instant)
    case .buttonReleased:
      let wasShort = devices[position].pressed.map { $0.duration(to: event.instant) < Self.shortestPress } ?? false
      if wasShort { devices[position].deadline = nil }
      devices[position].released = event.instant
    case .recordBegun:
      comesBack(position)
      guard devices[position].deadline != nil else { return .pending }
      devices[position].deadline = nil
      return .met
    case .recordFinished(_, _, let octets): return finished(position, octets: octets)
    case .recorderState(_, let name):
      devices[position].state = name
      if name == "SHUTDOWN" { goesOff(position, at: event.instant) }
    case .execution(.switchedOff):
      goesOff(position, at: event.instant)
      devices[position].isGone = true
    case .execution(.began): comesBack(position)
    case .recorderCannotServe:
      devices[position].isFull = true
      devices[position].deadline = nil
    case .recorderPowered(_, let isOn):
      devices[position].isOn = isOn
      comesBack(position)
      devices[position].isFull = false
      devices[position].state = ""
      if !isOn {
        devices[position].deadline = nil
        devices[position].pressed = nil
      }
    case .update(.bootloaderStarted):
      // A record that it cuts off is lost, and another one may begin while the button is still down.
      devices[position].isInBootloader = true
      devices[position].deadline = nil
      devices[position].pressed = nil
    case .update(.firmwareStarted): devices[position].isInBootloader = false
    default: break
    }
    return .pending
  }

  private mutating func pressed(_ position: Int, at instant: Instant) {
    let device = devices[position]
    devices[position].pressed = nil
    devices[position].released = nil
    if let released = device.released, released.duration(to: instant) < Self.bouncing { return }
    let listens = !device.isOn || ["", "INIT", "RECORD_END", "BLE_OPERATION"].contains(device.state)
    guard listens, !device.isInBootloader, !device.isFull, !device.isGone else { return }
    preconditionCount += 1
    devices[position].pressed = instant
    devices[position].deadline = instant.advanced(by: Self.patience)
  }

  /// A recorder that decided to go off before it looked at its button.
  private mutating func goesOff(_ position: Int, at instant: Instant) {
    guard let pressed = devices[position].pressed, pressed.duration(to: instant) < Self.granularity else { return }
    devices[position].deadline = nil
    devices[position].pressed = nil
  }

  /// Its image runs again, and looks at its button.
  private mutating func comesBack(_ position: Int) { devices[position].isGone = false }

  private func finished(_ position: Int, octets: UInt32) -> Observation {
    guard let pressed = devices[position].pressed, let released = devices[position].released else { return .pending }
    let frames = Int64(octets) / Int64(RecordAudio.octetsPerFrame)
    let length = Duration.microseconds(
      frames * Int64(RecordAudio.samplesPerFrame) * 1_000_000 / Int64(RecordAudio.sampleRate))
    let held = pressed.duration(to: released)
    // A crystal may be 1 % off.
    let missing = held - length - held / 100
    guard missing > Self.patience + Self.granularity else { return .met }
    return .violated(
      "recorder \(devices[position].index) recorded \(length.wholeNanoseconds / 1_000_000) ms of a press of "
        + "\(held.wholeNanoseconds / 1_000_000) ms")
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    return .violated("recorder \(devices[due].index) began no record within 0.4 s after its button was pressed")
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }
}
