import DictofunProtocol
import HCI
import HostStack
import Timeline

/// A whole simulated Dictofun above its controller, as a value: bootloader, firmware, Bluetooth host stack, and what
/// surrounds them.
///
///     off ──power──▶ bootloader ──settings in order──▶ application
///      ▲               ▲  │ reset ▲ └─image received─▶ reset  │
///      │               │  └───────┘                           │
///      │               └──────────── confirmed request ───────┤
///      └───────────────── power gone, or switched off ────────┘
///
/// It is off until its button is pressed or its rail is held. While it is off it hears nothing from its controller.
/// It asks to be woken only when something is due; a recorder that waits for a phone costs nothing.
public struct SimulatedRecorder {
  /// What it was made with.
  public let configuration: RecorderConfiguration
  private var application: RecorderApplication
  private var bootloader: BootloaderApplication
  private var host = HostMachine()
  private var hostEffects: [MachineEffect<HostEvent>] = []
  // What is being performed; kept so that nothing is allocated for every packet.
  private var performedEffects: [MachineEffect<HostEvent>] = []
  private var performedRequests: [HostRequest] = []
  private var engineAlarm: Instant?
  private var alarm: Instant?
  private var bootloaderAlarm: Instant?
  /// Resets with which the controller was silenced and that it has not answered. What it says before belongs to what
  /// was, and it takes no command (Vol 4, Part E, 7.3.2).
  private var unansweredResets = 0

  private static let engineToken = TimerToken(owner: .application, kind: 1)
  private static let alarmToken = TimerToken(owner: .application, kind: 2)
  private static let bootloaderToken = TimerToken(owner: .application, kind: 3)
  private static let silenceToken = TimerToken(owner: .application, kind: 4)
  /// HCI_Reset: the radio falls silent without a word, as it does when power is gone (Vol 4, Part E, 7.3.2).
  private static let resetCommand = HCIPacket(.command, [0x03, 0x0C, 0x00])
  /// How long a controller may take over that; one that takes longer is set up without its answer.
  private static let resetLimit = Duration.seconds(1)

  /// A recorder that is off.
  public init(_ configuration: RecorderConfiguration) {
    self.configuration = configuration
    application = RecorderApplication(configuration)
    bootloader = BootloaderApplication(configuration)
  }

  /// Takes one input at an instant and appends what is to be done about it.
  public mutating func handle(
    _ input: MachineInput<RecorderControl>, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch input {
    case .request(let control):
      application.take(control, at: instant)
      if bootloader.isRunning, control == .breakLink { bootloader.disconnect(.remoteUserTerminatedConnection) }
      if bootloader.isRunning, control == .cutPower { losePowerInBootloader(at: instant) }
    case .packet(let packet) where unansweredResets > 0: noteSilence(packet, &effects)
    case .timerFired(Self.silenceToken): unansweredResets = 0
    case .packet(let packet): if isOn { host.handle(.packet(packet), &hostEffects) }
    case .entropy(let token, let bytes): if isOn { host.handle(.entropy(token: token, bytes: bytes), &hostEffects) }
    case .controllerLost: if isOn { host.handle(.controllerLost, &hostEffects) }
    case .timerFired(Self.bootloaderToken):
      bootloaderAlarm = nil
      bootloader.advance(to: instant, &application.body.storage)
      if application.body.storage.hasPowerFailed { losePowerInBootloader(at: instant) }
    case .timerFired(let token) where token.owner == .application:
      if token == Self.engineToken { engineAlarm = nil } else { alarm = nil }
      application.advance(to: instant)
    case .timerFired(let token): if isOn { host.handle(.timerFired(token), &hostEffects) }
    }
    settle(at: instant, &effects)
  }

  // MARK: Seen from inside

