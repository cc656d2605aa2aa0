import DictofunProtocol
import Timeline
import Verdicts

/// DEV-2: after the button is released the recorder advertises within two seconds, every 125 ms. A bootloader does not
/// listen to the button and advertises as Nordic made it.
struct AdvertisingAfterRelease: Monitor {
  /// How long the recorder may take.
  static let patience: Duration = .seconds(2)
  /// States in which the recorder says why it does not serve, or switches itself off, whatever its button does.
  private static let unswayedStates = ["BATTERY_LOW", "OUT_OF_MEMORY", "MEMORY_IS_CORRUPT", "SHUTDOWN"]

  private struct Device: NumberedState {
    var index: UInt16
    var isAdvertising = false
    /// Links to phones. Who is connected need not advertise.
    var links = 0
    /// Whether it is off, or said since the last press that it will not serve.
    var isExcused = false
    /// Whether it is in a state in which a press changes nothing.
    var ignoresButton = false
    var isInBootloader = false
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-2", "the recorder advertises every 125 ms within 2 s after its button is released", judges: .recorder,
    shows: ["soon", "interval"], needsWorld: "the button")
  let interests: EventKinds = [.advertising, .links, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .advertisingStarted(let slots) where event.source.part == .recorder:
      return started(event.source.index, slots)
    case .advertisingStopped where event.source.part == .recorder:
      devices[position(event.source.index)].isAdvertising = false
    case .linkUp where event.source.part == .recorder:
      let position = position(event.source.index)
      devices[position].links += 1
      devices[position].deadline = nil
    case .linkDown where event.source.part == .recorder:
      let position = position(event.source.index)
      devices[position].links = max(0, devices[position].links - 1)
    case .oracle(.buttonReleased(let index)):
      let position = position(index)
      if devices[position].isExcused || devices[position].isInBootloader { return .pending }
      if devices[position].links > 0 { return .pending }
      preconditionCount += 1
      if devices[position].isAdvertising { return .met }
      devices[position].deadline = event.instant.advanced(by: Self.patience)
    case .oracle(.update(.bootloaderStarted(let index))):
      devices[position(index)].isInBootloader = true
      devices[position(index)].deadline = nil
    case .oracle(.update(.firmwareStarted(let index, _, _))): devices[position(index)].isInBootloader = false
    case .oracle(.buttonPressed(let index)): excuse(index, devices[position(index)].ignoresButton)
    case .oracle(.recorderCannotServe(let index, _)): excuse(index, true)
    case .oracle(.recorderState(let index, let name)):
      devices[position(index)].ignoresButton = Self.unswayedStates.contains(name)
    case .oracle(.recorderPowered(let index, false)):
      excuse(index, true)
      devices[position(index)].ignoresButton = false
      devices[position(index)].links = 0
    default: break
    }
    return .pending
  }

  private mutating func excuse(_ index: UInt16, _ isExcused: Bool) {
    let position = position(index)
    devices[position].isExcused = isExcused
    devices[position].deadline = nil
  }

  private mutating func started(_ index: UInt16, _ slots: UInt16) -> Observation {
    let position = position(index)
    let wasAwaited = devices[position].deadline != nil
    devices[position].isAdvertising = true
    devices[position].deadline = nil
    if !devices[position].isInBootloader, slots != DictofunAdvertisement.advertisingIntervalSlots {
      return .violated("the recorder advertises every \(Int(slots) * 625) µs, expected every 125 ms")
    }
    return wasAwaited ? .met : .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    return .violated("recorder \(devices[due].index) did not advertise within 2 s after its button was released")
  }
}

/// DEV-4: identifiers are unique.
struct IdentifiersUnique: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-4", "no identifier occurs twice in a list", judges: .recorder, shows: ["unique"])
  let interests: EventKinds = [.fileTransfer]
  private(set) var preconditionCount = 0

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    // One record alone cannot have the name of another.
    guard case .fileTransfer(.listed(let identifiers)) = event.happening, identifiers.count > 1 else { return .pending }
    preconditionCount += 1
    let sorted = identifiers.sorted()
    for (left, right) in zip(sorted, sorted.dropFirst()) where left == right {
      return .violated("the list contains \(left) twice")
    }
    return .met
  }
}

