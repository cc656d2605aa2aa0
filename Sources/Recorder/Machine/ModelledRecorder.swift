import Bytes
import Charts
import DictofunProtocol
import HostStack
import Timeline

/// The modelled Dictofun: bootloader and application of the published firmware on one chip, as a value.
///
///     off ──power──▶ bootloader ──settings in order──▶ application
///      ▲               ▲  │ reset ▲ └─image received─▶ reset  │
///      │               │  └───────┘                           │
///      │               └──────────── confirmed request ───────┤
///      └───────────────── power gone, or switched off ────────┘
///
/// It asks to be woken only when something is due; a recorder that waits for a phone costs nothing.
package struct ModelledRecorder: RecorderApplicationMachine {
  private let configuration: RecorderConfiguration
  private(set) var application: RecorderApplication
  private var bootloader: BootloaderApplication
  private var engineAlarm: Instant?
  private var alarm: Instant?
  private var bootloaderAlarm: Instant?

  private static let engineTimer: UInt8 = 1
  private static let alarmTimer: UInt8 = 2
  private static let bootloaderTimer: UInt8 = 3

  /// A recorder that is off.
  package init(_ configuration: RecorderConfiguration) {
    self.configuration = configuration
    application = RecorderApplication(configuration)
    bootloader = BootloaderApplication(configuration)
  }

  package var isOn: Bool { application.isOn || bootloader.isRunning }

  package mutating func take(_ control: RecorderControl, at instant: Instant) {
    application.take(control, at: instant)
    if control == .writeFirmware {
      bootloader = BootloaderApplication(configuration)
      application.take(.setProfile(configuration.profile), at: instant)
    }
    guard bootloader.isRunning else { return }
    if control == .breakLink { bootloader.disconnect(.remoteUserTerminatedConnection) }
    if control == .cutPower { losePowerInBootloader(at: instant) }
  }

  package mutating func take(_ event: HostEvent, at instant: Instant) {
    if bootloader.isRunning { bootloader.take(event, at: instant) } else { application.take(event, at: instant) }
  }

  package mutating func timerFired(_ kind: UInt8, at instant: Instant) {
    switch kind {
    case Self.bootloaderTimer:
      bootloaderAlarm = nil
      bootloader.advance(to: instant, &application.body.storage)
      if application.body.storage.hasPowerFailed { losePowerInBootloader(at: instant) }
    case Self.engineTimer:
      engineAlarm = nil
      application.advance(to: instant)
    default:
      alarm = nil
      application.advance(to: instant)
    }
  }

  package mutating func drain(_ output: inout RecorderOutput) {
    if application.mustSilenceController {
      application.mustSilenceController = false
      output.silencesController = true
    }
    Self.move(&application.softDevice.requests, to: &output.requests)
    Self.move(&bootloader.requests, to: &output.requests)
    Self.move(&application.events, to: &output.events)
    Self.move(&bootloader.events, to: &output.events)
  }

  /// Moves one list behind another; where that one is empty they change places, so that nothing is allocated.
  private static func move<Element>(_ source: inout [Element], to target: inout [Element]) {
    if source.isEmpty { return }
    if target.isEmpty { return swap(&source, &target) }
    target += source
    source.drain()
  }

  package mutating func settle(at instant: Instant) -> Bool {
    if let reason = application.powerOnReason {
      application.powerOnReason = nil
      if !isOn { powerOn(reason, at: instant) }
      return true
    }
    guard bootloader.isRunning || application.resetsIntoBootloader else { return false }
    return settleBootloader(at: instant)
  }

  /// The alarm for everything except the file transfer is not moved when it would ring too early, because traffic moves
  /// the time-outs with every packet.
  package mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {
    let engineDue = dueInstant(of: application.engineDueTick())
    if engineDue != engineAlarm {
      engineAlarm = engineDue
      timers.append(RecorderTimer(Self.engineTimer, due: engineDue))
    }
    let bootloaderDue = bootloader.dueInstant()
    if bootloaderDue != bootloaderAlarm {
      bootloaderAlarm = bootloaderDue
      timers.append(RecorderTimer(Self.bootloaderTimer, due: bootloaderAlarm))
    }
    let due = dueInstant(of: application.dueTick())
    if let due {
      guard alarm.map({ $0 > due }) ?? true else { return }
    } else if alarm == nil {
      return
    }
    alarm = due
    timers.append(RecorderTimer(Self.alarmTimer, due: due))
  }

  /// Mutating for the reason that ``RecorderApplication/dueTick()`` is.
  private mutating func dueInstant(of tick: Int64?) -> Instant? {
    guard let tick else { return nil }
    return application.oscillator.instant(of: tick)
  }
}

