import Timeline
import Verdicts

/// DEV-2: a recorder that is on and has no phone advertises within two seconds, whether it was just switched on without a
/// press or lost its phone. One that records, shows a message, updates or switches itself off need not.
struct AdvertisesWhenFree: Monitor {
  /// How long the recorder may take.
  static let patience: Duration = .seconds(2)

  private struct Device: SwitchedState {
    var index: UInt16
    var isOn = true
    var isAdvertising = false
    var links = 0
    var isServing = false
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-2", "the recorder advertises within 2 s after a boot without a press and after its phone disconnected",
    judges: .recorder, shows: ["free"], needsWorld: "the recorder's state")
  let interests: EventKinds = [.advertising, .links, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()
  /// Recorders whose bootloader has something to do before the application starts again.
  private var updating: [UInt16] = []
  /// Recorders whose button is down.
  private var pressed: [UInt16] = []

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening {
      follow(oracle, at: event.instant)
      return .pending
    }
    guard event.source.part == .recorder, let position = devices.placeOfRunning(event.source.index) else {
      return .pending
    }
    switch event.happening {
    case .advertisingStarted:
      let wasAwaited = devices[position].deadline != nil
      devices[position].isAdvertising = true
      devices[position].deadline = nil
      return wasAwaited ? .met : .pending
    case .advertisingStopped: devices[position].isAdvertising = false
    case .linkUp:
      devices[position].links += 1
      devices[position].deadline = nil
    case .linkDown:
      devices[position].links = max(0, devices[position].links - 1)
      if devices[position].isServing, devices[position].links == 0 { expect(position, from: event.instant) }
    default: break
    }
    return .pending
  }

  private mutating func follow(_ oracle: OracleEvent, at instant: Instant) {
    guard case .recorder(let index) = oracle.party else { return }
    switch oracle {
    case .buttonPressed: pressed.append(index)
    case .buttonReleased: pressed.removeAll { $0 == index }
    case .recorderPowered(_, let isOn):
      let position = devices.place(of: Device(index: index))
      devices[position] = Device(index: index, isOn: isOn)
      if isOn, !pressed.contains(index), !updating.contains(index) { expect(position, from: instant) }
    case .update(.bootloaderStarted): updating.append(index)
    case .update(.firmwareStarted): updating.removeAll { $0 == index }
    default: break
    }
    guard let position = devices.placeOfRunning(index) else { return }
    switch oracle {
    case .buttonPressed, .recorderCannotServe: devices[position].deadline = nil
    case .update(.bootloaderStarted):
      devices[position].isServing = false
      devices[position].deadline = nil
    case .recorderState(_, let name):
      devices[position].isServing = name == "BLE_OPERATION"
      // It passes through its first state on its way to serving.
      if !devices[position].isServing, name != "INIT" { devices[position].deadline = nil }
    default: break
    }
  }

  private mutating func expect(_ position: Int, from instant: Instant) {
    guard !devices[position].isAdvertising else { return }
    preconditionCount += 1
    devices[position].deadline = instant.advanced(by: Self.patience)
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    return .violated("recorder \(devices[due].index) has no phone and did not advertise within 2 s")
  }
}
