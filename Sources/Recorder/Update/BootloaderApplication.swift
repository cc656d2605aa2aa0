import Bytes
import Crypto
import HCI
import HostStack
import SecureDFU
import Timeline

/// The bootloader on the recorder's chip: Nordic's machine with a radio, a flash that takes its time, clocks, and the
/// faults that a run plants around it.
///
/// It runs at every start of the chip. While there is no update it starts the application at once, and the recorder
/// behaves as one without a bootloader.
struct BootloaderApplication {
  /// What the chip does next.
  enum Outcome: Hashable {
    /// It resets; the link falls silent.
    case reset
    /// The radio falls silent and is set up again.
    case radioLost
    /// The application starts.
    case startApplication
  }

  /// An application that the bootloader hands the chip to.
  struct HandOver {
    /// Its version, as the settings say.
    var version: UInt32
    /// Whether it is a complete image, octet by octet.
    var isWhole: Bool
    /// How the recorder behaves from now on; `nil` for as before.
    var profile: RecorderProfile?
    /// Whether an image was put in place since the application ran last.
    var isUpdated: Bool
    /// Whether the bootloader did anything before.
    var wasBusy: Bool
  }

  /// The state that ends with the next start.
  struct Session {
    var flashOperation: FlashOperation?
    var flashDue: Instant?
    var inactivityDue: Instant?
    var resetDue: Instant?
    /// When the radio is set up.
    var radioDue: Instant?
    var isRadioReady = false
    var advertisement: Advertisement?
    var link: ConnectionHandle?
    /// The write to the control point that is not answered yet.
    var access: AccessToken?
    /// Notifications that a fault holds back.
    var delayed: [(due: Instant, value: [UInt8])] = []
  }

  /// Counts for faults that strike at a number.
  struct Counts {
    var packets = 0
    var receipts = 0
    var answers = 0
    var exchanges = 0
    var tickets: UInt32 = 0
    var hasBrokenConnection = false
  }

  let address: BluetoothAddress
  let firmware: RecorderFirmware
  var machine: Bootloader
  var session = Session()
  var counts = Counts()
  /// Requests for the host stack, in order.
  var requests: [HostRequest] = []
  /// Events that were not reported yet.
  var events: [RecorderEvent] = []
  /// What the chip does next.
  var outcome: Outcome?
  /// Whether the chip runs it.
  private(set) var isRunning = false

  /// Whether it did anything since the application last ran.
  private var wasBusy = false
  /// Whether an image was put in place since the application ran last.
  private var isUpdated = false
  /// Whether bank 0 may have changed since it was last hashed.
  private var mayHaveChanged = false
  /// Digests of the images that were on the chip or were announced to it.
  private var genuine: [[UInt8]] = []

  /// From its start until its radio is set up.
  private static let radioStart = Duration.milliseconds(50)

  /// The bootloader of a chip that is off.
  init(_ configuration: RecorderConfiguration) {
    var firmware = configuration.firmware
    configuration.profile.faults.bootloader.apply(to: &firmware)
    if let idle = configuration.profile.bootloaderIdle {
      firmware.build.inactivityTimeout = Int(idle.wholeNanoseconds / 1_000_000)
    }
    self.firmware = firmware
    address =
      firmware.faults.keepsAddress
      ? configuration.address
      : BluetoothAddress(
        littleEndian: Bootloader.address(ofApplication: configuration.address.littleEndian), configuration.address.kind)
    machine = Bootloader(
      build: firmware.build, publicKey: firmware.publicKey, flash: configuration.memory?.chip ?? firmware.flash)
    // What is on a chip that was used before shows when it is hashed.
    mayHaveChanged = configuration.memory != nil
  }

  /// Version of the application, as the settings say.
  var applicationVersion: UInt32 { machine.flash.storedSettings?.applicationVersion ?? 0 }

  // MARK: Life

  /// The chip starts; `name` is what the application stored to be advertised.
  mutating func start(_ reason: SecureDFU.BootReason, name: [UInt8]?, at instant: Instant) {
    session = Session()
    outcome = nil
    isRunning = true
    if machine.flash.storedSettings?.bank1.content == .application { isUpdated = true }
    machine.alterFlash { $0.advertisedName = name }
    give(.started(reason), at: instant)
    if outcome != .startApplication { wasBusy = true }
  }

  /// Power is gone.
  mutating func losePower() {
    machine.cutPower()
    stop()
  }

  /// Hands the chip to the application.
  mutating func handOver(original profile: RecorderProfile) -> HandOver {
    var result = HandOver(
      version: applicationVersion, isWhole: true, profile: nil, isUpdated: isUpdated, wasBusy: wasBusy)
    if mayHaveChanged {
      let digest = SHA256.digest(machine.flash.application ?? [])
      let isOriginal = firmware.image.map { SHA256.digest($0) == digest } ?? false
      let known = firmware.known.first { $0.digest == digest }
      result.isWhole = isOriginal || known != nil || genuine.contains(digest)
      result.profile = isOriginal ? profile : known?.profile
      mayHaveChanged = false
    }
    stop()
    isUpdated = false
    wasBusy = false
    return result
  }

