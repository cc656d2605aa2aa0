import Charts
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// The recorder's firmware: everything above the SoftDevice, as a value.
///
/// It counts its own ticks and sleeps between them: `dueTick` and `engineDueTick` say when it must be woken. Ticks
/// are counted from boot. What it does in one waking has a fixed order: stack, battery, sound, state machine,
/// security, file transfer.
struct RecorderApplication {
  /// Which recorder this is.
  let profile: RecorderProfile
  let configuration: RecorderConfiguration
  /// What outlives a power session.
  var body: RecorderBody

  /// Events that were not reported yet.
  var events: [RecorderEvent] = []
  /// Whether the controller must fall silent, because power went.
  var mustSilenceController = false
  /// Why power has come; the chip starts.
  var powerOnReason: BootReason?

  /// Whether the chip resets into the bootloader.
  var resetsIntoBootloader = false

  /// Where the chip is between power and power.
  var power = ChartedState(RecorderPower.chart) { didSet { isOn = power.state.systemState != nil } }
  /// Whether the application runs. Kept, because it is asked with every packet, and whoever asks the chart copies it.
  private(set) var isOn = false

  // What follows is reset at every boot.

  var oscillator: Oscillator
  var softDevice: ModelledSoftDevice
  var fileTransfer: FileTransferEngine
  var buttonless = ButtonlessService()
  var battery: BatteryTask
  /// The state of the system task; the last one while it does not run.
  private(set) var state = SystemState.initialisation
  var light: LightSignal?
  /// When the state's own time is over.
  var stateDueTick: Int64?
  /// When the state machine looks at button and battery next; `nil` while nothing changed.
  var pollTick: Int64?
  /// When the stack is to be set up.
  var softDeviceDueTick: Int64?
  /// When the battery is to be measured next; `nil` while that could change nothing.
  var batteryDueTick: Int64?
  /// When a bonded phone is asked for encryption.
  var securityRequestDueTick: Int64?
  /// Until when it pairs although it has an owner.
  var pairingWindowEndTick: Int64 = 0
  /// When a phone without a bond has been connected long enough.
  var strangerDueTick: Int64?
  /// When a recorder that is off on a held rail boots again.
  var resetDueTick: Int64?
  var recording: ActiveRecording?
  var recordingIdentifier: RecordIdentifier?
  /// Whether the Bluetooth task runs; while it does not, what the stack says waits.
  var isBluetoothRunning = false
  var waitingEvents: [SoftDeviceEvent] = []
  /// Whether a level waits for the stack's one place.
  var hasUnsentBatteryLevel = false
  /// Whether the press that holds the button down came unseen, which only a fault does.
  var isPressMissed = false
  var hasAskedForParameters = false
  var hasEndedConnection = false
  var recordsMade = 0
  /// Last tick with a record in the making.
  var lastRecordTick: Int64 = 0
  /// Last tick with traffic.
  var lastActivityTick: Int64 = 0
  /// Tick of the last disconnection since the last record began, while no phone came back.
  var disconnectionTick: Int64?
  var powerOffReason = PowerOffReason.noRecord
  /// When Bluetooth ends for a low battery even if the phone was not notified.
  var lowBatteryDeadline: Int64?

  /// A recorder that is off.
  init(_ configuration: RecorderConfiguration) {
    self.init(configuration, RecorderBody(configuration), at: .zero)
  }

  private init(_ configuration: RecorderConfiguration, _ body: RecorderBody, at instant: Instant) {
    profile = body.profile
    self.configuration = configuration
    self.body = body
    oscillator = Oscillator(partsPerBillion: body.tickErrorPartsPerBillion, startedAt: instant)
    softDevice = ModelledSoftDevice(profile: profile)
    fileTransfer = FileTransferEngine(profile: profile)
    battery = BatteryTask(millivolts: body.batteryMillivolts, profile: profile)
  }

  /// The firmware starts: memory is empty, flash is as it was left. Where that comes with power, `reason` says why power
  /// came.
  mutating func boot(_ reason: BootReason?, at instant: Instant) {
    var body = body
    body.storage.mount(losesRecords: body.profile.losesRecordsAtPowerCut)
    if body.profile.faults.clock.standsStillWhileOff { body.clock.setStopped(false, at: instant) }
    let (events, power) = (events, power)
    self = RecorderApplication(configuration, body, at: instant)
    self.events = events
    self.power = power
    softDeviceDueTick = profile.timing.bootToSoftDevice
    if let reason { self.events.append(.poweredOn(reason)) }
    move(on: .applicationStarted, at: 0)
    if body.isButtonPressed { step(at: 0) }
  }

