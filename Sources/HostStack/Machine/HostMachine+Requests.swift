import Bytes
import HCI
import Packets

/// What the application asks for.
extension HostMachine {
  /// Takes a request. One for a connection that is gone does nothing, or fails as its documentation says.
  mutating func perform(_ request: HostRequest, _ effects: inout Effects) {
    switch request {
    case .start(let configuration): start(configuration, &effects)
    case .setBonds(let bonds): self.bonds = BondTable(bonds)
    case .removeBonds(let identity): bonds.remove(identity)
    case .setValue(let handle, let value): table.setValue(handle, value)
    case .setAdvertising, .setScanning, .connect, .cancelConnect: performGAP(request, &effects)
    case .notify(let handle, let ticket, let attribute, let value):
      table.setValue(attribute, value)
      notify(handle, ticket, attribute, value, &effects)
    case .indicate(let handle, let ticket, let attribute, let value):
      indicate(handle, ticket, attribute, value, &effects)
    case .client(let handle, let token, let procedure): run(handle, token, procedure, &effects)
    default: performOnLink(request, &effects)
    }
  }

  private mutating func performGAP(_ request: HostRequest, _ effects: inout Effects) {
    guard case .running = phase else { return performLater(request, &effects) }
    let ownAddressType: OwnAddressType = configuration.ownAddress.kind == .public ? .public : .random
    switch request {
    case .setAdvertising(let advertisement?) where !advertisement.fits:
      effects.append(.event(.advertisingFailed(.invalidHCICommandParameters)))
    case .setAdvertising(let advertisement):
      let wish = advertisement.map { AdvertisingWish(advertisement: $0, ownAddressType: ownAddressType) }
      if let command = advertising.want(wish) { send(command, &effects) }
    case .setScanning(let parameters):
      let wish = parameters.map { ScanningWish(parameters: $0, ownAddressType: ownAddressType) }
      if let command = scanning.want(wish) { send(command, &effects) }
    case .connect(let address, let parameters):
      guard initiator.begin() else { return effects.append(.event(.connectionFailed(.commandDisallowed))) }
      let connection = LECreateConnection(
        peerAddress: address, ownAddressType: ownAddressType, timing: LEConnectionTiming(parameters))
      send(.leCreateConnection(connection), &effects)
    case .cancelConnect:
      guard initiator.cancel() else { return }
      send(.leCreateConnectionCancel, &effects)
      start(.cancellation, &effects)
    default: return
    }
  }

  /// Keeps a request until the controller is set up, or refuses it when nothing is being set up.
  private mutating func performLater(_ request: HostRequest, _ effects: inout Effects) {
    if case .settingUp = phase, deferred.count < Self.deferredRequestLimit { return deferred.append(request) }
    switch request {
    case .setAdvertising(.some): effects.append(.event(.advertisingFailed(.commandDisallowed)))
    case .setScanning(.some): effects.append(.event(.scanningFailed(.commandDisallowed)))
    case .connect: effects.append(.event(.connectionFailed(.commandDisallowed)))
    default: return
    }
  }

  private mutating func performOnLink(_ request: HostRequest, _ effects: inout Effects) {
    guard let handle = request.connection, let index = index(of: handle) else { return }
    switch request {
    case .disconnect(_, let reason): disconnect(index, reason, &effects)
    case .updateParameters(_, let parameters):
      if links[index].isCentral {
        send(.leConnectionUpdate(handle, LEConnectionTiming(parameters)), &effects)
      } else {
        signal(index, &effects) { $0.ask(for: parameters, &$1) }
      }
    case .answerParameterUpdate(_, let identifier, let accepted):
      signal(index, &effects) { $0.answer(identifier, accepted, &$1) }
    case .setDataLength(_, let octets):
      send(.leSetDataLength(handle, LEDataLength(uncodedOctets: octets)), &effects)
    case .setPHY(_, let phy):
      send(.leSetPHY(handle, PHYPreference(transmit: phy.asSet, receive: phy.asSet), options: 0), &effects)
    case .readSignalStrength: send(.readRSSI(handle), &effects)
    case .readRemoteVersion: send(.readRemoteVersionInformation(handle), &effects)
    case .secure: secure(index, &effects)
    case .answerPairing(_, let accepted): pair(index, &effects) { $0.answerApproval(accepted, &$1) }
    case .answerPairingFeatures(_, let answer): pair(index, &effects) { $0.answerNegotiation(answer, &$1) }
    case .answerLongTermKey(_, let key): answerKey(index, key, &effects)
    case .answerMaximumTransmissionUnit(_, let size): answerExchange(index, size, &effects)
    case .setSubscriptions(_, let subscriptions): setSubscriptions(index, subscriptions, &effects)
    case .answerRead(_, let token, let answer): answerRead(index, token, answer, &effects)
    case .answerWrite(_, let token, let refusal): answerWrite(index, token, refusal, &effects)
    default: return
    }
  }
}

extension HostRequest {
  /// The connection that a request is about.
  fileprivate var connection: ConnectionHandle? {
    switch self {
    case .disconnect(let handle, _), .updateParameters(let handle, _),
      .answerParameterUpdate(let handle, identifier: _, accepted: _), .setDataLength(let handle, octets: _),
      .setPHY(let handle, _), .readSignalStrength(let handle), .readRemoteVersion(let handle),
      .secure(let handle),
      .answerPairing(let handle, accepted: _), .answerPairingFeatures(let handle, _), .answerLongTermKey(let handle, _),
      .answerMaximumTransmissionUnit(let handle, _), .setSubscriptions(let handle, _), .answerRead(let handle, _, _),
      .answerWrite(let handle, _, _):
      handle
    default: nil
    }
  }
}

extension Advertisement {
  /// Whether the data are short enough for legacy advertising (Core Specification Vol 6, Part B, 2.3.1).
  fileprivate var fits: Bool {
    data.count <= LEAdvertisingPayload.limit && scanResponse.count <= LEAdvertisingPayload.limit
  }
}

extension LEConnectionTiming {
  /// What the application wants, with no wish for the length of connection events.
  fileprivate init(_ parameters: ConnectionParameters) {
    self.init(
      minimumIntervalUnits: parameters.minimumIntervalUnits, maximumIntervalUnits: parameters.maximumIntervalUnits,
      latency: parameters.latency, supervisionTimeoutUnits: parameters.supervisionTimeoutUnits)
  }
}
