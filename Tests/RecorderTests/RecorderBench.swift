import Bytes
import DictofunProtocol
import HCI
import HostStack
import Timeline

@testable import Recorder

/// Stands a recorder's firmware on a bench: gives it time, plays its host stack and a phone that acknowledges what
/// it is sent.
struct RecorderBench {
  var recorder: RecorderApplication
  var now = Instant.zero
  /// Everything asked of the host stack, in order.
  var requests: [HostRequest] = []
  /// Everything reported, with its instant.
  var events: [(at: Instant, event: RecorderEvent)] = []
  /// Notifications in order: value handle and octets.
  var notifications: [(at: Instant, handle: UInt16, value: [UInt8])] = []
  /// Time from a notification to its acknowledgement; `nil` for a phone that is out of reach.
  var acknowledgesAfter: Duration? = .milliseconds(15)
  /// What the phone answers when its Current Time is read.
  var phoneTime: [UInt8]?
  /// Whether a link ends as soon as the recorder wants it; otherwise the controllers take longer than the test.
  var endsLinks = true
  private var acknowledgements: [(at: Instant, ticket: NotificationTicket)] = []

  static let link = ConnectionHandle(0x40)
  static let phone = BluetoothAddress(0xC0FF_EE00_0001, .random)
  static let guest = BluetoothAddress(0xC0FF_EE00_0002, .random)

  init(_ configure: (inout RecorderConfiguration) -> Void = { _ in }) {
    var configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
    configure(&configuration)
    recorder = RecorderApplication(configuration)
  }

  /// A recorder on a held rail that offers Bluetooth.
  static func serving(_ configure: (inout RecorderConfiguration) -> Void = { _ in }) -> RecorderBench {
    var bench = RecorderBench(configure)
    bench.act(.holdRail)
    bench.run(for: .seconds(1))
    return bench
  }

  /// A recorder with a phone on an encrypted link and every notification enabled.
  static func connected(
    maximumTransmissionUnit: UInt16 = 247, _ configure: (inout RecorderConfiguration) -> Void = { _ in }
  ) -> RecorderBench {
    var bench = serving(configure)
    bench.connect(maximumTransmissionUnit: maximumTransmissionUnit)
    return bench
  }

  // MARK: Time

  mutating func run(for duration: Duration) { run(until: now.advanced(by: duration)) }

  /// Runs until an instant, waking the recorder exactly when it asks to be woken.
  mutating func run(until end: Instant) {
    var wakings = 0
    while let next = nextInstant, next <= end {
      // A recorder that asks to be woken for something it then does not do would never come to an end.
      wakings = next > now ? 0 : wakings + 1
      precondition(wakings < 100, "the recorder does not do what it was woken for in state \(recorder.state)")
      now = max(now, next)
      if let acknowledgement = acknowledgements.first, acknowledgement.at <= now {
        acknowledgements.removeFirst()
        recorder.take(.notificationTransmitted(Self.link, acknowledgement.ticket), at: now)
      } else {
        recorder.advance(to: now)
      }
      collect()
    }
    now = end
  }

  private var nextInstant: Instant? {
    var recorder = recorder
    return [recorder.dueTick(), recorder.engineDueTick()].compactMap { $0.map(recorder.oscillator.instant(of:)) }
      .reduce(acknowledgements.first?.at) { first, next in min(first ?? next, next) }
  }

  // MARK: What is done to the recorder

  mutating func act(_ control: RecorderControl) {
    recorder.take(control, at: now)
    collect()
  }

  /// Presses the button for a while.
  mutating func press(for duration: Duration) {
    act(.pressButton)
    run(for: duration)
    act(.releaseButton)
  }

  mutating func hear(_ event: HostEvent) {
    if case .disconnected = event { acknowledgements.removeAll() }
    recorder.take(event, at: now)
    collect()
  }

  mutating func connect(isBonded: Bool = false, maximumTransmissionUnit: UInt16 = 247, isSecured: Bool = true) {
    hear(
      .connected(
        ConnectionInformation(
          isCentral: false, handle: Self.link, peer: Self.phone, identity: Self.phone, isBonded: isBonded,
          parameters: ConnectionParameters(intervalUnits: 24))))
    if maximumTransmissionUnit != 23 {
      hear(.maximumTransmissionUnitChanged(Self.link, maximumTransmissionUnit))
    }
    if isSecured { hear(.secured(Self.link, identity: Self.phone, keySize: 16)) }
    for handle in Self.notifyingHandles { subscribe(handle) }
  }

