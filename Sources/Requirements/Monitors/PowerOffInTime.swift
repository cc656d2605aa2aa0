import DictofunProtocol
import Timeline
import Verdicts

/// DEV-9: the recorder does not switch itself off while it serves a request, nor earlier than documented.
///
/// A phone that is there keeps it on by coming and by what it does with files, for a documented time, and for a shorter one by
/// encrypting its link. One that leaves keeps it on only after a record was made; before that the time counts from when it
/// was switched on, too. After a record it waits longer for a phone that has not come yet than for one that left. Discovery
/// does not count, because its application does not hear of it.
///
/// A low battery excuses it. One whose chip executes an image tells no other reason.
///
/// That it does not stay on for longer is the matter of scenarios, which say whether it may.
struct PowerOffInTime: Monitor {
  /// The shortest documented time from anything that happens to power-off: 5000 ticks after a disconnection.
  static let shortestRest: Duration = .milliseconds(4800)
  /// The shortest documented time from a use to power-off while a phone is connected: 15,000 ticks, on a fast crystal.
  static let shortestKeepAlive: Duration = .milliseconds(14_400)
  /// The shortest documented time on without a record: 20,000 ticks, on a fast crystal.
  static let shortestSession: Duration = .milliseconds(19_300)
  /// The shortest documented time after a record to which no phone came: 25,000 ticks, on a fast crystal.
  static let shortestWait: Duration = .milliseconds(24_100)
  /// The documented longest time on: 480,000 ticks.
  static let longestSession: Duration = .seconds(465)
  /// How long after a record Bluetooth may need to return: twice the documented 40 ticks.
  static let longestReturn: Duration = .milliseconds(80)
  /// Nothing is served for longer than this without an answer.
  static let longestRequest: Duration = .seconds(12)

  private struct Device: SwitchedState {
    var index: UInt16
    var isOn = true
    var poweredOn: Instant
    /// When it last recorded, or a phone gave it a reason to stay on.
    var lastUse: Instant
    var serving: Instant?
    /// When the phone that is there came, or used its files last.
    var keptAlive: Instant?
    /// When a phone came, left or gave it another reason to stay on last.
    var heard: Instant?
    /// When its button was pressed last, other than during a record.
    var pressed: Instant?
    var isRecording = false
    /// When it finished its last record since it was switched on, and when its button was pressed for that.
    var recorded: (end: Instant, press: Instant?)?
    var voltages = VoltageHistory()
    /// Whether its bootloader runs, which has times of its own.
    var isUpdating = false
    /// Whether it said why it will not serve.
    var isExcused = false

    /// Whether it made a record since it was switched on.
    var hasRecorded: Bool { recorded != nil }

    /// Notes that a phone gave it a reason to stay on.
    mutating func use(at instant: Instant) {
      lastUse = instant
      heard = instant
    }

    /// Notes a press. What phones did during a record is heard only after it: a press that comes before that goes on with
    /// the record.
    mutating func press(at instant: Instant) {
      guard !isRecording else { return }
      if let recorded, recorded.end.duration(to: instant) < PowerOffInTime.longestReturn { return }
      pressed = instant
    }

    /// Whether no phone came or left since it was pressed for its last record. One that the press dropped left.
    var isUnheard: Bool {
      guard let heard else { return true }
      return recorded?.press.map { heard < $0 } ?? false
    }

    /// Whether it may be off for another reason than its time.
    func isLowOrUpdating(at instant: Instant) -> Bool {
      isUpdating || voltages.range(at: instant).map { $0.lowerBound < BatteryLevel.shutdownMillivolts } ?? false
    }
  }

