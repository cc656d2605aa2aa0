import Bytes
import DictofunProtocol
import HCI
import HostStack
import Phone
import Recorder
import Timeline

// What the two host stacks and the radio between them do, as far as a sync needs them.
extension Meeting {
  private static let controller = ControllerInformation(
    publicAddress: BluetoothAddress(0, .public), aclDataLength: 251, aclPacketCount: 8, leFeatures: 0)
  /// A connection interval of 15 ms, at which the recorder wants no other.
  private static let parameters = ConnectionParameters(intervalUnits: 12)

  /// Gives the phone an input and performs what it wants. Returns its effects.
  @discardableResult
  mutating func tell(_ input: ApplicationInput) -> ApplicationEffects {
    var effects: ApplicationEffects = []
    phone.handle(input, at: now, &effects)
    for effect in effects {
      switch effect {
      case .host(let request): perform(request)
      case .startTimer(let token, let duration): phoneTimers.append((token, now.advanced(by: duration)))
      case .cancelTimer(let token): phoneTimers.removeAll { $0.token == token }
      case .event(let event): note(event)
      }
    }
    return effects
  }

  /// Performs what the recorder wants.
  mutating func drainRecorder() {
    var output = RecorderOutput()
    recorder.drain(&output)
    if output.silencesController {
      isAdvertising = false
      loseLink(.connectionTimeout, .connectionTimeout, recorderHears: false)
    }
    for request in output.requests { performForRecorder(request) }
  }

  /// Lets both take what is for them at once, until there is nothing left.
  mutating func settle() {
    while true {
      if !forPhone.isEmpty {
        tell(.host(forPhone.removeFirst()))
      } else if !forRecorder.isEmpty {
        recorder.take(forRecorder.removeFirst(), at: now)
        drainRecorder()
      } else if recorder.settle(at: now) {
        drainRecorder()
      } else if !meet() {
        break
      }
    }
    var timers: [RecorderTimer] = []
    recorder.arm(&timers, at: now)
    for timer in timers {
      recorderTimers.removeAll { $0.kind == timer.kind }
      if timer.due != nil { recorderTimers.append(timer) }
    }
  }

  /// Lets the phone hear the recorder, or connect with it. Returns whether it did.
  private mutating func meet() -> Bool {
    guard isAdvertising, link == nil else { return false }
    if isScanning {
      isScanning = false
      forPhone.append(
        .advertisingReport(
          AdvertisingReport(
            address: MeetingPlan.recorderAddress, identity: MeetingPlan.recorderAddress, isScanResponse: false,
            isConnectable: true, data: plan.profile.advertisingData, signalStrength: nil)))
      return true
    }
    guard attempt == MeetingPlan.recorderAddress else { return false }
    attempt = nil
    isAdvertising = false
    links &+= 1
    let handle = ConnectionHandle(rawValue: links)
    link = handle
    forRecorder.append(.connected(information(handle, isCentral: false)))
    forPhone.append(.connected(information(handle, isCentral: true)))
    return true
  }

  private func information(_ handle: ConnectionHandle, isCentral: Bool) -> ConnectionInformation {
    let peer = isCentral ? MeetingPlan.recorderAddress : MeetingPlan.phoneAddress
    return ConnectionInformation(
      isCentral: isCentral, handle: handle, peer: peer, identity: peer, isBonded: false, parameters: Self.parameters)
  }

  /// The link is gone, and everything on its way with it.
  mutating func loseLink(_ forPhoneReason: ErrorCode, _ forRecorderReason: ErrorCode, recorderHears: Bool = true) {
    guard let link else { return }
    self.link = nil
    calls = []
    answers = []
    notifications = []
    acknowledgements = []
    forPhone.append(.disconnected(link, forPhoneReason))
    if recorderHears { forRecorder.append(.disconnected(link, forRecorderReason)) }
  }

  // MARK: The phone's host

  private mutating func perform(_ request: HostRequest) {
    switch request {
    case .start: forPhone.append(.started(Self.controller))
    case .setScanning(let parameters): isScanning = parameters != nil
    case .connect(let address, _): attempt = address
    case .cancelConnect:
      attempt = nil
      forPhone.append(.connectionFailed(.unknownConnectionIdentifier))
    case .disconnect(let handle, _):
      if handle == link { loseLink(.connectionTerminatedByLocalHost, .remoteUserTerminatedConnection) }
    case .client(let handle, let token, let procedure):
      guard handle == link else { return }
      if case .write(_, let value) = procedure { noteRequest(ControlPointRequest(decoding: value)) }
      calls.append(Call(token: token, procedure: procedure))
    default: break
    }
  }

  /// The recorder's stack answers an ATT request of the phone.
  mutating func answer(_ call: Call, on link: ConnectionHandle) -> Result<ClientResult, ClientFailure> {
    switch call.procedure {
    case .exchangeMaximumTransmissionUnit:
      let octets = UInt16(plan.profile.maximumTransmissionUnit)
      forRecorder.append(.maximumTransmissionUnitChanged(link, octets))
      return .success(.maximumTransmissionUnit(octets))
    case .discoverService(let uuid):
      return .success(.services(plan.profile.attributes.discovered.filter { $0.uuid == uuid }))
    case .read: return .success(.value(batteryLevel))
    case .subscribe(let configuration, let subscription):
      let value = plan.profile.attributes.discovered.flatMap(\.characteristics).first {
        $0.configurationHandle == configuration
      }
      guard let value else { return .failure(.refused(.invalidHandle, configuration)) }
      forRecorder.append(.subscriptionChanged(link, value.valueHandle, subscription, .written))
      return .success(.written)
    case .write(let handle, let value):
      forRecorder.append(.attributeWritten(link, handle, value))
      return .success(.written)
    default: return .failure(.notAllowed)
    }
  }

  // MARK: The recorder's host

  private mutating func performForRecorder(_ request: HostRequest) {
    switch request {
    case .start: forRecorder.append(.started(Self.controller))
    case .setAdvertising(let advertisement): isAdvertising = advertisement != nil && link == nil
    case .disconnect(let handle, _):
      if handle == link { loseLink(.remoteUserTerminatedConnection, .connectionTerminatedByLocalHost) }
    case .notify(let handle, let ticket, let attribute, let value):
      store(value, of: attribute)
      if handle == link { notifications.append((ticket, attribute, Array(value))) }
    case .setValue(let attribute, let value): store(value, of: attribute)
    default: break
    }
  }

  private mutating func store(_ value: ArraySlice<UInt8>, of attribute: AttributeHandle) {
    if attribute.rawValue == DictofunHandle.batteryLevel { batteryLevel = Array(value) }
  }
}
