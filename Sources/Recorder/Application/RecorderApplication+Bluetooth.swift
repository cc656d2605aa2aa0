import DictofunProtocol
import HostStack
import Timeline

/// The Bluetooth task: what the SoftDevice says, and what the phone wants.
extension RecorderApplication {
  /// How many writes are kept while the Bluetooth task is suspended.
  static let waitingEventLimit = 64
  /// The connection parameters that the file transfer asks for: 15 to 25 ms, 2 s.
  private static let transferParameters = ConnectionParameters(
    minimumIntervalUnits: 12, maximumIntervalUnits: 20, latency: 0, supervisionTimeoutUnits: 200)

  /// Sets the stack up.
  mutating func enableSoftDevice() {
    var host = HostConfiguration(ownAddress: configuration.address, database: RecorderDatabase.make(profile))
    host.maximumTransmissionUnit =
      profile.faults.security.maximumTransmissionUnit ?? profile.maximumTransmissionUnit
    host.security = configuration.security
    if profile.faults.security.offersLegacyOnly { host.security.secureConnections = false }
    host.pairingPolicy = asksWhoPairs ? .ask : .acceptUnlessBonded
    softDevice.enable(host, bonds: profile.faults.security.told(body.bonds))
  }

  /// Starts the Bluetooth task, which first takes the events that the stack reported meanwhile.
  mutating func startBluetooth(at tick: Int64) {
    isBluetoothRunning = true
    let events = profile.faults.link.losesWaitingEvents ? [] : waitingEvents
    waitingEvents = []
    for event in events { process(event, at: tick) }
    advertise()
    updateLight()
  }

  /// Suspends the Bluetooth task: the link ends, and the request being served is forgotten. Without a link the stack
  /// keeps advertising on its own.
  mutating func stopBluetooth(advertises: Bool) {
    softDevice.disconnect()
    fileTransfer.serviceStopped()
    hasUnsentBatteryLevel = false
    securityRequestDueTick = nil
    isBluetoothRunning = false
    if !advertises { softDevice.stopAdvertising() }
  }

  private mutating func advertise() {
    guard isBluetoothRunning, softDevice.link == nil, !resetsIntoBootloader else { return }
    let faults = profile.faults.advertising
    if faults.isSilent || faults.endsWithFirstConnection && hasEndedConnection { return }
    softDevice.startAdvertising()
  }

  /// Takes an event of the host stack.
  mutating func take(_ hostEvent: HostEvent, at instant: Instant) {
    guard isOn, let event = softDevice.take(hostEvent) else { return }
    let tick = oscillator.tick(at: instant)
    switch event {
    case .ready: softDevice.setValue(DictofunHandle.batteryLevel, [battery.level])
    case .failed(let failure): events.append(.bluetoothFailed(failure))
    case .indicationConfirmed: if buttonless.isWaitingForReset { enterBootloader() }
    case .bondChanged(let bond, let isNew): store(bond, isNew: isNew, at: tick)
    case .pairingRequested(_, let keepsKeys): decidePairing(keepsKeys: keepsKeys, at: tick)
    default:
      if isBluetoothRunning { process(event, at: tick) } else { keep(event, at: instant) }
    }
    checkFlashPower(at: instant)
  }

  /// Keeps an event until the Bluetooth task runs again, except the time, which would be old by then. A phone that writes
  /// more than there is room for is disconnected.
  private mutating func keep(_ event: SoftDeviceEvent, at instant: Instant) {
    switch event {
    case .written, .subscriptionWritten:
      guard waitingEvents.count < Self.waitingEventLimit else { return softDevice.disconnect() }
      waitingEvents.append(event)
    case .timeRead(let value): takeTime(value, at: instant)
    default: waitingEvents.append(event)
    }
  }

  private mutating func process(_ event: SoftDeviceEvent, at tick: Int64) {
    // Everything that a phone does is traffic, except disconnecting.
    if case .disconnected = event {} else { lastActivityTick = tick }
    switch event {
    case .notificationTransmitted:
      perform(fileTransfer.transmitted(at: tick, body.storage), at: tick)
      sendBatteryLevel()
      fileTransfer.placeIsFree(at: tick)
    case .notificationLost:
      fileTransfer.lost(at: tick, body.storage)
      fileTransfer.placeIsFree(at: tick)
    case .written(let handle, let value): written(handle, value, at: tick)
    case .connected(let isBonded): connected(isBonded: isBonded, at: tick)
    case .disconnected(let reason):
      events.append(.disconnected(reason))
      fileTransfer.linkEnded()
      hasUnsentBatteryLevel = false
      hasEndedConnection = true
      securityRequestDueTick = nil
      strangerDueTick = nil
      if profile.faults.security.forgetsBondsAtDisconnection { removeAllBonds() }
      if lastActivityTick > lastRecordTick || recordsMade == 0 { disconnectionTick = tick }
      advertise()
      updateLight()
    case .secured:
      securityRequestDueTick = nil
      if !profile.faults.security.dropsOwners { strangerDueTick = nil }
      if !profile.faults.clock.asksOnce || !hasEndedConnection { softDevice.discoverTimeService() }
    case .securityFailed: softDevice.disconnect()
    case .timeServiceFound(let characteristics):
      guard let current = characteristics.first(where: { $0.uuid == DictofunUUID.currentTime }) else { return }
      let read = profile.policies.timeCharacteristic == .firstOfService ? characteristics.first : current
      if let read { softDevice.readTime(read.valueHandle) }
    case .timeRead(let value): takeTime(value, at: oscillator.instant(of: tick))
    case .subscriptionWritten, .indicationConfirmed, .ready, .failed, .bondChanged, .pairingRequested: break
    }
  }