  /// Goes where the chart says, and starts the timers of the state there.
  mutating func move(on event: PowerEvent, at tick: Int64) {
    guard power.take(event), let next = power.state.systemState else { return }
    if next != state { events.append(.stateChanged(from: state, to: next)) }
    state = next
    enter(next, at: tick)
  }

  /// Power is gone, in order or not.
  mutating func losePower(_ reason: PowerOffReason, at instant: Instant) {
    guard isOn else { return }
    if reason == .cut { takeSound(upTo: oscillator.tick(at: instant)) }
    stop()
    powerIsGone(reason, at: instant)
  }

  /// The chip resets: memory is lost, power stays.
  mutating func reset(at instant: Instant) {
    takeSound(upTo: oscillator.tick(at: instant))
    resetsIntoBootloader = false
    stop()
    power.take(.updateRequested)
  }

  private mutating func stop() {
    if let recordingIdentifier { events.append(.recordLost(recordingIdentifier)) }
    recordingIdentifier = nil
    recording = nil
    mustSilenceController = true
    waitingEvents.removeAll()
    if profile.faults.security.forgetsBondsAtPowerOff { body.bonds.removeAll() }
  }

  /// Power is gone, whether application or bootloader ran.
  mutating func powerIsGone(_ reason: PowerOffReason, at instant: Instant) {
    power.take(reason == .cut ? .powerCut : .latchReleased)
    if reason == .cut { body.storage.powerLost() }
    mustSilenceController = true
    if profile.faults.clock.standsStillWhileOff { body.clock.setStopped(true, at: instant) }
    events.append(.poweredOff(reason))
    resetDueTick = body.isRailHeld ? oscillator.tick(at: instant) + profile.timing.resetOnHeldRail : nil
  }

  // MARK: Time

  // What asks for a time changes nothing. It is mutating all the same, because the compiler copies the whole recorder for
  // a getter that is not, and these are asked for every packet.

  /// When the recorder must be woken for a pass of the file transfer engine.
  mutating func engineDueTick() -> Int64? { isOn && isBluetoothRunning ? fileTransfer.dueTick : nil }

  /// When the recorder must be woken for anything else.
  mutating func dueTick() -> Int64? {
    guard isOn else { return resetDueTick }
    var due = Int64.max
    if let softDeviceDueTick { due = min(due, softDeviceDueTick) }
    if let batteryDueTick { due = min(due, batteryDueTick) }
    // By its parts: a recording is copied by whoever takes all of it.
    if state == .recording, let fullTick = recording?.fullTick, let nextPageTick = recording?.nextPageTick {
      due = min(due, fullTick)
      if body.storage.operationsBeforePowerFails != nil { due = min(due, nextPageTick) }
    }
    if let stateDueTick { due = min(due, stateDueTick) }
    if let pollTick { due = min(due, pollTick) }
    if let powerOff = powerOffDueTick() { due = min(due, powerOff) }
    if let securityRequestDueTick { due = min(due, securityRequestDueTick) }
    if let strangerDueTick { due = min(due, strangerDueTick) }
    return due == .max ? nil : due
  }

  /// Does everything that is due.
  mutating func advance(to instant: Instant) {
    let tick = oscillator.tick(at: instant)
    guard isOn else {
      if let resetDueTick, resetDueTick <= tick {
        self.resetDueTick = nil
        if body.isRailHeld { powerOnReason = .reset }
      }
      return
    }
    if let due = softDeviceDueTick, due <= tick {
      softDeviceDueTick = nil
      enableSoftDevice()
    }
    if let due = batteryDueTick, due <= tick { measureBattery(at: tick) }
    takeSound(upTo: tick)
    step(at: tick)
    if let due = securityRequestDueTick, due <= tick {
      securityRequestDueTick = nil
      if let link = softDevice.link, !link.isEncrypted { softDevice.requestSecurity() }
    }
    if let due = strangerDueTick, due <= tick { strangerStayed(at: tick) }
    if let due = engineDueTick(), due <= tick {
      perform(fileTransfer.pass(at: tick, &softDevice, body.storage), at: tick)
    }
    checkFlashPower(at: instant)
  }

