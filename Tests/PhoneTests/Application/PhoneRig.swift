import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing
import Timeline

@testable import Phone

/// Stands a ``PhoneApplication`` on a model of the host stack with recorders behind it, in virtual time.
struct PhoneRig {
  /// What a disturbed step does instead of what was asked.
  enum Disturbance: CaseIterable {
    /// The link ends.
    case linkLoss
    /// The recorder or controller refuses.
    case refusal
    /// Nothing comes back.
    case silence
  }

  private enum Item {
    case host(HostEvent)
    case timer(TimerToken)
    case advertising(BluetoothAddress)
  }

  static let round: UInt64 = 30_000_000
  /// More than any operation of these tests needs; what takes more will never end.
  static let maximumEvents = 200_000
  static let millisecond: UInt64 = 1_000_000

  var application: PhoneApplication
  var recorders: [ModelRecorder]
  var now: UInt64 = 0
  var ended: [OperationToken: [Result<PhoneResult, PhoneFailure>]] = [:]
  var events: [PhoneEvent] = []
  var timeAnswers: [Result<[UInt8], ATTErrorCode>] = []
  var hostStarts = 0
  /// Host requests that the recorder or controller has to answer, counted; the one to be disturbed, and how.
  var steps = 0
  var disturbed: (step: Int, how: Disturbance)?
  /// Index of the recorder that is connected.
  var connected: Int?
  private var handle = ConnectionHandle(rawValue: 0x0040)
  private var isEncrypted = false
  private var bonds: [Bond] = []
  private var isScanning = false
  private var agenda: [(at: UInt64, order: UInt64, item: Item)] = []
  private var order: UInt64 = 0
  private var lastToken: UInt32 = 0
  private var isRefusalTold = false

  init(
    _ recorders: [ModelRecorder], library: PhoneLibrary, starts: Bool = true,
    _ configure: (inout PhoneConfiguration) -> Void = { _ in }
  ) {
    var configuration = PhoneConfiguration(ownAddress: BluetoothAddress(0xC000_0000_00FF, .random), library: library)
    configure(&configuration)
    application = PhoneApplication(configuration)
    self.recorders = recorders
    if starts { request(.start) }
  }

  init(_ recorder: ModelRecorder, _ configure: (inout PhoneConfiguration) -> Void = { _ in }) throws {
    self.init([recorder], library: try PhoneLibrary(.memory), configure)
  }

  // MARK: Asking

  mutating func request(_ request: PhoneRequest) { feed(.request(request)) }

  /// Asks for an operation without waiting for its end.
  mutating func begin(_ operation: PhoneOperation) -> OperationToken {
    lastToken += 1
    let token = OperationToken(lastToken)
    ended[token] = []
    request(.perform(token, operation))
    return token
  }

  /// Runs an operation to its end.
  mutating func perform(_ operation: PhoneOperation) throws -> Result<PhoneResult, PhoneFailure> {
    let token = begin(operation)
    run { $0.ended[token] != [] }
    return try #require(ended[token]?.first, "\(operation) has no end")
  }

  /// Lets time pass.
  mutating func pass(_ duration: Duration) {
    let end = now + UInt64(duration.wholeNanoseconds)
    while let next = earliest, agenda[next].at <= end { advance() }
    now = end
  }

  /// Lets events happen until the condition holds.
  mutating func run(until condition: (PhoneRig) -> Bool) {
    var left = Self.maximumEvents
    while !condition(self), left > 0, advance() { left -= 1 }
  }

  /// Puts an event of the host stack in right now.
  mutating func inject(_ event: HostEvent) { feed(.host(event)) }

  /// Connects and pairs with the first recorder.
  mutating func pair() throws {
    try #require(try perform(.connect(.paired)) == .success(.done))
    try #require(try perform(.pair) == .success(.done))
  }

  // MARK: Performing

