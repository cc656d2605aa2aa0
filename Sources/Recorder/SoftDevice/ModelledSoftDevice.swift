import Bytes
import DictofunProtocol
import HCI
import HostStack

/// The Bluetooth stack as the recorder's application knows it from Nordic: calls that answer at once, one
/// notification on its way, events in batches.
///
/// It stands on the requests and events of the house's host stack and is the only file that knows both sides, so
/// another application can take the recorder's place.
struct ModelledSoftDevice {
  /// A link to a phone.
  struct Link: Hashable {
    var handle: ConnectionHandle
    var isBonded: Bool
    var isEncrypted = false
    /// Whether a pairing that the application accepted is under way.
    var isPairing = false
    /// Whose bond's key encrypts it.
    var identity: BluetoothAddress?
    var maximumTransmissionUnit = Int(ATTPDU.defaultMTU)
    /// In units of 1.25 ms.
    var intervalUnits: UInt16
  }

  /// Requests for the host stack, in order.
  var requests: [HostRequest] = []
  /// The link; `nil` without one.
  private(set) var link: Link?
  /// Notifications on their way.
  private(set) var notificationsOnTheirWay = 0
  /// Whether a notification is on its way.
  var isNotificationOnItsWay: Bool { notificationsOnTheirWay > 0 }
  /// Whether the stack is set up.
  private(set) var isReady = false
  /// Whether the application asked for advertising.
  private(set) var isAdvertising = false

  private let advertisement: Advertisement
  private let acceptsWithoutIndications: Bool
  private let forgetsSubscriptions: Bool
  private let dropsWhenRefused: Bool
  private let keepsTransmissionUnit: Bool
  /// The ATT_MTU that was agreed last; `nil` before that.
  private var lastTransmissionUnit: Int?
  private let notificationPlaces: Int
  private let places: HandlePlaces?
  /// Bit n: notifications or indications, whichever it has, of the value with handle n are enabled.
  private(set) var enabledNotifications: UInt64 = 0
  private var indication: NotificationTicket?
  private var lastTicket: UInt32 = 0

  /// Octets of a notification before its value: opcode and handle (Vol 3, Part F, 3.4.7.1).
  private static let notificationHeader = 3
  /// Handles whose subscription fits `enabledNotifications`; the recorder's services have no others.
  private static let subscribableHandles: Range<UInt16> = 0..<64

  private static let discoveryToken = ClientToken(1)
  private static let timeToken = ClientToken(2)
  private static let addressResolutionToken = ClientToken(3)

  /// A stack that advertises as a profile says.
  init(profile: RecorderProfile) {
    let faults = profile.faults.advertising
    advertisement = Advertisement(
      intervalUnits: faults.intervalSlots ?? profile.advertisingIntervalSlots,
      data: faults.advertised(profile.advertisingData), scanResponse: faults.answered(profile.scanResponseData))
    notificationPlaces = profile.notificationPlaces
    places = profile.services.map(HandlePlaces.init)
    acceptsWithoutIndications = profile.faults.update.acceptsWithoutIndications
    dropsWhenRefused = profile.faults.link.dropsWhenRefused
    keepsTransmissionUnit = profile.faults.link.keepsTransmissionUnit
    forgetsSubscriptions = profile.faults.security.forgetsSubscriptions
  }

  // MARK: Calls

  /// Sets the stack up with the bonds in flash.
  mutating func enable(_ configuration: HostConfiguration, bonds: [Bond]) {
    requests.append(.setBonds(bonds))
    requests.append(.start(configuration))
  }

  /// Starts advertising until a phone connects.
  mutating func startAdvertising() {
    guard !isAdvertising else { return }
    isAdvertising = true
    if isReady { requests.append(.setAdvertising(advertisement)) }
  }

  /// Stops advertising.
  mutating func stopAdvertising() {
    guard isAdvertising else { return }
    isAdvertising = false
    if isReady { requests.append(.setAdvertising(nil)) }
  }

  /// Ends the link, if there is one.
  mutating func disconnect() {
    guard let link else { return }
    requests.append(.disconnect(link.handle, ErrorCode(rawValue: DictofunLink.disconnectReason)))
  }