/// DEV-4: identifiers are true in time. Where several records begin in one second, or the recorder has records of the seconds
/// that follow, each takes the next second that is free.
struct IdentifiersTrue: Monitor {
  /// How far an identifier may be from the recorder's clock, in seconds: the clock may tick in between.
  static let toleranceSeconds: Int64 = 1
  /// Records whose seconds are remembered, for each recorder.
  private static let limit = 4096

  private struct Device: NumberedState {
    var index: UInt16
    var taken: Set<CivilTime> = []
  }

  let declaration = MonitorDeclaration(
    "DEV-4", "an identifier is the time on the recorder's clock when recording began", judges: .recorder,
    shows: ["true"])
  let interests: EventKinds = [.oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(.recordBegun(let recorder, let identifier, let clock, let held)) = event.happening else {
      return .pending
    }
    preconditionCount += 1
    guard let date = identifier.date else { return .violated("the identifier \(identifier) is not a date and time") }
    let position = devices.place(of: Device(index: recorder))
    let ahead = date.secondsOnRecorder(since: clock)
    let isTrue =
      abs(ahead) <= Self.toleranceSeconds
      || Self.isNextFree(ahead, from: clock, among: devices[position].taken.union(held.compactMap(\.date)))
    if devices[position].taken.count < Self.limit { devices[position].taken.insert(date) }
    return isTrue
      ? .met : .violated("the recorder chose the identifier \(identifier) when its clock showed \(clock)")
  }

  /// Whether records have all seconds from the clock's on to the one that lies this number of seconds ahead.
  private static func isNextFree(_ ahead: Int64, from clock: CivilTime, among taken: Set<CivilTime>) -> Bool {
    guard ahead > 0, ahead <= taken.count else { return false }
    return (0..<ahead).allSatisfy { taken.contains(clock.adding(seconds: $0).onRecorder) }
  }
}

/// DEV-5: a file has the length that was announced, and that was recorded. Two recorders may have records of one name, so that
/// the length that was recorded is compared where the recorder is known: at its end of the link.
struct LengthAsAnnounced: Monitor {
  /// Records whose length is remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Record {
    var recorder: UInt16
    var identifier: RecordIdentifier
    var octets: UInt32
  }

  let declaration = MonitorDeclaration(
    "DEV-5", "a file has the length that was announced and that was recorded", judges: .recorder, shows: ["announced"])
  let interests: EventKinds = [.fileTransfer, .fileData, .otherEnd, .oracle]
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  private var records: [Record] = []
  /// Whether phones are heard too, which tell of the end of every file again.
  private var hearsPhones = false

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if event.source.part == .phone { hearsPhones = true }
    switch event.happening {
    case .fileTransfer(.data(let identifier, _, let received, let size?)) where received > size:
      return .violated("the recorder announced \(size) octets of \(Self.name(identifier)) but sent \(received)")
    case .fileTransfer(.completed) where event.source.part == .phone || !hearsPhones:
      preconditionCount += 1
      return .met
    case .oracle(.recordFinished(let recorder, let identifier, let octets)):
      if records.count == Self.limit { records.removeFirst() }
      records.append(Record(recorder: recorder, identifier: identifier, octets: octets))
    case .fileTransfer(.informed(let identifier?, let size)) where event.source.part == .recorder:
      let known = records.filter { $0.recorder == event.source.index && $0.identifier == identifier }
      guard !known.isEmpty, !known.contains(where: { $0.octets == size }) else { return .pending }
      return .violated("the recorder announced \(size) octets of \(identifier), which has \(known[0].octets)")
    default: break
    }
    return .pending
  }

  private static func name(_ identifier: RecordIdentifier?) -> String { identifier?.description ?? "a file" }
}
