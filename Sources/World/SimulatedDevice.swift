import Bytes
import Crypto
import DictofunProtocol
import HCI
import Phone
import Recorder
import Requirements
import Timeline
import Trace

extension SimulatedRecorder: StationMachine {}

/// A simulated recorder in a world, with the controls that steps use.
public final class SimulatedDevice: DeviceControl {
  public let name: String
  public let address: BluetoothAddress
  /// Its number in traces and events.
  public let index: UInt16
  /// Sees every event of the recorder.
  public var onEvent: ((RecorderEvent) -> Void)?

  /// Called with what the recorder keeps without power, at once and after every change. A phone learns of a change only
  /// afterwards, so what it was told is stored.
  package var onMemoryChange: ((RecorderMemory) -> Void)? {
    didSet {
      station.onStep = onMemoryChange.map { _ in { [weak self] in self?.tellMemory() } }
      tellMemory()
    }
  }
  private var toldMemory: RecorderMemory?
  /// A finger that is on the button cannot press it again, and one that is not cannot be lifted.
  private var isButtonDown = false

  private let world: BluetoothWorld
  private let station: Station<SimulatedRecorder>
  /// Whether the scenario makes its bootloader send what the protocol does not allow.
  private let isDisturbed: Bool
  /// Whether the scenario keeps phones from finding its bootloader at once.
  private let isHindered: Bool
  /// Whether the scenario keeps it from switching itself off.
  private let staysAwake: Bool
  /// The voltage of its battery, in millivolts.
  private var millivolts: Int
  /// Finished records that it was last seen with.
  private var held: [RecordIdentifier] = []
  private let configuredProfile: RecorderProfile
  /// The clock that the recorder's is compared with where it is not known which phone gave it the time; `nil` where it is
  /// compared with none.
  private let reference: () -> LocalSeconds?

  /// Attaches a recorder to a pipe; it is off until its button is pressed or its rail is held.
  public init(
    _ name: String, index: UInt16, _ configuration: RecorderConfiguration, in world: BluetoothWorld,
    on pipe: any PacketPipe, running program: RecorderProgram = .modelled,
    entropy: EntropySource = .seed, comparedWith reference: @escaping () -> LocalSeconds?
  ) {
    self.name = name
    self.index = index
    self.world = world
    self.reference = reference
    address = configuration.address
    configuredProfile = configuration.profile
    isDisturbed = configuration.firmware.faults.breaksProtocol
    isHindered = configuration.firmware.faults.hindersConnections
    staysAwake = configuration.staysAwake
    millivolts = configuration.batteryMillivolts
    station = world.stand(
      SimulatedRecorder(running: program.machine(configuration)), named: name, as: .recorder(index), on: pipe,
      entropy: entropy)
    station.onEvent = { [weak self] event in self?.take(event) }
    held = heldNow ?? []
    world.recorderUses.append { [station, loop = world.loop] in station.machine.use(at: loop.now) }
  }

  /// Operations on its flash since it was made; power can fail at each.
  var flashOperationCount: Int { station.machine.flashOperationCount }

  /// Everything in its chip's flash; `nil` for a model.
  var chipFlash: [UInt8]? { station.machine.chipFlash }

  /// Takes the recorder out of the world.
  public func retire() { station.retire() }

  public func pressButton() throws(ControlFailure) {
    guard !isButtonDown else { return }
    isButtonDown = true
    world.state(.buttonPressed(recorder: index))
    station.request(.pressButton)
  }

  public func releaseButton() throws(ControlFailure) {
    guard isButtonDown else { return }
    isButtonDown = false
    world.state(.buttonReleased(recorder: index))
    station.request(.releaseButton)
  }

  public func powerOn() throws(ControlFailure) { station.request(.holdRail) }

  public func cutPower() throws(ControlFailure) {
    station.request(.releaseRail)
    station.request(.cutPower)
  }

  public func cutPower(afterStorageOperations operations: Int) throws(ControlFailure) {
    station.request(.releaseRail)
    station.request(.cutPowerAtFlashOperation(skipping: operations))
  }

  public func setBattery(millivolts: Int) throws(ControlFailure) {
    self.millivolts = millivolts
    world.state(.batteryVoltage(recorder: index, millivolts: millivolts))
    station.request(.setBattery(millivolts: millivolts))
  }

  public func setClock(_ seconds: LocalSeconds) throws(ControlFailure) {
    station.request(.setClock(try CivilTime(onRecorder: seconds)))
    world.state(.clockSetByHand(recorder: index))
  }