  /// Whether it has power.
  public var isOn: Bool { application.isOn || bootloader.isRunning }
  /// Whether its bootloader runs, waiting for an update or putting one in place.
  public var isBootloaderRunning: Bool { bootloader.isRunning }
  /// Version of its application, as its bootloader knows it.
  public var firmwareVersion: UInt32 { bootloader.applicationVersion }
  /// Where its state machine stands; the last state while it is off.
  public var state: SystemState { application.state }
  /// How its application behaves, from the next boot on where that was changed.
  public var profile: RecorderProfile { application.body.profile }
  /// What its clock shows.
  public func clock(at instant: Instant) -> CivilTime { application.body.clock.time(at: instant) }
  /// Its finished records, in the order they were made.
  public var records: [PlacedRecord] {
    application.body.storage.finished.map { PlacedRecord(identifier: $0.identifier, content: $0.content) }
  }
  /// What its file system says of itself.
  public var fileSystemStatus: FileSystemStatus { application.body.storage.status }
  /// The phones it is bonded with, in the order they were paired.
  public var bonds: [Bond] { application.body.bonds }
  /// What it keeps without power.
  public var memory: RecorderMemory {
    RecorderMemory(
      address: configuration.address,
      profile: configuration.memory?.profile ?? configuration.lastingProfile ?? configuration.profile.name,
      board: bootloader.firmware.build.name, body: application.body, chip: bootloader.machine.flash)
  }
  /// The mean of the last measurements of its battery, in millivolts.
  public var batteryMillivolts: Int { application.battery.mean }
  /// The battery level it shows, in percent.
  public var batteryPercent: UInt8 { application.battery.level }
  /// What its LED shows; `nil` while it is off.
  public var light: LightSignal? { application.isOn ? application.light : nil }
  /// Operations on its flashes, that of records and the chip's own, since it was made; each can be where power fails.
  public var flashOperationCount: Int { application.body.storage.operationCount }

  // MARK: Between firmware and stack

  /// Lets firmware and stack answer each other until both have nothing more to say.
  private mutating func settle(at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]) {
    while true {
      if application.mustSilenceController { silence(&effects) }
      if let reason = application.powerOnReason {
        application.powerOnReason = nil
        if !isOn { powerOn(reason, at: instant) }
      } else if !hostEffects.isEmpty {
        swap(&hostEffects, &performedEffects)
        for effect in performedEffects { perform(effect, at: instant, &effects) }
        performedEffects.removeAll(keepingCapacity: true)
      } else if !application.softDevice.requests.isEmpty, unansweredResets == 0 {
        swap(&application.softDevice.requests, &performedRequests)
        for request in performedRequests { host.handle(.request(request), &hostEffects) }
        performedRequests.removeAll(keepingCapacity: true)
      } else if bootloader.isRunning || application.resetsIntoBootloader {
        if !settleBootloader(at: instant, &effects) { break }
      } else {
        break
      }
    }
    for event in application.events { effects.append(.event(event)) }
    application.events.removeAll(keepingCapacity: true)
    arm(&effects, at: instant)
  }

  private mutating func perform(
    _ effect: MachineEffect<HostEvent>, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch effect {
    case .event(let event):
      if bootloader.isRunning { bootloader.take(event, at: instant) } else { application.take(event, at: instant) }
    case .send(let packet): effects.append(.send(packet))
    case .startTimer(let token, let duration): effects.append(.startTimer(token, duration))
    case .cancelTimer(let token): effects.append(.cancelTimer(token))
    case .needEntropy(let request): effects.append(.needEntropy(request))
    }
  }

  /// Power is gone: the stack forgets its links and timers, the controller falls silent.
  private mutating func silence(_ effects: inout [MachineEffect<RecorderEvent>]) {
    application.mustSilenceController = false
    var forgotten: [MachineEffect<HostEvent>] = []
    host.handle(.controllerLost, &forgotten)
    for effect in hostEffects + forgotten {
      if case .cancelTimer(let token) = effect { effects.append(.cancelTimer(token)) }
    }
    hostEffects = []
    application.softDevice.requests.removeAll()
    bootloader.requests.removeAll()
    effects.append(.send(Self.resetCommand))
    unansweredResets += 1
    effects.append(.startTimer(Self.silenceToken, Self.resetLimit))
  }

  /// Command_Complete of HCI_Reset: the controller is silent, and can be set up.
  private mutating func noteSilence(_ packet: HCIPacket, _ effects: inout [MachineEffect<RecorderEvent>]) {
    guard packet.kind == .event, case .commandComplete(.reset, _, _)? = try? Event(decoding: packet.bytes) else {
      return
    }
    unansweredResets -= 1
    if unansweredResets == 0 { effects.append(.cancelTimer(Self.silenceToken)) }
  }

  // MARK: Waking

  /// Asks to be woken when something is due. The alarm for everything but the file transfer is left alone when it
  /// rings too early: traffic moves the time-outs on with every packet.
  private mutating func arm(_ effects: inout [MachineEffect<RecorderEvent>], at instant: Instant) {
    let engineDue = application.engineDueTick.map(application.oscillator.instant(of:))
    if engineDue != engineAlarm {
      engineAlarm = engineDue
      effects.append(Self.timer(Self.engineToken, engineDue, from: instant))
    }
    if bootloader.due != bootloaderAlarm {
      bootloaderAlarm = bootloader.due
      effects.append(Self.timer(Self.bootloaderToken, bootloaderAlarm, from: instant))
    }
    let due = application.dueTick.map(application.oscillator.instant(of:))
    if let due {
      guard alarm.map({ $0 > due }) ?? true else { return }
    } else if alarm == nil {
      return
    }
    alarm = due
    effects.append(Self.timer(Self.alarmToken, due, from: instant))
  }

  private static func timer(
    _ token: TimerToken, _ due: Instant?, from instant: Instant
  ) -> MachineEffect<RecorderEvent> {
    guard let due else { return .cancelTimer(token) }
    return .startTimer(token, due > instant ? instant.duration(to: due) : .zero)
  }
}