  /// Whether the phone has enabled notifications, or indications, of the value with this handle.
  func isEnabled(_ handle: UInt16) -> Bool {
    Self.subscribableHandles.contains(handle) && enabledNotifications & 1 << UInt64(handle) != 0
  }

  /// Notifies a value, as much of it as the ATT MTU holds.
  mutating func notify(_ handle: UInt16, _ value: consuming ArraySlice<UInt8>) -> NotificationResult {
    guard let link, isEnabled(handle) else { return .invalidState }
    guard notificationsOnTheirWay < notificationPlaces else { return .busy }
    notificationsOnTheirWay += 1
    lastTicket &+= 1
    let room = link.maximumTransmissionUnit - Self.notificationHeader
    if value.count > room { value = value.prefix(room) }
    let octets = value.count
    requests.append(.notify(link.handle, NotificationTicket(lastTicket), served(handle), value))
    return .sent(octets: octets)
  }

  /// Indicates a value; does nothing while the last one is not confirmed.
  mutating func indicate(_ handle: UInt16, _ value: [UInt8]) {
    guard let link, indication == nil else { return }
    lastTicket &+= 1
    indication = NotificationTicket(lastTicket)
    requests.append(.indicate(link.handle, NotificationTicket(lastTicket), served(handle), value))
  }

  /// Changes a value that the stack stores.
  mutating func setValue(_ handle: UInt16, _ value: ArraySlice<UInt8>) {
    requests.append(.setValue(served(handle), value))
  }

  /// Where this recorder serves the value that has this handle on every Dictofun.
  private func served(_ handle: UInt16) -> AttributeHandle {
    if let places { AttributeHandle(places.served[handle] ?? 0) } else { AttributeHandle(handle) }
  }

  /// The handle that a value of this recorder has on every Dictofun; 0 for a value that no Dictofun has.
  private func known(_ handle: AttributeHandle) -> UInt16 {
    places.map { $0.known[handle.rawValue] ?? 0 } ?? handle.rawValue
  }

  /// Asks the phone for an encrypted link.
  mutating func requestSecurity() {
    if let link { requests.append(.secure(link.handle)) }
  }

  /// Asks the phone for other connection parameters.
  mutating func requestParameters(_ parameters: ConnectionParameters) {
    if let link { requests.append(.updateParameters(link.handle, parameters)) }
  }

  /// Goes by these bonds, and by no other that was made since; the current link stays as it is.
  mutating func keepBonds(_ bonds: [Bond]) { requests.append(.setBonds(bonds)) }

  /// Deletes the bond of this identity, or all for `nil`; the current link stays as it is.
  mutating func deleteBonds(of identity: BluetoothAddress?) { requests.append(.removeBonds(identity)) }

  /// Answers ``SoftDeviceEvent/pairingRequested(isBonded:keepsKeys:)``.
  mutating func answerPairing(accepted isAccepted: Bool) {
    guard let link else { return }
    self.link?.isPairing = isAccepted
    requests.append(.answerPairing(link.handle, accepted: isAccepted))
  }

  /// Looks for the Current Time Service of the phone.
  mutating func discoverTimeService() {
    guard let link else { return }
    requests.append(
      .client(link.handle, Self.discoveryToken, .discoverService(DictofunUUID.currentTimeService)))
  }

  /// Reads a value of the phone as the time.
  mutating func readTime(_ handle: AttributeHandle) {
    if let link { requests.append(.client(link.handle, Self.timeToken, .read(handle))) }
  }

  // MARK: Events

