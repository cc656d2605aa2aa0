import DictofunProtocol
import Timeline
import Verdicts

/// The voltages that a recorder's battery had lately.
struct VoltageHistory: Sendable {
  /// How long the recorder may take to show a new voltage: measurements every five seconds, and the mean of four.
  static let settling: Duration = .seconds(25)

  /// What it is, and since when, the oldest first.
  private var steps: [(instant: Instant, millivolts: Int)] = []

  /// The voltage now; `nil` before the first statement.
  var millivolts: Int? { steps.last?.millivolts }

  /// Takes a statement.
  mutating func note(_ millivolts: Int, at instant: Instant) {
    guard steps.last?.millivolts != millivolts else { return }
    // Of what is older than the time to settle only the last matters.
    while steps.count > 1, steps[1].instant.duration(to: instant) > Self.settling { steps.removeFirst() }
    steps.append((instant, millivolts))
  }

  /// The lowest and the highest voltage that may still be shown.
  func range(at instant: Instant) -> ClosedRange<Int>? {
    guard let now = steps.last?.millivolts else { return nil }
    var range = now...now
    for (index, step) in steps.enumerated().dropLast()
    where steps[index + 1].instant.duration(to: instant) <= Self.settling {
      range = min(range.lowerBound, step.millivolts)...max(range.upperBound, step.millivolts)
    }
    return range
  }
}

/// DEV-7: the level that the recorder tells is that of its voltage, and it says so when that falls.
struct BatteryLevelIsTrue: Monitor {
  private struct Device: NumberedState {
    var index: UInt16
    var voltages = VoltageHistory()
  }

  let declaration = MonitorDeclaration(
    "DEV-7", "the battery level that the recorder tells is that of its voltage", judges: .recorder, shows: ["true"],
    needsWorld: "the voltage")
  let interests: EventKinds = [.otherEnd, .oracle]
  /// `false`: a scenario may go on to what the level stands for.
  let endsSteps = false
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.batteryVoltage(let index, let millivolts)):
      devices[position(index)].voltages.note(millivolts, at: event.instant)
    case .batteryRead(let percent) where event.source.part == .recorder,
      .batteryNotified(let percent) where event.source.part == .recorder:
      let device = devices[position(event.source.index)]
      guard let range = device.voltages.range(at: event.instant) else { return .pending }
      preconditionCount += 1
      let levels =
        BatteryLevel.percent(millivolts: range.lowerBound)...BatteryLevel.percent(millivolts: range.upperBound)
      if levels.contains(percent) { return .met }
      return .violated("the recorder told a battery level of \(percent) % at \(range.upperBound) mV")
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }
}

/// DEV-7: a phone that is connected and asked for it is notified of a new level, once. A recorder that records tells it when
/// it is done. Between two notifications of one level the battery may have had another, which the phone did not hear of.
struct BatteryIsTold: Monitor {
  private struct Device: NumberedState {
    var index: UInt16
    var millivolts: Int?
    /// Links on which the phone asked to be notified.
    var listening: [LinkKey] = []
    /// The level that was notified last on one of them, and is still the level: telling it again would be telling it twice.
    var notified: UInt8?
    /// The level that the phone knows.
    var known: UInt8?
    /// The level that is owed, and until when.
    var owed: (percent: UInt8, deadline: Instant)?

    var deadline: Instant? { owed?.deadline }
  }

  let declaration = MonitorDeclaration(
    "DEV-7", "the recorder notifies a phone of a new battery level within 25 s, and not twice", judges: .recorder,
    shows: ["told"], needsWorld: "the voltage")
  let interests: EventKinds = [.otherEnd, .oracle]
  /// `false`: a scenario may go on to what the level stands for.
  let endsSteps = false
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()
  private var recording = RecordingRecorders()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening, let recorder = recording.follow(oracle) {
      putOff(position(recorder), at: event.instant)
    }
    switch event.happening {
    case .oracle(.batteryVoltage(let index, let millivolts)):
      changed(position(index), to: millivolts, at: event.instant)
    case .oracle(.recorderPowered(let index, false)): forget(position(index))
    case .batterySubscribed(let isOn) where event.source.part == .recorder:
      let position = position(event.source.index)
      devices[position].listening.removeAll { $0 == LinkKey(event) }
      if isOn { devices[position].listening.append(LinkKey(event)) }
      devices[position].notified = nil
    case .linkDown where event.source.part == .recorder:
      let position = position(event.source.index)
      devices[position].listening.removeAll { $0 == LinkKey(event) }
      if devices[position].listening.isEmpty { forget(position) }
    case .batteryRead(let percent) where event.source.part == .recorder:
      let position = position(event.source.index)
      devices[position].known = percent
      owe(position, at: event.instant)
    case .batteryNotified(let percent) where event.source.part == .recorder:
      return notified(percent, position(event.source.index), at: event.instant)
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }

  private mutating func forget(_ position: Int) {
    devices[position].notified = nil
    devices[position].known = nil
    devices[position].owed = nil
  }

