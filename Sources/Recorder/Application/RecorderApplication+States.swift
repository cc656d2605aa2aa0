import DictofunProtocol
import Timeline

/// The system state machine.
///
///     initialisation ──button──▶ recordPrepare ──▶ recording ──release──▶ recordEnd
///         │ 800 ticks                 ▲   └─no room─▶ outOfMemory ─5000─┐     │
///         ▼                           │                                 ▼     ▼
///     bluetoothOperation ◀────────────┼─────────────────────────────────┴─────┘
///         ├──button───────────────────┘
///         ├──battery low──▶ batteryLow ──5000──▶ shutdown ──▶ off
///         └──time-out─────────────────────────────▲
extension RecorderApplication {
  /// Starts the timers of a state that was entered.
  mutating func enter(_ next: SystemState, at tick: Int64) {
    pollTick = nil
    stateDueTick = nil
    switch next {
    case .initialisation: stateDueTick = profile.timing.bootToBluetooth + profile.faults.power.bluetoothDelay
    case .recordPrepare:
      stateDueTick =
        max(tick, profile.timing.mount) + profile.timing.ownershipSwitch + profile.timing.createRecord
        + profile.faults.power.recordDelay
    case .recording: pollTick = tick + profile.timing.statePoll
    case .recordEnd: stateDueTick = tick + profile.timing.closeRecord + profile.faults.power.bluetoothDelay
    case .bluetoothOperation:
      stateDueTick = max(tick, profile.timing.mount) + profile.timing.ownershipSwitch
      noteRefusal()
      lookSoon(at: tick)
    case .batteryLow:
      events.append(.batteryLow)
      powerOffReason = .batteryLow
      stateDueTick = tick + profile.timing.batteryLow
    case .outOfMemory:
      events.append(.memoryFull)
      stateDueTick = tick + profile.timing.outOfMemory
    case .memoryIsCorrupt:
      powerOffReason = .memoryCorrupt
      stateDueTick = tick + profile.timing.memoryCorrupt
    case .shutdown:
      let formats = formatsAtPowerOff
      stateDueTick = tick + profile.timing.powerOff + (formats ? profile.timing.format : 0)
    case .developmentMode: break
    }
    updateLight()
  }

  /// Tells why the record that the button asks for does not begin: there is no room for it, or the phone is just being told
  /// of a low battery.
  mutating func noteRefusal() {
    guard state == .bluetoothOperation, body.isButtonPressed else { return }
    if !hasRoomForRecord {
      events.append(.memoryFull)
    } else if lowBatteryDeadline != nil, battery.isLow {
      events.append(.batteryLow)
    }
  }

  /// Shows the state on the LED.
  mutating func updateLight() {
    let next = profile.faults.light.shown(state, isConnected: isBluetoothRunning && softDevice.link != nil)
    guard next != light else { return }
    light = next
    events.append(.lightChanged(next))
  }

  /// Runs the state machine once, when something is due.
  mutating func step(at tick: Int64) {
    let isDue = stateDueTick.map { $0 <= tick } ?? false
    let looks = pollTick.map { $0 <= tick } ?? false
    if looks { pollTick = nil }
    switch state {
    case .initialisation: stepInitialisation(isDue: isDue, at: tick)
    case .recordPrepare: if isDue { beginRecord(at: tick) }
    case .recording:
      if recording?.isFull == true {
        move(on: .memoryFilled, at: tick)
      } else if looks, !body.isButtonPressed {
        move(on: .buttonReleased, at: tick)
      }
    case .recordEnd: if isDue { endRecord(at: tick) }
    case .bluetoothOperation: stepBluetooth(isDue: isDue, looks: looks, at: tick)
    case .outOfMemory: if isDue { move(on: .messageShown, at: tick) }
    case .batteryLow, .memoryIsCorrupt: if isDue { move(on: .messageShown, at: tick) }
    case .shutdown: if isDue || looks && stateDueTick == nil { switchOff(at: tick) }
    case .developmentMode: break
    }
  }

  private mutating func stepInitialisation(isDue: Bool, at tick: Int64) {
    if isDue {
      move(on: .bluetoothIsDue, at: tick)
    } else if body.isButtonPressed {
      move(on: battery.isLow ? .batteryIsLow : .buttonPressed, at: tick)
    }
  }

  // MARK: Records

  private mutating func beginRecord(at tick: Int64) {
    let instant = oscillator.instant(of: tick)
    let room = body.storage.roomForRecord
    let identifier = newIdentifier(at: instant)
    guard body.storage.create(identifier) else {
      if !body.storage.hasPowerFailed { move(on: .noRoom, at: tick) }
      return
    }
    recordingIdentifier = identifier
    events.append(.recordBegan(identifier))
    let first = tick + profile.faults.recording.lostFirstTicks
    recording = ActiveRecording(
      at: first, room: room,
      microphoneOffset: body.microphone.offset(
        ofRecordAt: oscillator.instant(of: first), sampleRate: profile.sampleRate), profile: profile)
    disconnectionTick = nil
    move(on: .recordCreated, at: tick)
  }

  private mutating func endRecord(at tick: Int64) {
    guard var recording else { preconditionFailure("a record that ends was begun") }
    let wasFull = recording.isFull
    let record = recording.finish(&body.storage)
    self.recording = nil
    guard let record else { return }
    recordingIdentifier = nil
    recordsMade += 1
    lastRecordTick = tick
    events.append(.recordFinished(record.identifier, size: record.content.count))
    move(on: wasFull && !profile.faults.storage.hidesFullMemory ? .memoryFilled : .recordClosed, at: tick)
  }