  mutating func disconnect(_ reason: ErrorCode = .connectionTimeout) { hear(.disconnected(Self.link, reason)) }

  static let notifyingHandles = [
    DictofunHandle.filesList, DictofunHandle.filesListContinuation, DictofunHandle.fileInformation,
    DictofunHandle.fileData, DictofunHandle.fileSystemStatus, DictofunHandle.generalStatus,
  ]

  mutating func subscribe(_ handle: UInt16, _ subscription: Subscription = .notifications) {
    hear(.subscriptionChanged(Self.link, AttributeHandle(handle), subscription, .written))
  }

  mutating func ask(_ request: ControlPointRequest) {
    hear(.attributeWritten(Self.link, AttributeHandle(DictofunHandle.controlPoint), request.encoded))
  }

  /// Asks and waits for what comes. Returns the notifications of this request.
  mutating func answers(
    to request: ControlPointRequest, within duration: Duration = .seconds(60)
  ) -> [(handle: UInt16, value: [UInt8])] {
    let before = notifications.count
    ask(request)
    run(for: duration)
    return notifications[before...].map { ($0.handle, $0.value) }
  }

  // MARK: What it did

  var plainEvents: [RecorderEvent] { events.map(\.event) }

  /// The states entered, in order.
  var states: [SystemState] {
    plainEvents.compactMap { if case .stateChanged(_, let next) = $0 { next } else { nil } }
  }

  /// When an event was first reported.
  func time(of event: RecorderEvent) -> Instant? { events.first { $0.event == event }?.at }

  /// Ticks from `start` until an event was first reported.
  func ticks(from start: Instant, to event: RecorderEvent) -> Int64? {
    time(of: event).map { Int64(($0.nanoseconds - start.nanoseconds) * 2 / 1_953_125) }
  }

  func count(where isCounted: (HostRequest) -> Bool) -> Int { requests.count(where: isCounted) }

  private mutating func collect() {
    // Without a bootloader the firmware starts as soon as there is power.
    if let reason = recorder.powerOnReason, !recorder.isOn {
      recorder.power.take(.powered)
      recorder.boot(reason, at: now)
    }
    events += recorder.events.map { (now, $0) }
    recorder.events = []
    let asked = recorder.softDevice.requests
    recorder.softDevice.requests = []
    for request in asked {
      requests.append(request)
      switch request {
      case .start:
        let information = ControllerInformation(
          publicAddress: BluetoothAddress(0, .public), aclDataLength: 251, aclPacketCount: 4, leFeatures: 0)
        recorder.take(.started(information), at: now)
        collect()
      case .notify(_, let ticket, let handle, let value):
        notifications.append((now, handle.rawValue, Array(value)))
        if let acknowledgesAfter { acknowledgements.append((now.advanced(by: acknowledgesAfter), ticket)) }
      case .client(_, let token, let procedure): if let phoneTime { answer(token, procedure, phoneTime) }
      case .disconnect(_, let reason): if recorder.softDevice.link != nil, endsLinks { disconnect(reason) }
      default: break
      }
    }
  }
}

extension RecorderBench {
  /// Plays the phone's Current Time Service.
  private mutating func answer(_ token: ClientToken, _ procedure: ClientProcedure, _ time: [UInt8]) {
    switch procedure {
    case .discoverService(let uuid):
      let characteristic = DiscoveredCharacteristic(
        uuid: DictofunUUID.currentTime, handle: AttributeHandle(10), valueHandle: AttributeHandle(11), properties: .read
      )
      let service = DiscoveredService(
        uuid: uuid, handle: AttributeHandle(9), endHandle: AttributeHandle(20), characteristics: [characteristic])
      hear(.clientCompleted(Self.link, token, .success(.services([service]))))
    case .read: hear(.clientCompleted(Self.link, token, .success(.value(time))))
    default: break
    }
  }
}

/// Records with content that tells every octet apart from its neighbours.
func placedRecords(_ sizes: [Int]) -> [PlacedRecord] {
  sizes.enumerated().map { index, size in
    PlacedRecord(
      identifier: RecordIdentifier(RecorderConfiguration.defaultClock.adding(seconds: Int64(index - 1000))),
      content: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) })
  }
}
