import HCI
import HostStack
import Processor

/// What the host stack reports becomes events that the image fetches.
extension SoftDeviceHost {
  /// Takes an event of the host stack. Keys and values that live in the image's memory are written there.
  package mutating func take(_ event: HostEvent, _ processor: inout CortexM4, at cycle: UInt64) {
    switch event {
    case .started: return
    case .failed(let failure): failed(failure)
    case .advertisingFailed(let code):
      state.advertising.isOn = false
      note(.radio("advertising was refused with error \(code.rawValue)"))
    case .connected(let information): connected(information, at: cycle)
    default:
      guard let link = state.link, event.connection == link.handle else { return }
      takeOfLink(event, link, &processor, at: cycle)
    }
  }

  private mutating func takeOfLink(
    _ event: HostEvent, _ link: PeerLink, _ processor: inout CortexM4, at cycle: UInt64
  ) {
    switch event {
    case .disconnected(_, let reason): disconnected(reason, at: cycle)
    case .parametersUpdated(_, let parameters): parametersUpdated(parameters, at: cycle)
    case .parameterUpdateGranted: parametersGranted(link, at: cycle)
    case .parameterUpdateFailed:
      state.link?.isUpdatingParameters = false
      if settings.policies.refusedParameters == .parametersInForce { parametersUpdated(link.parameters, at: cycle) }
    case .dataLengthChanged(_, let transmit, let receive): dataLengthChanged(transmit, receive, at: cycle)
    case .phyChanged(_, let transmit, let receive): phyChanged(transmit, receive, at: cycle)
    case .signalStrength(_, let strength): signalStrengthRead(strength, at: cycle)
    case .pairingFeaturesRequested(_, let features): pairingRequested(features, at: cycle)
    case .encryptedByPairing(_, let keySize): encrypted(level: AccessMode.encryptedLevel, keySize: keySize, at: cycle)
    case .longTermKeyRequested(_, let encryptedDiversifier, let randomNumber):
      keyRequested(encryptedDiversifier, randomNumber, at: cycle)
    case .bondCreated(_, let bond): storeKeys(bond, &processor)
    case .secured(_, _, let keySize): secured(keySize: keySize, at: cycle)
    case .securityFailed: securityFailed(at: cycle)
    case .pairingFailed(_, let reason, let byPeer): pairingFailed(reason, byPeer: byPeer, at: cycle)
    case .clientCompleted(_, let token, let result): clientCompleted(token, result, at: cycle)
    case .notificationReceived(_, let handle, let value):
      valueTold(handle, Array(value), isIndication: false, at: cycle)
    case .indicationReceived(_, let handle, let value): valueTold(handle, value, isIndication: true, at: cycle)
    default: takeOfServer(event, &processor, at: cycle)
    }
  }

  // MARK: The link

  private mutating func failed(_ failure: HostFailure) {
    state.isStackStarted = false
    state.advertising.isOn = false
    note(.radio(failure.description))
  }

  /// CONNECTED: the peer's address, the role, the parameters, what was advertised.
  private mutating func connected(_ information: ConnectionInformation, at cycle: UInt64) {
    guard !information.isCentral, state.link == nil else {
      note(.radio("a second connection came; it is ended"))
      return ask(.disconnect(information.handle, .remoteUserTerminatedConnection))
    }
    state.advertising.isOn = false
    state.lastSubscriptions = []
    state.link = PeerLink(
      handle: information.handle, peer: information.peer, parameters: information.parameters,
      subscriptions: Array(repeating: 0, count: state.server.configuredValues.count))
    var fields = GuestFields(40)
    fields.put(information.peer.guestOctets, at: 4)
    fields.put(GAPNumber.peripheral, at: 11)
    fields.put(information.parameters.guestOctets, at: 12)
    fields.put(state.advertising.pointers, at: 24)
    queue(.connected, fields, at: cycle)
  }

  private mutating func disconnected(_ reason: ErrorCode, at cycle: UInt64) {
    state.lastSubscriptions = state.link?.subscriptions ?? []
    state.link = nil
    var fields = GuestFields(5)
    fields.put(reason.rawValue, at: 4)
    queue(.disconnected, fields, at: cycle)
  }

  /// A controller tells a peripheral of parameters that change, and of nothing else; the procedure ends all the same.
  private mutating func parametersGranted(_ link: PeerLink, at cycle: UInt64) {
    guard link.wantedIntervals.contains(link.parameters.minimumIntervalUnits) else { return }
    parametersUpdated(link.parameters, at: cycle)
  }

  private mutating func parametersUpdated(_ parameters: ConnectionParameters, at cycle: UInt64) {
    state.link?.parameters = parameters
    state.link?.isUpdatingParameters = false
    var fields = GuestFields(12)
    fields.put(parameters.guestOctets, at: 4)
    queue(.connectionParametersUpdated, fields, at: cycle)
  }

  /// Microseconds that a packet takes on LE 1M: preamble, access address, header, payload, integrity check and CRC.
  private static func airTime(_ octets: UInt16) -> UInt16 {
    let overhead: UInt16 = 1 + 4 + 2 + 4 + 3
    return (min(octets, LEDataLength.octetRange.upperBound) + overhead) * 8
  }

