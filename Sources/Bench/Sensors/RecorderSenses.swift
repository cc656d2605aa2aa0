import Bytes
import Timeline

/// Everything that sees what one recorder does while a scenario runs.
package final class RecorderSenses {
  /// Told of every fact that was seen.
  package var onSighting: ((Sighting) -> Void)?

  private let device: ActuatedDevice
  private let scanner: AirScanner?
  private let loop: EventLoop
  private var air = AdvertisingSense()
  private var rail: PollSense?
  private var current: CurrentSense?
  private let sense = ConsoleSense()
  private var firmware: FirmwareSense
  /// Whether the bench is cutting the power.
  private var isCutting = false
  private var poll: ScheduledEvent?
  private var pollTrouble: String?

  /// Time from one look at the rail to the next.
  private static let pace = Duration.milliseconds(100)
  /// Time in which the Pico measures and answers, beyond what is seen of it.
  private static let railLag = Duration.milliseconds(20)

  /// Begins to look.
  package init(_ device: ActuatedDevice, scanner: AirScanner?, on loop: EventLoop) {
    self.device = device
    self.scanner = scanner
    self.loop = loop
    firmware = FirmwareSense(device.place.firmware)
    if scanner != nil {
      device.ear.open(at: loop.now, patience: AdvertisingSense.longestPatience, latency: AdvertisingSense.latency)
    }
    device.console?.onSaid = { [weak self] log in self?.take(log) }
    device.onWritten = { [weak self] digest in self?.firmware.take(written: digest) }
    if device.pico != nil {
      rail = PollSense(.rail, lag: Self.railLag)
      lookLater()
    } else if let plan = device.place.senseOfCurrent {
      current = CurrentSense(plan, longestGap: Self.pace * 3)
      lookLater()
    }
  }

  deinit { if let poll { loop.cancel(poll) } }

  private func take(_ log: ConsoleLog) {
    if let sighting = sense.take(log, at: loop.now) { tell(sighting) }
    let earliest = loop.now.before(ConsoleSense.latency)
    if let version = firmware.take(log.text, from: earliest, to: loop.now) {
      tell(Sighting(.application(version: version), from: earliest, to: loop.now, by: .console))
    }
  }

  /// The version of the application that it runs, and who told; or why that cannot be told.
  package var runningVersion: (version: UInt32?, source: String) {
    switch firmware.answer {
    case .version(let version, let source): (version, source)
    case .unknown(let reason): (nil, reason)
    }
  }

  /// Whether its application has started since its power or its firmware was last touched: its bootloader does not run then.
  package var hasApplicationStarted: Bool { firmware.hasStarted }

  /// When something was last done after which another application may run; `nil` for never.
  package var firmwareDisturbedAt: Instant? { firmware.disturbedAt }

  /// A phone does something after which another application may run, on a link that came up at an instant; `nil` where that
  /// is not known.
  package func firmwareMayChange(onLinkSince linkUp: Instant?) { firmware.disturb(at: loop.now, onLinkSince: linkUp) }

  /// Takes an advertisement of anybody.
  package func hear(_ address: BluetoothAddress) {
    guard address == device.address else { return }
    device.ear.hear(at: loop.now)
    if let sighting = air.hear(at: loop.now) { tell(sighting) }
  }

  /// A phone of ours is connected to the recorder, which does not advertise then.
  package func linkUp() {
    device.ear.linkUp()
    air.interrupt(at: loop.now)
  }

  /// The bench begins to do something to the recorder.
  package func begin(_ deed: Deed) {
    air.beginDeed(cutsPower: deed == .cutPower)
    current?.beginDeed()
    isCutting = deed == .cutPower
    switch deed {
    case .installFirmware: firmware.disturb(at: loop.now)
    case .cutPower, .powerOn: firmware.switchPower()
    default: break
    }
  }

  /// The bench has done it.
  package func endDeed() {
    air.endDeed(at: loop.now)
    current?.endDeed(at: loop.now)
    if isCutting { firmware.powerWasCut(at: loop.now) }
    isCutting = false
  }

  /// Why one of its sensors tells nothing any more; `nil` while all work.
  package var trouble: String? { pollTrouble ?? scanner?.trouble }

  /// The time after which a fact that happened must have been seen; `nil` where it may be missed.
  package func patience(for kind: SensedKind) -> Duration? {
    switch kind {
    case .advertising: scanner == nil ? nil : air.patience
    case .power: rail == nil ? nil : Self.pace * 3 + Self.railLag
    case .record, .state, .firmware: nil
    }
  }

  /// Whether what is looked at, if anything, was asked at or after an instant and has answered, so that its silence up to
  /// then proves something: an instrument that hangs has seen nothing.
  package func hasLooked(since instant: Instant) -> Bool {
    guard let rail else { return true }
    return rail.askedAt.map { $0.before(rail.lag) >= instant } ?? false
  }

  /// Whether the recorder is on, as far as the last look showed; `nil` where nothing looks.
  package var isOn: Bool? { rail?.isOn ?? current?.isOn }

  /// When the last look was asked for that showed it; `nil` before the first.
  package var lookedAt: Instant? { rail?.askedAt ?? current?.askedAt }

  /// Stops looking.
  package func close() {
    if let poll { loop.cancel(poll) }
    poll = nil
    device.console?.onSaid = nil
    device.onWritten = nil
  }

  private func tell(_ sighting: Sighting) {
    if case .power(isOn: false) = sighting.fact { air.interrupt(at: sighting.latest) }
    onSighting?(sighting)
  }

  private func lookLater() {
    poll = loop.schedule(after: Self.pace, .background) { [weak self] in
      guard let self else { return }
      look()
      lookLater()
    }
  }

  private func look() {
    guard pollTrouble == nil else { return }
    if current != nil { return lookAtCurrent() }
    guard let pico = device.pico else { return }
    let askedAt = loop.now
    pico.look { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let sense):
        guard let sighting = rail?.take(sense.isPowered, askedAt: askedAt, answeredAt: loop.now) else { return }
        tell(sighting)
      case .failure(.bench(let fault)): pollTrouble = fault.description
      case .failure: pollTrouble = "the Pico's rail sense cannot be read"
      }
    }
  }

  private func lookAtCurrent() {
    let askedAt = loop.now
    device.measuringSupply?.look { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let reading):
        let change = current?.take(microamperes: reading, askedAt: askedAt, answeredAt: loop.now)
        guard let change else { return }
        tell(Sighting(.power(isOn: change.isOn), from: change.earliest, to: change.latest, by: .current))
      case .failure(.bench(let fault)): pollTrouble = fault.description
      case .failure: pollTrouble = "the supply's current cannot be read"
      }
    }
  }
}