  private mutating func stop() {
    session = Session()
    requests.removeAll()
    outcome = nil
    isRunning = false
  }

  /// The radio fell silent although the chip still runs.
  mutating func radioLost(at instant: Instant) {
    outcome = nil
    session.isRadioReady = false
    session.radioDue = instant.advanced(by: Self.radioStart)
    linkEnded(at: instant)
  }

  // MARK: Time

  /// When it must be woken. Mutating for the reason that ``RecorderApplication/dueTick()`` is.
  mutating func dueInstant() -> Instant? {
    guard isRunning else { return nil }
    return [
      session.flashDue, session.inactivityDue, session.resetDue, session.radioDue, session.delayed.map(\.due).min(),
    ].reduce(nil) { first, next in
      guard let next else { return first }
      return min(first ?? next, next)
    }
  }

  /// Does everything that is due. Each operation of the flash needs power, which can fail there.
  mutating func advance(to instant: Instant, _ storage: inout RecordStorage) {
    while outcome == nil, let due = session.flashDue, due <= instant {
      guard storage.operate() else { return }
      endFlashOperation(at: instant)
    }
    while let index = session.delayed.firstIndex(where: { $0.due <= instant }) {
      send(session.delayed.remove(at: index).value)
    }
    if let due = session.radioDue, due <= instant {
      session.radioDue = nil
      startRadio()
    }
    if let due = session.inactivityDue, due <= instant {
      session.inactivityDue = nil
      give(.timerFired(.inactivity), at: instant)
    }
    if let due = session.resetDue, due <= instant {
      session.resetDue = nil
      give(.timerFired(.reset), at: instant)
    }
  }

  private mutating func endFlashOperation(at instant: Instant) {
    session.flashDue = nil
    switch session.flashOperation {
    case .erase?, .write?, .copy?: mayHaveChanged = true
    case .eraseSettings?, .storeSettings?, nil: break
    }
    give(.flashOperationEnded, at: instant)
  }

  // MARK: The machine

  /// Gives the machine an input and does what it wants.
  mutating func give(_ input: BootloaderInput, at instant: Instant) {
    let wasUpdating = machine.isUpdating
    var effects: [BootloaderEffect] = []
    machine.handle(input, &effects)
    let isPacket = if case .packetWritten = input { true } else { false }
    for effect in effects { perform(effect, causedByPacket: isPacket, at: instant) }
    if machine.isUpdating, !wasUpdating { events.append(.bootloaderStarted) }
  }

  private mutating func perform(_ effect: BootloaderEffect, causedByPacket isReceipt: Bool, at instant: Instant) {
    switch effect {
    case .respond(let code): answerWrite(code)
    case .notify(let value):
      note(value)
      notify(value, isReceipt: isReceipt, at: instant)
    case .beginFlashOperation(let operation):
      session.flashOperation = operation
      session.flashDue = instant.advanced(by: .microseconds(firmware.timing.duration(of: operation)))
    case .startTimer(.inactivity, let milliseconds):
      if !firmware.faults.neverTimesOut { session.inactivityDue = instant.advanced(by: .milliseconds(milliseconds)) }
    case .startTimer(.reset, let milliseconds): session.resetDue = instant.advanced(by: .milliseconds(milliseconds))
    case .advertise(let data, let interval): advertise(data, interval: interval, at: instant)
    case .requestConnectionParameters(let interval, let latency, let timeout):
      request(
        ConnectionParameters(
          intervalUnits: UInt16(clamping: interval), latency: UInt16(clamping: latency),
          supervisionTimeoutUnits: UInt16(clamping: timeout)))
    case .disconnect(let reason): disconnect(ErrorCode(rawValue: reason))
    case .reset: outcome = .reset
    case .startApplication: outcome = .startApplication
    case .assertionFailed: break
    case .packetDropped: events.append(.updatePacketDropped)
    }
  }

  /// Reports the update's progress from the answer to an executed object.
  private mutating func note(_ value: [UInt8]) {
    guard value.count > 2, value[1] == DFUOpCode.executeObject.rawValue else { return }
    guard value[2] == DFUResultCode.success.rawValue else {
      if value[2] != DFUResultCode.operationNotPermitted.rawValue { events.append(.updateRefused(Array(value[2...]))) }
      return
    }
    if let hash = (try? InitPacket(decoding: machine.settings.progress.command))?.command.hash {
      let digest = Array(hash.digest.reversed())
      if !genuine.contains(digest) { genuine.append(digest) }
    }
    if machine.settings.bank1.content != .nothing {
      events.append(.updateFinished(version: machine.settings.applicationVersion))
    }
  }

  /// Advertises as soon as its radio is ready.
  private mutating func advertise(_ data: [UInt8], interval: Int, at instant: Instant) {
    session.advertisement = Advertisement(
      intervalUnits: UInt16(clamping: interval), data: firmware.faults.advertised(data))
    if session.isRadioReady {
      startAdvertising()
    } else if session.radioDue == nil {
      session.radioDue = instant.advanced(by: Self.radioStart + firmware.faults.advertisingDelay)
    }
  }
}
