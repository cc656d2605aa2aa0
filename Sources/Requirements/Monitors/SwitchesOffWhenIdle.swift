import Timeline
import Verdicts

/// DEV-9: a recorder that nobody uses switches itself off.
///
/// Use is its button, a record, a phone that comes or leaves, and whatever a phone says. How long exactly each rest is
/// documented to be is the matter of scenarios; this monitor takes the longest of them. A scenario may keep it awake. A
/// firmware that its bootloader starts begins as one that was switched on.
struct SwitchesOffWhenIdle: Monitor {
  /// Longer than the longest documented rest: 25,000 ticks of 1/1024 s after a record are 24.4 s.
  static let longestRest: Duration = .milliseconds(25_200)
  /// Longer than the documented longest time on without a phone, 480,000 ticks, on a slow crystal. It counts only after a
  /// record.
  static let longestSession: Duration = .seconds(478)
  /// How soon it looks at the time after it was busy.
  static let shortestLook: Duration = .seconds(2)

  private struct Device: SwitchedState {
    var index: UInt16
    var isOn = true
    var poweredOn: Instant
    var lastUse: Instant
    var links = 0
    var isPressed = false
    var hasRecorded = false
    /// Whether it looks for the time at all: not while it records, shows a message or updates.
    var isServing = false
    var isKeptAwake = false

    var deadline: Instant? {
      guard isOn, isServing, !isKeptAwake, !isPressed else { return nil }
      let rest = lastUse.advanced(by: SwitchesOffWhenIdle.longestRest)
      guard links == 0, hasRecorded else { return rest }
      let session = poweredOn.advanced(by: SwitchesOffWhenIdle.longestSession)
      return min(rest, max(session, lastUse.advanced(by: SwitchesOffWhenIdle.shortestLook)))
    }
  }

  let declaration = MonitorDeclaration(
    "DEV-9", "a recorder that nobody uses switches itself off", judges: .recorder, shows: ["idle"],
    needsWorld: "the recorder's state")
  let interests: EventKinds = [.links, .battery, .services, .fileTransfer, .fileData, .otherEnd, .oracle]
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()
  /// Where those stand that have a link.
  private var linked: [Int] = []

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening { return follow(oracle, at: event.instant) }
    guard event.source.part == .recorder else {
      // What a phone says may be for any recorder with a link.
      for position in linked { devices.postpone(position) { $0.lastUse = event.instant } }
      return .pending
    }
    guard let position = devices.placeOfRunning(event.source.index) else { return .pending }
    devices.postpone(position) { $0.lastUse = event.instant }
    switch event.happening {
    case .linkUp: setLinks(position, devices[position].links + 1)
    case .linkDown: setLinks(position, max(0, devices[position].links - 1))
    default: break
    }
    return .pending
  }

  private mutating func setLinks(_ position: Int, _ links: Int) {
    devices[position].links = links
    linked.removeAll { $0 == position }
    if links > 0 { linked.append(position) }
  }

  private mutating func follow(_ oracle: OracleEvent, at instant: Instant) -> Observation {
    guard case .recorder(let index) = oracle.party else { return .pending }
    if case .recorderPowered(_, let isOn) = oracle {
      let wasPressed = devices.placeOfRunning(index).map { devices[$0].isPressed } ?? false
      let device = Device(index: index, isOn: isOn, poweredOn: instant, lastUse: instant, isPressed: wasPressed)
      let position = devices.place(of: device)
      devices[position] = device
      linked.removeAll { $0 == position }
      return .pending
    }
    guard let position = devices.placeOfRunning(index) else { return .pending }
    switch oracle {
    case .buttonPressed, .buttonReleased:
      devices[position].isPressed = if case .buttonPressed = oracle { true } else { false }
      devices[position].lastUse = instant
    case .recordFinished:
      devices[position].lastUse = instant
      devices[position].hasRecorded = true
    case .keptAwake: devices[position].isKeptAwake = true
    case .update(.bootloaderStarted): devices[position].isServing = false
    case .update(.firmwareStarted):
      devices[position].poweredOn = instant
      devices[position].hasRecorded = false
    case .recorderState(_, let name): return moved(to: name, position, at: instant)
    default: break
    }
    return .pending
  }

  private mutating func moved(to state: String, _ position: Int, at instant: Instant) -> Observation {
    let wasServing = devices[position].isServing
    devices[position].isServing = state == "BLE_OPERATION"
    // What it did in between, such as a record or a message, is not rest.
    if !wasServing, devices[position].isServing { devices[position].lastUse = instant }
    guard state == "SHUTDOWN", wasServing else { return .pending }
    preconditionCount += 1
    return .met
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    let rest = devices[due].lastUse.duration(to: instant)
    // Once is enough for one power session.
    devices[due].isKeptAwake = true
    return .violated(
      "recorder \(devices[due].index) did not switch itself off, \(rest.wholeNanoseconds / 1_000_000) ms after its last use"
    )
  }
}