  /// Lets its clock count time that passed in reality and not in its world.
  package func countTime(_ time: Duration) { station.request(.countTime(time)) }

  public func setOscillatorError(partsPerBillion: Int) throws(ControlFailure) {
    station.request(.setClockError(partsPerBillion: Int64(partsPerBillion)))
  }

  public func setSound(_ samples: [Int16]) throws(ControlFailure) {
    station.request(.setMicrophone(Microphone(samples: samples)))
  }

  /// Erases all records, as the console can.
  public func eraseRecords() {
    world.state(.recordsErasedByHand(recorder: index))
    station.request(.eraseRecords)
    held = heldNow ?? held
  }

  /// Writes the bootloader and the application with which it began, as a programmer does, and boots them.
  package func writeFirmware() throws(ControlFailure) {
    try cutPower()
    station.request(.writeFirmware)
    try powerOn()
  }

  /// SHA-256 of the application in its chip; `nil` where it has none, or its program does not keep one there.
  package var applicationDigest: [UInt8]? { station.machine.memory?.application.map { SHA256.digest($0) } }

  /// How long things take in it, as its firmware is configured.
  package var timing: RecorderTiming { configuredProfile.timing }

  /// What the recorder measures at its battery, in millivolts, smoothed as its firmware does.
  public var batteryMillivolts: Int? { inspection.batteryMillivolts }

  private var inspection: RecorderInspection { station.machine.inspect(at: world.loop.now) }

  /// Ends the link, if there is one.
  public func breakLink() { station.request(.breakLink) }

  /// How the recorder behaves, from its next boot on.
  public var profile: RecorderProfile {
    get { inspection.profile ?? configuredProfile }
    set { station.request(.setProfile(newValue)) }
  }

  /// Puts a finished record into its flash. Returns `false` if there is no room or the name is taken.
  public func place(_ record: PlacedRecord) -> Bool {
    let before = inspection.records ?? []
    guard !before.contains(where: { $0.identifier == record.identifier }) else { return false }
    station.request(.placeRecord(record))
    held = heldNow ?? held
    return inspection.records?.count ?? 0 > before.count
  }

  public func forgetBonds() throws(ControlFailure) {
    world.state(.bondsForgottenByHand(recorder: index))
    station.request(.forgetBonds)
  }

  public func inspect() throws(ControlFailure) -> DeviceInspection {
    let inside = inspection
    guard let records = inside.records, let clock = station.machine.clock(at: world.loop.now) else {
      throw .lacking("sensors: inspection")
    }
    return DeviceInspection(
      isOn: inside.isOn, state: inside.stateName, clock: clock.secondsSince2000,
      records: records.map { LibraryEntry(identifier: $0.identifier.description, bytes: $0.content) },
      bondCount: inside.bondCount, firmwareVersion: inside.firmwareVersion,
      isBootloaderRunning: inside.isBootloaderRunning, light: inside.light?.description)
  }

  private func tellMemory() {
    guard let onMemoryChange else { return }
    // Unchanged octets are the same buffer, so comparing them is cheap.
    guard let memory = station.machine.memory, memory != toldMemory else { return }
    toldMemory = memory
    onMemoryChange(memory)
  }

  private func take(_ event: RecorderEvent) {
    switch event {
    case .poweredOn:
      world.state(.recorderPowered(recorder: index, isOn: true))
      world.state(.batteryVoltage(recorder: index, millivolts: millivolts))
      if staysAwake { world.state(.keptAwake(recorder: index)) }
      stateFirmware()
      stateGoneRecords()
    case .poweredOff:
      world.state(.recorderPowered(recorder: index, isOn: false))
      stateGoneRecords()
    case .recordBegan(let identifier):
      guard let clock = station.machine.clock(at: world.loop.now) else { break }
      world.state(.recordBegun(recorder: index, identifier, clock: clock, held: held))
    case .recordFinished(let identifier, let size):
      world.state(.recordFinished(recorder: index, identifier, octets: UInt32(clamping: size)))
      if !held.contains(identifier) { held.append(identifier) }
    case .stateChanged(_, let state): world.state(.recorderState(recorder: index, name: state.firmwareName))
    case .bondMade(let phone, let others): world.state(.bondMade(recorder: index, phone, others: others))
    case .pairingRefused(let owners): world.state(.pairingRefused(recorder: index, owners: owners))
    case .unpairRequested(let phone): world.state(.unpairTold(recorder: index, phone))
    case .bondsRemoved(let phones): world.state(.bondsRemoved(recorder: index, phones))
    case .batteryLow: world.state(.recorderCannotServe(recorder: index, reason: "flat battery"))
    case .memoryFull: world.state(.recorderCannotServe(recorder: index, reason: "full memory"))
    case .timeTaken, .timeIgnored: stateClockLater()
    case .bootloaderStarted:
      world.state(.update(.bootloaderStarted(recorder: index)))
      stateFirmware()
      if isDisturbed { world.state(.update(.bootloaderDisturbed(recorder: index))) }
      if isHindered { world.state(.update(.bootloaderHindered(recorder: index))) }
      statePossessions()
    case .applicationStarted(let version, let isWhole):
      world.state(.update(.firmwareStarted(recorder: index, version: version, isWhole: isWhole)))
      statePossessions()
    case .executionSwitchedOff: world.state(.execution(.switchedOff(recorder: index)))
    case .executionBegan: world.state(.execution(.began(recorder: index)))
    case .consoleWritten(let line): world.state(.execution(.console(recorder: index, line)))
    case .executionFound(let finding):
      if finding.kind == .fellAsleep { world.recorderFellAsleep() }
      if finding.kind == .outOfTime { world.recorderStopped() }
      world.state(.execution(ExecutionOracle(finding, recorder: index)))
    case .bluetoothFailed(let failure): world.controllerFailed("the controller of \(name) failed: \(failure)")
    default: break
    }
    onEvent?(event)
  }