  private var earliest: Int? {
    agenda.indices.min { (agenda[$0].at, agenda[$0].order) < (agenda[$1].at, agenda[$1].order) }
  }

  @discardableResult
  private mutating func advance() -> Bool {
    guard let next = earliest else { return false }
    let entry = agenda.remove(at: next)
    now = max(now, entry.at)
    switch entry.item {
    case .host(let event): feed(.host(event))
    case .timer(let token): feed(.timerFired(token))
    case .advertising(let address): advertise(address)
    }
    return true
  }

  private mutating func feed(_ input: ApplicationInput) {
    var effects: [ApplicationEffect] = []
    application.handle(input, at: Instant(nanoseconds: now), &effects)
    if !isRefusalTold, let refused = application.linkState.log.refusal ?? application.exchange.state.log.refusal {
      isRefusalTold = true
      Issue.record("\(refused)")
    }
    for effect in effects { perform(effect) }
  }

  private mutating func schedule(_ item: Item, after delay: UInt64) {
    order += 1
    agenda.append((now + delay, order, item))
  }

  private mutating func perform(_ effect: ApplicationEffect) {
    switch effect {
    case .host(let request): perform(request)
    case .startTimer(let token, let duration):
      schedule(.timer(token), after: UInt64(max(0, duration.wholeNanoseconds)))
    case .cancelTimer(let token):
      agenda.removeAll { if case .timer(token) = $0.item { true } else { false } }
    case .event(let event):
      events.append(event)
      if case .operationEnded(let token, let result) = event { ended[token, default: []].append(result) }
    }
  }

  private mutating func perform(_ request: HostRequest) {
    switch request {
    case .start:
      hostStarts += 1
      reset()
      schedule(.host(.started(Self.controller)), after: Self.millisecond)
    case .setBonds(let bonds): self.bonds = bonds
    case .removeBonds(let identity): bonds.removeAll { identity == nil || $0.identity == identity }
    case .setScanning(let parameters): setScanning(parameters != nil)
    case .connect(let address, let parameters): connect(address, parameters)
    case .cancelConnect: schedule(.host(.connectionFailed(.unknownConnectionIdentifier)), after: Self.millisecond)
    case .disconnect(let handle, _):
      guard connected != nil, handle == self.handle else { return }
      loseLink(.connectionTerminatedByLocalHost, after: Self.round)
    case .secure: secure()
    case .client(_, let token, let procedure): run(token, procedure)
    case .answerRead(_, _, let result): timeAnswers.append(result)
    default: break
    }
  }

  // MARK: Host stack and recorder

  private static let controller = ControllerInformation(
    publicAddress: BluetoothAddress(0, .public), aclDataLength: 251, aclPacketCount: 8, leFeatures: 0)

  private mutating func reset() {
    agenda.removeAll { if case .timer = $0.item { false } else { true } }
    connected = nil
    isScanning = false
  }

  private mutating func setScanning(_ isOn: Bool) {
    guard isOn != isScanning else { return }
    isScanning = isOn
    agenda.removeAll { if case .advertising = $0.item { true } else { false } }
    guard isOn else { return }
    for (index, recorder) in recorders.enumerated() {
      schedule(.advertising(recorder.address), after: UInt64(index + 1) * Self.millisecond)
    }
  }

  private mutating func advertise(_ address: BluetoothAddress) {
    schedule(.advertising(address), after: 125 * Self.millisecond)
    guard let recorder = recorders.first(where: { $0.address == address }), recorder.isInSight else { return }
    let report = AdvertisingReport(
      address: address, identity: address, isScanResponse: false, isConnectable: true,
      data: DictofunAdvertisement.advertisingData, signalStrength: -50)
    feed(.host(.advertisingReport(report)))
  }