  /// Loses power when it failed at a flash operation.
  mutating func checkFlashPower(at instant: Instant) {
    if body.storage.hasPowerFailed, isOn { losePower(.cut, at: instant) }
  }

  // MARK: Controls

  /// Takes what is done to the recorder.
  mutating func take(_ control: RecorderControl, at instant: Instant) {
    let tick = oscillator.tick(at: instant)
    takeSound(upTo: tick)
    switch control {
    case .holdRail:
      body.isRailHeld = true
      if !isOn { powerOnReason = .rail }
    case .releaseRail: body.isRailHeld = false
    case .cutPower:
      body.isRailHeld = false
      losePower(.cut, at: instant)
      resetDueTick = nil
    case .cutPowerAtFlashOperation(let skipping): body.storage.failPower(skipping: skipping)
    case .pressButton:
      body.isButtonPressed = true
      isPressMissed = profile.faults.power.missesPressWhileClosing && state == .recordEnd
      openPairingWindow(at: tick)
      if isOn {
        noteRefusal()
        lookSoon(at: tick)
      } else {
        powerOnReason = .button
      }
    case .releaseButton:
      body.isButtonPressed = false
      if !profile.faults.security.opensPairingAtPressOnly { openPairingWindow(at: tick) }
      if isOn { lookSoon(at: tick) }
    case .setBattery(let millivolts):
      body.batteryMillivolts = millivolts
      battery.setMillivolts(millivolts)
      planBattery(at: tick)
    case .setMicrophone(let microphone): body.microphone = microphone
    case .setClock(let time): body.clock.set(time, at: instant)
    case .countTime(let time): body.clock.advance(by: time, at: instant)
    case .setClockError(let error): body.clock.setError(partsPerBillion: error, at: instant)
    case .setTickError(let error):
      body.tickErrorPartsPerBillion = error
      oscillator.setError(partsPerBillion: error, at: instant)
    case .forgetBonds: removeAllBonds()
    case .eraseRecords: _ = body.storage.format()
    case .breakLink: softDevice.disconnect()
    case .setProfile(let profile): body.profile = profile
    // The chip has both programs, and writes them.
    case .writeFirmware: break
    case .placeRecord(let record): _ = body.storage.place(record.identifier, record.content)
    }
    checkFlashPower(at: instant)
  }

  /// Makes the state machine check again at its next turn.
  mutating func lookSoon(at tick: Int64) {
    let period = profile.timing.statePoll
    pollTick = (tick / period + 1) * period
  }

  // MARK: Battery

  mutating func planBattery(at tick: Int64) {
    let period = profile.timing.batteryPeriod
    batteryDueTick = battery.needsMeasuring ? (tick / period + 1) * period : nil
  }

  private mutating func measureBattery(at tick: Int64) {
    let wasLow = battery.isLow
    let hasChanged = battery.measure()
    planBattery(at: tick)
    if hasChanged {
      events.append(.batteryLevelChanged(battery.level))
      publishBattery()
    }
    if battery.isLow, !wasLow { lookSoon(at: tick) }
  }

  /// Stores the level for reads, and notifies it.
  private mutating func publishBattery() {
    guard softDevice.isReady else { return }
    softDevice.setValue(DictofunHandle.batteryLevel, [battery.level])
    hasUnsentBatteryLevel =
      !profile.faults.battery.neverNotifies && softDevice.isEnabled(DictofunHandle.batteryLevel)
    sendBatteryLevel()
  }

  /// Notifies a level that waits, if the stack has room.
  mutating func sendBatteryLevel() {
    guard hasUnsentBatteryLevel, isBluetoothRunning else { return }
    if softDevice.notify(DictofunHandle.batteryLevel, [battery.level]) != .busy { hasUnsentBatteryLevel = false }
  }

  // MARK: Sound

  /// Takes the sound that was heard up to `tick`.
  mutating func takeSound(upTo tick: Int64) {
    recording?.advance(to: tick, body.microphone, &body.storage)
  }
}