  private func newIdentifier(at instant: Instant) -> RecordIdentifier {
    let time = body.clock.time(at: instant)
    let faults = profile.faults.clock
    if faults.repeatsIdentifiers, let previous = body.storage.entries.last { return previous.identifier }
    if faults.foldsIdentifiers || profile.policies.identifier == .foldedDate {
      return RecordIdentifier(foldingDateOf: time)
    }
    var identifier = RecordIdentifier(time)
    var seconds: Int64 = 0
    while body.storage.index(of: identifier, includingUnfinished: true) != nil {
      seconds += 1
      identifier = RecordIdentifier(time.adding(seconds: seconds))
    }
    return identifier
  }

  // MARK: Bluetooth and power

  /// Whether a record can begin; where it cannot, a recorder that serves stays as it is when its button is pressed.
  var hasRoomForRecord: Bool { body.storage.roomForRecord >= FileSystemGeometry.pageBytes }

  private mutating func stepBluetooth(isDue: Bool, looks: Bool, at tick: Int64) {
    if isDue {
      stateDueTick = nil
      startBluetooth(at: tick)
    }
    if let due = powerOffDueTick(), due <= tick {
      powerOffReason = powerOffCause()
      stopBluetooth(advertises: false)
      move(on: .quietTooLong, at: tick)
    } else if looks {
      if battery.isLow {
        leaveForLowBattery(at: tick)
      } else if body.isButtonPressed, !isPressMissed, hasRoomForRecord {
        stopBluetooth(advertises: true)
        move(on: .buttonPressed, at: tick)
      }
    }
  }

  /// Ends Bluetooth for a low battery, after the phone was notified.
  private mutating func leaveForLowBattery(at tick: Int64) {
    let farewellEnd = profile.timing.lowBatteryFarewell
    if softDevice.isNotificationOnItsWay || hasUnsentBatteryLevel, softDevice.link != nil {
      let isNews = lowBatteryDeadline == nil
      let deadline = lowBatteryDeadline ?? tick + farewellEnd
      lowBatteryDeadline = deadline
      if tick < deadline {
        if isNews { noteRefusal() }
        pollTick = min(tick + profile.timing.statePoll, deadline)
        return
      }
    }
    stopBluetooth(advertises: false)
    move(on: .batteryIsLow, at: tick)
  }

  /// When the recorder switches itself off unless something happens before.
  mutating func powerOffDueTick() -> Int64? {
    guard state == .bluetoothOperation, !configuration.staysAwake else { return nil }
    let timing = profile.timing
    if profile.faults.power.neverSwitchesOff { return nil }
    if profile.faults.power.ignoresTraffic {
      return recordsMade == 0 ? timing.noRecord : min(lastRecordTick + timing.afterRecord, timing.absolute)
    }
    if profile.faults.power.endsTransferAtLimit, recordsMade > 0, fileTransfer.isServing { return timing.absolute }
    if fileTransfer.isServing { return nil }
    if profile.faults.power.sleepsEarly, recordsMade > 0 {
      return max(lastActivityTick, lastRecordTick) + Oscillator.ticksPerSecond
    }
    guard recordsMade > 0 else { return max(timing.noRecord, lastActivityTick + timing.keepAlive) }
    return min(quietDueTick(), absoluteDueTick())
  }

  /// When the quiet after a record has lasted long enough to switch off.
  private mutating func quietDueTick() -> Int64 {
    let timing = profile.timing
    if softDevice.link != nil { return max(lastActivityTick, lastRecordTick) + timing.keepAlive }
    if let disconnectionTick {
      let rest = profile.faults.power.leavesWithPhone ? Oscillator.ticksPerSecond : timing.afterDisconnect
      return disconnectionTick + rest
    }
    return lastRecordTick + timing.afterRecord
  }

  /// When it has been on for too long; a phone with traffic may finish.
  private mutating func absoluteDueTick() -> Int64 {
    let timing = profile.timing
    return softDevice.link == nil ? timing.absolute : max(timing.absolute, lastActivityTick + timing.keepAlive)
  }

  private mutating func powerOffCause() -> PowerOffReason {
    if recordsMade == 0 { return .noRecord }
    if absoluteDueTick() < quietDueTick() { return .absolute }
    if softDevice.link != nil { return .keepAlive }
    return disconnectionTick == nil ? .afterRecord : .afterDisconnect
  }

  /// Whether it erases its records when it switches itself off. Erasing takes long: a low battery might not last.
  private var formatsAtPowerOff: Bool {
    (powerOffReason != .batteryLow || profile.faults.storage.formatsWhileBatteryLow)
      && body.storage.wantsFormat(profile)
  }

  private mutating func switchOff(at tick: Int64) {
    if formatsAtPowerOff {
      let unconfirmed = body.storage.finished.count { !$0.isConfirmed }
      guard let count = body.storage.format(keepsRoom: profile.faults.storage.keepsErasedRoom) else { return }
      events.append(.formatted(records: count, unconfirmed: unconfirmed))
    }
    stateDueTick = nil
    // The power latch holds while the button is down.
    guard !body.isButtonPressed else { return }
    losePower(powerOffReason, at: oscillator.instant(of: tick))
  }
}