  private mutating func connect(_ address: BluetoothAddress, _ parameters: ConnectionParameters) {
    guard let index = recorders.firstIndex(where: { $0.address == address && $0.isInSight }) else { return }
    switch disturbance() {
    case .silence: return
    case .refusal: return schedule(.host(.connectionFailed(.connectionLimitExceeded)), after: Self.round)
    case .linkLoss: return schedule(.host(.connectionFailed(.connectionFailedToBeEstablished)), after: Self.round)
    case nil: break
    }
    connected = index
    isEncrypted = false
    recorders[index].subscribed = []
    handle = ConnectionHandle(rawValue: handle.rawValue + 1)
    let bonded = bonds.first { $0.identity == recorders[index].identity ?? address }
    let information = ConnectionInformation(
      isCentral: true, handle: handle, peer: address, identity: bonded?.identity ?? address, isBonded: bonded != nil,
      parameters: ConnectionParameters(intervalUnits: parameters.maximumIntervalUnits))
    schedule(.host(.connected(information)), after: Self.round)
  }

  /// Ends the link: everything on its way is lost with it.
  mutating func loseLink(_ code: ErrorCode, after delay: UInt64 = 0) {
    guard connected != nil else { return }
    connected = nil
    agenda.removeAll { if case .host = $0.item { true } else { false } }
    schedule(.host(.disconnected(handle, code)), after: delay)
  }

  private mutating func disturbance() -> Disturbance? {
    defer { steps += 1 }
    return disturbed.flatMap { $0.step == steps ? $0.how : nil }
  }

  private mutating func run(_ token: ClientToken, _ procedure: ClientProcedure) {
    guard let index = connected else { return }
    switch disturbance() {
    case .silence: return
    case .refusal:
      let refused = ClientFailure.refused(.unlikelyError, AttributeHandle(1))
      return schedule(.host(.clientCompleted(handle, token, .failure(refused))), after: Self.round)
    case .linkLoss: return loseLink(.connectionTimeout, after: Self.round)
    case nil: break
    }
    let before = recorders[index].requests.count
    let result = recorders[index].perform(procedure, isEncrypted: isEncrypted)
    schedule(.host(.clientCompleted(handle, token, result)), after: Self.round)
    guard recorders[index].requests.count > before, let request = recorders[index].requests.last else { return }
    guard let answers = recorders[index].answers(to: request) else {
      return loseLink(.remoteUserTerminatedConnection, after: 2 * Self.round)
    }
    for (count, answer) in answers.enumerated() {
      let event = HostEvent.notificationReceived(handle, AttributeHandle(answer.handle), answer.value[...])
      schedule(.host(event), after: UInt64(count + 2) * Self.round)
    }
  }

  private mutating func secure() {
    guard let index = connected else { return }
    let recorder = recorders[index]
    switch disturbance() {
    case .silence: return
    case .refusal: return schedule(.host(.securityFailed(handle, .pinOrKeyMissing)), after: Self.round)
    case .linkLoss: return loseLink(.connectionTimeout, after: Self.round)
    case nil: break
    }
    let identity = recorder.identity ?? recorder.address
    let isKnown = bonds.contains { $0.identity == identity }
    guard !isKnown || recorder.isBonded else {
      return schedule(.host(.securityFailed(handle, .pinOrKeyMissing)), after: Self.round)
    }
    isEncrypted = true
    schedule(.host(.secured(handle, identity: recorder.address, keySize: 16)), after: Self.round)
    guard !isKnown else { return }
    let bond = Bond(
      identity: identity, localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil, secureConnections: false)
    bonds.append(bond)
    recorders[index].isBonded = true
    schedule(.host(.bondCreated(handle, bond)), after: 2 * Self.round)
  }

  /// The recorder reads the phone's time.
  mutating func readTime() {
    inject(.readRequested(handle, AccessToken(1), AttributeHandle(0x0010), offset: 0))
  }

  /// The recorder notifies a value.
  mutating func notify(_ attribute: UInt16, _ value: [UInt8]) {
    inject(.notificationReceived(handle, AttributeHandle(attribute), value[...]))
  }
}