  /// The names of the finished records that it has; `nil` where that cannot be seen.
  private var heldNow: [RecordIdentifier]? { inspection.records?.map(\.identifier) }

  /// States which records are gone since it was last looked at.
  private func stateGoneRecords() {
    guard let now = heldNow else { return }
    let gone = held.filter { !now.contains($0) }
    held = now
    if !gone.isEmpty { world.state(.recordsGone(recorder: index, gone)) }
  }

  /// States what is known to be installed, so that a monitor can compare it with later claims.
  private func stateFirmware() {
    if let version = inspection.firmwareVersion, version > 0 {
      world.state(.update(.firmwareInstalled(recorder: index, version: version)))
    }
  }

  /// States what an update must leave alone.
  private func statePossessions() {
    let inside = inspection
    guard let records = inside.records, let bonds = inside.bondCount else { return }
    let octets = records.flatMap { Array($0.identifier.description.utf8) + $0.content }
    let digest = SHA256.digest(octets).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    world.state(
      .update(
        .possessions(recorder: index, records: records.count, digest: digest, bonds: bonds)))
  }

  /// States how far the clock is off when the recorder has had time to set it: from the clock of the phone that gave it the
  /// time, as that showed it then. Nobody can set a recorder to a year that it cannot show.
  private func stateClockLater() {
    guard let reference = reference() else { return }
    let read = world.loop.now
    let (phone, served) = world.timeServer(of: address) ?? (0, reference)
    world.loop.schedule(after: OracleEvent.settling) { [weak self] in
      guard let self, let shown = station.machine.clock(at: world.loop.now) else { return }
      let expected = CivilTime(secondsSince2000: served + read.duration(to: world.loop.now).components.seconds)
      guard CivilTime.ofRecorders.contains(expected) else { return }
      world.state(.recorderClock(recorder: index, phone: phone, aheadBy: .seconds(shown.seconds(since: expected))))
    }
  }
}

extension ExecutionOracle {
  /// What a finding says about the image of a recorder.
  fileprivate init(_ finding: ProgramFinding, recorder: UInt16) {
    let defect: ExecutionDefect
    switch finding.kind {
    case .badAccess, .nullWrite, .unaligned: defect = .access
    case .unwrittenRead: defect = .unwrittenRead
    case .wildExecution: defect = .wildExecution
    case .stackOverrun: defect = .stackOverrun
    case .watchdog, .lockup, .assertion: defect = .reset
    case .stuck: defect = .stuck
    case .badCall: defect = .badCall
    case .notModelled, .fellAsleep, .outOfTime:
      self = .notModelled(recorder: recorder, finding.text)
      return
    }
    self = .defect(recorder: recorder, defect, finding.text)
  }
}

extension BootloaderFaults {
  /// Whether a phone that looks for the bootloader has to wait, or to look for something else.
  fileprivate var hindersConnections: Bool { neverAdvertises || advertisingDelay > .zero || isMute }

  /// Whether an answer or a receipt breaks the protocol.
  fileprivate var breaksProtocol: Bool {
    if receipt?.kind == .duplicated || receipt?.kind == .wrongOffset { return true }
    switch answer?.kind {
    case .wrongOpCode?, .result?, .wrongChecksum?, .wrongOffset?: return true
    case .missing?, nil: return false
    }
  }
}