// MARK: Seen from inside

extension ModelledRecorder {
  package func inspect(at instant: Instant) -> RecorderInspection {
    var inspection = RecorderInspection(isOn: isOn)
    inspection.isBootloaderRunning = bootloader.isRunning
    inspection.stateName = application.state.firmwareName
    inspection.firmwareVersion = bootloader.applicationVersion
    inspection.profile = application.body.profile
    inspection.records = application.body.storage.finished.map {
      PlacedRecord(identifier: $0.identifier, content: $0.content)
    }
    inspection.fileSystemStatus = application.body.storage.status
    inspection.bondCount = application.body.bonds.count
    inspection.batteryMillivolts = application.battery.mean
    inspection.batteryPercent = application.battery.level
    inspection.light = application.isOn ? application.light : nil
    return inspection
  }

  package func clock(at instant: Instant) -> CivilTime? { application.body.clock.time(at: instant) }

  package var memory: RecorderMemory? {
    RecorderMemory(
      address: configuration.address,
      profile: configuration.memory?.profile ?? configuration.lastingProfile ?? configuration.profile.name,
      board: bootloader.firmware.build.name, body: application.body, chip: bootloader.machine.flash)
  }

  package var flashOperationCount: Int { application.body.storage.operationCount }

  package var chartLogs: [ChartLog] { [application.power.chartLog] }
}

// MARK: Between bootloader and application

extension ModelledRecorder {
  /// Power has come: the chip starts with its bootloader, which usually starts the application at once.
  private mutating func powerOn(_ reason: BootReason, at instant: Instant) {
    application.power.take(.powered)
    application.body.storage.regainPower()
    bootloader.start(.normal, name: application.body.bootloaderName, at: instant)
    if bootloader.outcome == .startApplication { return startApplication(reason, at: instant) }
    if application.profile.faults.clock.standsStillWhileOff {
      application.body.clock.setStopped(false, at: instant)
    }
    application.events.append(.poweredOn(reason))
  }

  /// Lets the bootloader continue. Returns whether anything happened.
  private mutating func settleBootloader(at instant: Instant) -> Bool {
    if application.resetsIntoBootloader {
      application.reset(at: instant)
      bootloader.start(.updateRequested, name: application.body.bootloaderName, at: instant)
    } else if let outcome = bootloader.outcome {
      perform(outcome, at: instant)
    } else {
      return false
    }
    return true
  }

  private mutating func perform(_ outcome: BootloaderApplication.Outcome, at instant: Instant) {
    switch outcome {
    case .reset:
      application.power.take(.bootloaderReset)
      application.mustSilenceController = true
      bootloader.start(.normal, name: application.body.bootloaderName, at: instant)
    case .radioLost:
      application.mustSilenceController = true
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

  /// Applies the faults that let an update change what it should leave alone.
  private mutating func sufferUpdate(at instant: Instant) {
    let faults = configuration.profile.faults.update
    if faults.erasesRecords { _ = application.body.storage.format() }
    if faults.forgetsBonds { application.body.bonds.removeAll() }
    if faults.losesTime { application.body.clock.set(CivilTime(secondsSince2000: 0), at: instant) }
  }

  private mutating func losePowerInBootloader(at instant: Instant) {
    Self.move(&bootloader.events, to: &application.events)
    bootloader.losePower()
    application.powerIsGone(.cut, at: instant)
  }
}