// MARK: Between bootloader and application

extension SimulatedRecorder {
  /// Power has come: the chip starts with its bootloader, which mostly hands it over at once.
  private mutating func powerOn(_ reason: BootReason, at instant: Instant) {
    application.body.storage.regainPower()
    bootloader.start(.normal, name: application.body.bootloaderName, at: instant)
    if bootloader.outcome == .startApplication { return startApplication(reason, at: instant) }
    if application.profile.policies.clockBackup == .standsStill {
      application.body.clock.setStopped(false, at: instant)
    }
    application.events.append(.poweredOn(reason))
  }

  /// Lets the bootloader and what is around it go on. Returns whether anything happened.
  private mutating func settleBootloader(
    at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) -> Bool {
    takeOverEvents()
    if application.resetsIntoBootloader {
      application.reset(at: instant)
      silence(&effects)
      bootloader.start(.updateRequested, name: application.body.bootloaderName, at: instant)
    } else if !bootloader.requests.isEmpty, unansweredResets == 0 {
      let requests = bootloader.requests
      bootloader.requests.removeAll(keepingCapacity: true)
      for request in requests { host.handle(.request(request), &hostEffects) }
    } else if let outcome = bootloader.outcome {
      perform(outcome, at: instant, &effects)
    } else {
      return false
    }
    return true
  }

  private mutating func perform(
    _ outcome: BootloaderApplication.Outcome, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch outcome {
    case .reset:
      silence(&effects)
      bootloader.start(.normal, name: application.body.bootloaderName, at: instant)
    case .radioLost:
      silence(&effects)
      bootloader.radioLost(at: instant)
    case .startApplication: startApplication(nil, at: instant)
    }
  }

  /// The bootloader hands the chip over; what an update changed shows from now on.
  private mutating func startApplication(_ reason: BootReason?, at instant: Instant) {
    application.body.bootloaderName = bootloader.machine.flash.advertisedName
    let handOver = bootloader.handOver(original: configuration.profile)
    if let profile = handOver.profile { application.body.profile = profile }
    if handOver.isUpdated { sufferUpdate(at: instant) }
    application.boot(reason, at: instant)
    if handOver.wasBusy {
      application.events.append(.applicationStarted(version: handOver.version, isWhole: handOver.isWhole))
    }
  }

  /// What an update does to what it should leave alone.
  private mutating func sufferUpdate(at instant: Instant) {
    switch configuration.profile.policies.update {
    case .keepsEverything: break
    case .erasesRecords: _ = application.body.storage.format()
    case .forgetsBonds: application.body.bonds.removeAll()
    case .losesTime: application.body.clock.set(CivilTime(secondsSince2000: 0), at: instant)
    }
  }

  private mutating func takeOverEvents() {
    application.events += bootloader.events
    bootloader.events.removeAll()
  }

  private mutating func losePowerInBootloader(at instant: Instant) {
    takeOverEvents()
    bootloader.losePower()
    application.powerIsGone(.cut, at: instant)
  }
}