  private mutating func connected(isBonded: Bool, at tick: Int64) {
    events.append(.connected(isBonded: isBonded))
    disconnectionTick = nil
    if !profile.faults.link.asksOnce { hasAskedForParameters = false }
    if profile.faults.link.asksAtOnce { askForParameters() }
    limitStranger(at: tick)
    if isBonded, !profile.faults.security.neverRequestsSecurity {
      securityRequestDueTick = tick + profile.timing.securityRequest
    }
    if body.hasBeenConnected, profile.faults.storage.renamesDeliveredRecords {
      body.storage.renameDelivered()
    }
    body.hasBeenConnected = true
    updateLight()
  }

  private mutating func written(_ handle: UInt16, _ value: [UInt8], at tick: Int64) {
    switch handle {
    case DictofunHandle.controlPoint:
      let request = ControlPointRequest(decoding: value)
      events.append(.requestReceived(request))
      if request.isAccepted { askForParameters() }
      fileTransfer.requested(request, at: tick, body.storage)
    case DictofunHandle.pairing:
      if value.first == PairingControl.unpair { unpair() }
    case DictofunHandle.buttonlessDFU: buttonlessWritten(value)
    default: break
    }
  }

  private mutating func buttonlessWritten(_ value: [UInt8]) {
    let answer = buttonless.answer(value, name: &body.bootloaderName, fault: configuration.firmware.faults.name)
    guard let answer else { return softDevice.disconnect() }
    softDevice.indicate(
      DictofunHandle.buttonlessDFU,
      profile.faults.update.answersAnotherRequest ? ButtonlessUpdate.reply(to: 0, answer[2]) : answer)
    guard buttonless.isWaitingForReset else { return }
    let waits = !profile.faults.update.resetsWithoutConfirmation
    if !waits || !softDevice.isEnabled(DictofunHandle.buttonlessDFU) { enterBootloader() }
  }

  /// Ends everything and resets the chip at once; the radio may or may not still send the link's end.
  private mutating func enterBootloader() {
    softDevice.stopAdvertising()
    softDevice.disconnect()
    resetsIntoBootloader = true
  }

  /// Asks once in a connection for an interval at which a transfer is quick.
  private mutating func askForParameters() {
    guard let link = softDevice.link, !hasAskedForParameters, !profile.faults.link.neverAsks else { return }
    hasAskedForParameters = true
    if link.intervalUnits > Self.transferParameters.maximumIntervalUnits {
      softDevice.requestParameters(profile.faults.link.asked(Self.transferParameters))
    }
  }

  /// Performs the outcome of a pass.
  mutating func perform(_ outcome: FileTransferEngine.Outcome, at tick: Int64) {
    switch outcome {
    case .none: break
    case .delivered(let index):
      events.append(.recordDelivered(body.storage.entries[index].identifier))
      body.storage.markDelivered(index)
    case .receiveComplete:
      events.append(
        .recordsConfirmed(body.storage.confirmDelivered(includingUnsent: profile.faults.storage.confirmsUnsent)))
      softDevice.disconnect()
    case .disconnect: softDevice.disconnect()
    }
  }

  private mutating func takeTime(_ value: [UInt8], at instant: Instant) {
    let before = body.clock.time(at: instant)
    let faults = profile.faults.clock
    guard var time = (try? CurrentTime(decoding: value))?.civilTime, !faults.ignoresTime,
      !faults.takesTimeOnce || !body.hasTakenTime, time.year <= faults.lastYear ?? time.year
    else {
      events.append(.timeIgnored)
      return
    }
    time = time.adding(seconds: faults.secondsFast + faults.hoursFast * 3600)
    if faults.knowsNoLeapDay, time.month == 2, time.day == 29 { time = time.adding(seconds: 86_400) }
    guard body.clock.set(time, at: instant) else {
      events.append(.timeIgnored)
      return
    }
    body.hasTakenTime = true
    events.append(.timeTaken(time, before: before))
  }
}