  private mutating func changed(_ position: Int, to millivolts: Int, at instant: Instant) {
    devices[position].millivolts = millivolts
    if devices[position].notified != BatteryLevel.percent(millivolts: millivolts) { devices[position].notified = nil }
    devices[position].owed = nil
    owe(position, at: instant)
  }

  /// Gives the recorder its time anew.
  private mutating func putOff(_ position: Int, at instant: Instant) {
    devices[position].owed?.deadline = instant.advanced(by: VoltageHistory.settling)
  }

  /// Expects the level of the voltage, unless the phone knows it.
  private mutating func owe(_ position: Int, at instant: Instant) {
    let device = devices[position]
    guard let level = device.millivolts.map(BatteryLevel.percent), let known = device.known, known != level,
      !device.listening.isEmpty
    else { return devices[position].owed = nil }
    guard device.owed == nil else { return }
    preconditionCount += 1
    devices[position].owed = (level, instant.advanced(by: VoltageHistory.settling))
  }

  private mutating func notified(_ percent: UInt8, _ position: Int, at instant: Instant) -> Observation {
    let isRepeated = devices[position].notified == percent
    let wasOwed = devices[position].owed?.percent == percent
    devices[position].notified = percent
    devices[position].known = percent
    owe(position, at: instant)
    if isRepeated { return .violated("the recorder notified a battery level of \(percent) % twice") }
    return wasOwed ? .met : .pending
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant), let owed = devices[due].owed else { return .pending }
    if recording.contains(devices[due].index) {
      putOff(due, at: instant)
      return .pending
    }
    devices[due].owed = nil
    return .violated("the recorder did not notify its phone within 25 s that its battery has \(owed.percent) %")
  }
}

/// DEV-7: a recorder that serves says that its battery is low when it is, and only then. What it measures while a record is
/// made it says afterwards.
struct LowBatteryIsTrue: Monitor {
  /// How long a recorder that is switched on with a low battery may take to say so.
  static let bootPatience: Duration = .seconds(3)

  private struct Device: NumberedState {
    var index: UInt16
    var voltages = VoltageHistory()
    /// Whether it looks at its battery: not while it records or updates.
    var isLooking = false
    /// Whether its battery was low since it stopped looking.
    var wasLow = false
    /// Until when it may say what it measured before it looked again.
    var lateUntil = Instant.zero
    /// Whether its chip executes an image, which does not tell its states.
    var isExecuted = false
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-7", "the recorder says within 25 s that its battery is low, and only where it is", judges: .recorder,
    needsWorld: "the voltage")
  let interests: EventKinds = .oracle
  /// `false`: a scenario may go on to what the level stands for.
  let endsSteps = false
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(let oracle) = event.happening, case .recorder(let index) = oracle.party else { return .pending }
    let position = position(index)
    switch oracle {
    case .recorderPowered(_, let isOn):
      devices[position].voltages = VoltageHistory()
      devices[position].isLooking = isOn
      devices[position].deadline = nil
    case .batteryVoltage(_, let millivolts):
      let isFirst = devices[position].voltages.millivolts == nil
      devices[position].voltages.note(millivolts, at: event.instant)
      if !devices[position].isLooking, millivolts < BatteryLevel.shutdownMillivolts { devices[position].wasLow = true }
      look(position, within: isFirst ? Self.bootPatience : VoltageHistory.settling, at: event.instant)
    case .execution(.began):
      devices[position].isExecuted = true
      devices[position].deadline = nil
    case .update(.bootloaderStarted):
      devices[position].isLooking = false
      devices[position].deadline = nil
    case .recorderState(_, let name): return moved(position, to: name, at: event.instant)
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }

  private mutating func look(_ position: Int, within patience: Duration, at instant: Instant) {
    guard let millivolts = devices[position].voltages.millivolts, millivolts < BatteryLevel.shutdownMillivolts else {
      return devices[position].deadline = nil
    }
    guard devices[position].isLooking, !devices[position].isExecuted, devices[position].deadline == nil else { return }
    preconditionCount += 1
    devices[position].deadline = instant.advanced(by: patience)
  }

  private mutating func moved(_ position: Int, to state: String, at instant: Instant) -> Observation {
    let before = devices[position]
    let lowest = before.voltages.range(at: instant)?.lowerBound
    let isLow = lowest.map { $0 < BatteryLevel.shutdownMillivolts } ?? false
    devices[position].isLooking = ["INIT", "BLE_OPERATION"].contains(state)
    if !devices[position].isLooking {
      devices[position].deadline = nil
      if before.isLooking { devices[position].wasLow = isLow }
    } else if !before.isLooking, before.wasLow {
      devices[position].lateUntil = instant.advanced(by: VoltageHistory.settling)
    }
    guard state == "BATTERY_LOW" else {
      look(position, within: VoltageHistory.settling, at: instant)
      return .pending
    }
    if let lowest, !isLow, instant > before.lateUntil {
      return .violated("recorder \(before.index) says that its battery is low at \(lowest) mV")
    }
    return before.deadline == nil ? .pending : .met
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    let millivolts = devices[due].voltages.millivolts ?? 0
    return .violated("recorder \(devices[due].index) does not say that its battery is low, at \(millivolts) mV")
  }
}