  /// Takes an event of the host stack. Returns what it means to the application, if anything.
  mutating func take(_ event: HostEvent) -> SoftDeviceEvent? {
    switch event {
    case .notificationTransmitted:
      notificationsOnTheirWay = max(0, notificationsOnTheirWay - 1)
      return .notificationTransmitted
    case .notificationRefused(_, let ticket, _) where ticket == indication:
      indication = nil
      return nil
    case .notificationRefused:
      notificationsOnTheirWay = max(0, notificationsOnTheirWay - 1)
      return .notificationLost
    case .attributeWritten(_, let handle, let value): return .written(handle: known(handle), value: value)
    case .started:
      isReady = true
      if isAdvertising { requests.append(.setAdvertising(advertisement)) }
      return .ready
    case .failed(let failure):
      isReady = false
      link = nil
      return .failed(failure)
    case .connected(let information): return connected(information)
    case .disconnected(_, let reason):
      link = nil
      notificationsOnTheirWay = 0
      indication = nil
      enabledNotifications = 0
      return .disconnected(reason)
    default: return takeChange(event)
    }
  }

  /// Events that change a link.
  private mutating func takeChange(_ event: HostEvent) -> SoftDeviceEvent? {
    switch event {
    case .indicationConfirmed:
      indication = nil
      return .indicationConfirmed
    case .writeRequested(let connection, let token, let handle, let value):
      let handle = known(handle)
      let isRefused = !isEnabled(handle) && !acceptsWithoutIndications
      requests.append(.answerWrite(connection, token, isRefused ? .improperlyConfigured : nil))
      return isRefused ? nil : .written(handle: handle, value: value)
    case .maximumTransmissionUnitChanged(_, let octets):
      link?.maximumTransmissionUnit = Int(octets)
      lastTransmissionUnit = Int(octets)
    case .parameterUpdateFailed(let connection, _):
      if dropsWhenRefused { requests.append(.disconnect(connection, .unacceptableConnectionParameters)) }
    case .parametersUpdated(_, let parameters): link?.intervalUnits = parameters.maximumIntervalUnits
    case .subscriptionChanged(_, let handle, let subscription, let cause):
      let handle = known(handle)
      guard Self.subscribableHandles.contains(handle) else { return nil }
      if forgetsSubscriptions, cause != .written { return nil }
      let bit = UInt64(1) << UInt64(handle)
      enabledNotifications =
        subscription.isEmpty ? enabledNotifications & ~bit : enabledNotifications | bit
      return cause == .written ? .subscriptionWritten : nil
    case .pairingRequested(_, let isBonded, let keepsKeys):
      return .pairingRequested(isBonded: isBonded, keepsKeys: keepsKeys)
    case .secured(_, let identity, _):
      link?.isEncrypted = true
      link?.isPairing = false
      link?.identity = identity
      return .secured
    case .securityFailed, .pairingFailed:
      link?.isPairing = false
      return .securityFailed
    case .bondCreated(let connection, let bond):
      // Nordic's cache manager asks every newly bonded peer whether it resolves private addresses.
      requests.append(
        .client(
          connection, Self.addressResolutionToken,
          .readByType(DictofunUUID.centralAddressResolution, .first, .last)))
      link?.isBonded = true
      link?.identity = bond.identity
      return .bondChanged(bond, isNew: true)
    case .bondUpdated(let bond): return .bondChanged(bond, isNew: false)
    case .clientCompleted(_, let token, .success(let result)): return clientCompleted(token, result)
    default: break
    }
    return nil
  }

  private mutating func connected(_ information: ConnectionInformation) -> SoftDeviceEvent {
    isAdvertising = false
    enabledNotifications = 0
    notificationsOnTheirWay = 0
    link = Link(
      handle: information.handle, isBonded: information.isBonded,
      intervalUnits: information.parameters.maximumIntervalUnits)
    if keepsTransmissionUnit, let lastTransmissionUnit { link?.maximumTransmissionUnit = lastTransmissionUnit }
    requests.append(.setDataLength(information.handle, octets: DictofunLink.dataLengthOctets))
    return .connected(isBonded: information.isBonded)
  }

  private func clientCompleted(_ token: ClientToken, _ result: ClientResult) -> SoftDeviceEvent? {
    switch (token, result) {
    case (Self.discoveryToken, .services(let services)):
      guard let service = services.first(where: { $0.uuid == DictofunUUID.currentTimeService }) else { return nil }
      return .timeServiceFound(service.characteristics)
    case (Self.timeToken, .value(let value)): return .timeRead(value)
    default: return nil
    }
  }
}