  // HCI tells of a peer's wish only when the controller has answered it. So an image that has not spoken yet is asked then,
  // and is told of the change when it has: with the controller's answer, or after a procedure for more.

  private mutating func dataLengthChanged(_ transmit: UInt16, _ receive: UInt16, at cycle: UInt64) {
    state.link?.lengths = (transmit, receive)
    switch state.link?.lengthSay {
    case .isGiven: tellDataLength(at: cycle)
    case .some(.none):
      state.link?.lengthSay = .isAsked
      // What the peer can send is known. It is taken to receive as much.
      queue(.dataLengthRequested, dataLengths(receive, receive), at: cycle)
    case .isAsked, nil: break
    }
  }

  /// DATA_LENGTH_UPDATE: what holds now.
  mutating func tellDataLength(at cycle: UInt64) {
    guard let lengths = state.link?.lengths else { return }
    queue(.dataLengthUpdated, dataLengths(lengths.transmit, lengths.receive), at: cycle)
  }

  /// Octets and the microseconds that they take on LE 1M (Core Specification Vol 6, Part B, 4.5.10).
  private func dataLengths(_ transmit: UInt16, _ receive: UInt16) -> GuestFields {
    var fields = GuestFields(12)
    fields.put(transmit, at: 4)
    fields.put(receive, at: 6)
    fields.put(Self.airTime(transmit), at: 8)
    fields.put(Self.airTime(receive), at: 10)
    return fields
  }

  private mutating func phyChanged(_ transmit: PHY, _ receive: PHY, at cycle: UInt64) {
    state.link?.physicalLayers = (transmit, receive)
    switch state.link?.physicalLayerSay {
    case .isGiven: tellPHY(at: cycle)
    case .some(.none):
      state.link?.physicalLayerSay = .isAsked
      var fields = GuestFields(6)
      fields.put(receive.guestBit, at: 4)
      fields.put(transmit.guestBit, at: 5)
      queue(.phyRequested, fields, at: cycle)
    case .isAsked, nil: break
    }
  }

  /// PHY_UPDATE: what holds now.
  mutating func tellPHY(at cycle: UInt64) {
    guard let layers = state.link?.physicalLayers else { return }
    var fields = GuestFields(7)
    fields.put(layers.transmit.guestBit, at: 5)
    fields.put(layers.receive.guestBit, at: 6)
    queue(.phyUpdated, fields, at: cycle)
  }

  private mutating func signalStrengthRead(_ strength: Int8?, at cycle: UInt64) {
    guard let strength, let threshold = state.link?.signalThreshold else { return }
    state.link?.signalStrength = strength
    guard threshold != GAPNumber.notSet else { return }
    var fields = GuestFields(6)
    fields.put(UInt8(bitPattern: strength), at: 4)
    queue(.signalStrengthChanged, fields, at: cycle)
  }
}

extension PHY {
  /// Its bit in a set: numbers 1, 2 and 3 become bits.
  var guestBit: UInt8 { 1 << (rawValue - 1) }
}

extension ConnectionParameters {
  /// `ble_gap_conn_params_t`.
  fileprivate var guestOctets: [UInt8] {
    var fields = GuestFields(8)
    fields.put(minimumIntervalUnits, at: 0)
    fields.put(maximumIntervalUnits, at: 2)
    fields.put(latency, at: 4)
    fields.put(supervisionTimeoutUnits, at: 6)
    return fields.octets
  }
}

extension HostEvent {
  /// The connection that an event is about.
  fileprivate var connection: ConnectionHandle? {
    switch self {
    case .disconnected(let handle, _), .parametersUpdated(let handle, _), .parameterUpdateFailed(let handle, _),
      .parameterUpdateGranted(let handle),
      .dataLengthChanged(let handle, transmit: _, receive: _), .phyChanged(let handle, transmit: _, receive: _),
      .signalStrength(let handle, _), .maximumTransmissionUnitChanged(let handle, _),
      .maximumTransmissionUnitRequested(let handle, _), .clientCompleted(let handle, _, _),
      .notificationReceived(let handle, _, _), .indicationReceived(let handle, _, _),
      .notificationTransmitted(let handle, _), .notificationRefused(let handle, _, _),
      .indicationConfirmed(let handle, _), .attributeWritten(let handle, _, _),
      .readRequested(let handle, _, _, offset: _), .writeRequested(let handle, _, _, _),
      .subscriptionChanged(let handle, _, _, _), .subscriptionsRequested(let handle),
      .pairingFeaturesRequested(let handle, _), .encryptedByPairing(let handle, keySize: _),
      .longTermKeyRequested(let handle, encryptedDiversifier: _, randomNumber: _),
      .pairingFailed(let handle, _, byPeer: _), .bondCreated(let handle, _),
      .secured(let handle, identity: _, keySize: _), .securityFailed(let handle, _):
      handle
    default: nil
    }
  }
}
