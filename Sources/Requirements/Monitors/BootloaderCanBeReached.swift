import Timeline
import Verdicts

/// DEV-11: a bootloader that waits for an update advertises, so that a phone can connect. What a scenario puts in its way
/// is not judged.
struct BootloaderCanBeReached: Monitor {
  /// How long it may take.
  static let patience: Duration = .seconds(5)

  private struct Device: NumberedState {
    var index: UInt16
    var isHindered = false
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-11", "a bootloader that waits for an update advertises within 5 s", judges: .recorder, shows: ["serves"],
    needsWorld: "which program the recorder runs")
  let interests: EventKinds = [.advertising, .firmwareUpdate, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .firmwareUpdate:
      // Who talks was reached; it may be any of them.
      if devices.deadline == nil { return .pending }
      for index in devices.indices { devices[index].deadline = nil }
    case .advertisingStarted where event.source.part == .recorder:
      let position = position(event.source.index)
      guard devices[position].deadline != nil else { return .pending }
      devices[position].deadline = nil
      return .met
    case .oracle(.update(.bootloaderStarted(let index))):
      let position = position(index)
      guard !devices[position].isHindered else { return .pending }
      preconditionCount += 1
      devices[position].deadline = event.instant.advanced(by: Self.patience)
    case .oracle(.update(.bootloaderHindered(let index))):
      let position = position(index)
      devices[position].isHindered = true
      devices[position].deadline = nil
    case .oracle(.update(.firmwareStarted(let index, _, _))), .oracle(.recorderPowered(let index, _)):
      devices[position(index)].deadline = nil
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    return .violated("the bootloader of recorder \(devices[due].index) waits for an update and does not advertise")
  }
}