  let declaration = MonitorDeclaration(
    "DEV-9", "the recorder switches itself off neither in a transfer nor earlier than documented", judges: .recorder,
    shows: ["needed"], needsWorld: "the recorder's state")
  let interests: EventKinds = [.links, .fileTransfer, .fileData, .otherEnd, .oracle]
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()
  /// Where those stand that serve a record.
  private var transferring: [Int] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening { return follow(oracle, at: event.instant) }
    if case .fileTransfer(.data) = event.happening {
      // It may come from any of them.
      for position in transferring { devices[position].serving = event.instant }
      return .pending
    }
    guard event.source.part == .recorder, let position = devices.placeOfRunning(event.source.index) else {
      return .pending
    }
    switch event.happening {
    case .linkUp:
      endService(position)
      devices[position].use(at: event.instant)
      devices[position].keptAlive = event.instant
    case .linkDown:
      endService(position)
      devices[position].keptAlive = nil
      devices[position].heard = event.instant
      if devices[position].hasRecorded { devices[position].lastUse = event.instant }
    case .fileTransfer(let happening): follow(happening, at: event.instant, position)
    case .encrypted: devices[position].use(at: event.instant)
    default: break
    }
    return .pending
  }

  private mutating func follow(_ happening: FileTransferHappening, at instant: Instant, _ position: Int) {
    switch happening {
    case .requested, .requestRefused, .requestTaken(.unaccepted), .valueRead, .notUnderstood: return
    case .requestTaken(.receiveComplete), .listing, .data: break
    case .requestTaken(let request):
      devices[position].serving = instant
      transferring.removeAll { $0 == position }
      if case .fileData = request { transferring.append(position) }
    case .listed, .informed, .completed, .fileSystemStatus, .status, .answerNotEnabled: endService(position)
    }
    devices[position].use(at: instant)
    if devices[position].keptAlive != nil { devices[position].keptAlive = instant }
  }

  private mutating func endService(_ position: Int) {
    devices[position].serving = nil
    transferring.removeAll { $0 == position }
  }

  private mutating func follow(_ oracle: OracleEvent, at instant: Instant) -> Observation {
    guard case .recorder(let index) = oracle.party else { return .pending }
    if case .recorderPowered(_, let isOn) = oracle {
      let device = Device(index: index, isOn: isOn, poweredOn: instant, lastUse: instant)
      let position = devices.place(of: device)
      devices[position] = device
      transferring.removeAll { $0 == position }
      return .pending
    }
    guard let position = devices.placeOfRunning(index) else { return .pending }
    switch oracle {
    case .buttonPressed: devices[position].press(at: instant)
    case .recordBegun: devices[position].isRecording = true
    case .recordFinished:
      devices[position].isRecording = false
      devices[position].lastUse = instant
      devices[position].recorded = (instant, devices[position].pressed)
    case .batteryVoltage(_, let millivolts): devices[position].voltages.note(millivolts, at: instant)
    case .update(.bootloaderStarted): devices[position].isUpdating = true
    case .update(.firmwareStarted): beginAnew(position, at: instant)
    case .execution(.switchedOff):
      let device = devices[position]
      // It starts anew where its supply is held.
      beginAnew(position, at: instant)
      return switchedOff(device, at: instant)
    case .recorderCannotServe: devices[position].isExcused = true
    case .recorderState(_, let name):
      if name == "MEMORY_IS_CORRUPT" { devices[position].isExcused = true }
      if name == "SHUTDOWN" { return switchedOff(devices[position], at: instant) }
    default: break
    }
    return .pending
  }

  private mutating func beginAnew(_ position: Int, at instant: Instant) {
    let device = devices[position]
    devices[position] = Device(index: device.index, poweredOn: instant, lastUse: instant, voltages: device.voltages)
    transferring.removeAll { $0 == position }
  }

  private mutating func switchedOff(_ device: Device, at instant: Instant) -> Observation {
    guard !device.isExcused, !device.isLowOrUpdating(at: instant) else { return .pending }
    preconditionCount += 1
    if let serving = device.serving, serving.duration(to: instant) < Self.longestRequest {
      return .violated("recorder \(device.index) switched itself off while it served a request")
    }
    let rest = device.lastUse.duration(to: instant)
    let session = device.poweredOn.duration(to: instant)
    guard session < Self.longestSession else { return .met }
    if rest < Self.shortestRest { return violated(device, rest, "after its last use") }
    if let rest = device.keptAlive?.duration(to: instant), rest < Self.shortestKeepAlive {
      return violated(device, rest, "after the last use of its files by a phone that is there, or its coming")
    }
    if !device.hasRecorded, session < Self.shortestSession {
      return violated(device, session, "after it was switched on")
    }
    if device.isUnheard, let wait = device.recorded?.end.duration(to: instant), wait < Self.shortestWait {
      return violated(device, wait, "after its record, before a phone came")
    }
    return .met
  }

  private func violated(_ device: Device, _ time: Duration, _ since: String) -> Observation {
    .violated("recorder \(device.index) switched itself off \(time.wholeNanoseconds / 1_000_000) ms \(since)")
  }
}
