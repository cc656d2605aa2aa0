import Bytes
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// The connection to a recorder.
struct Link {
  let handle: ConnectionHandle
  /// The address on this connection.
  let peer: BluetoothAddress
  /// Its identity, where a bond resolves it; else the address itself.
  var identity: BluetoothAddress
  var parameters: ConnectionParameters
  var maximumTransmissionUnit = PhoneConfiguration.defaultMaximumTransmissionUnit
  var isSecured = false
  /// Whether a phone that waits for it was asked to encrypt it.
  var isAskedToEncrypt = false
  /// Why it could not be encrypted when the recorder asked for that earlier than the phone would have; `nil` otherwise.
  var refusedEncryption: PhoneFailure?
  /// Whether no service was discovered on it: the operations run each procedure themselves.
  var isPlain = false
  /// Whether it is meant to stay without encryption, so that the host has no keys while it lasts.
  var staysUnsecured = false
  /// Whether it is meant to keep the default ATT_MTU.
  var staysNarrow = false
  /// The handles of the recorder's characteristics; `nil` before discovery.
  var attributes: RecorderAttributes?
  /// The program of the recorder at the other end.
  var program = ConnectedProgram.application
  /// The handles of the bootloader's characteristics; `nil` on a link to the application.
  var bootloader: BootloaderAttributes?

  init(_ information: ConnectionInformation) {
    handle = information.handle
    peer = information.peer
    identity = information.identity
    parameters = information.parameters
  }

  /// One connection interval.
  var interval: Duration { .microseconds(1250 * Int64(parameters.maximumIntervalUnits)) }
}

extension PhoneApplication {
  /// A connection was made.
  mutating func connected(_ information: ConnectionInformation, _ effects: inout ApplicationEffects) {
    guard information.isCentral, power == .on, link == nil, search.attempt != nil else {
      effects.append(.host(.disconnect(information.handle, .remoteUserTerminatedConnection)))
      return
    }
    search.attempt = nil
    linkState.take(.made)
    var link = Link(information)
    link.program = search.program
    self.link = link
    exchange.linkMade()
    battery.linkMade(with: link.identity, isApplication: link.program == .application)
    note(.connected, of: link.identity, &effects)
    effects.append(.event(.connectionStatus(.connected(link.peer))))
    // The connection may have been made while the attempt was being called off.
    guard case .connecting = running?.stage else { return endLink(&effects) }
    if let phy = configuration.preferredPHY { effects.append(.host(.setPHY(link.handle, phy))) }
    link.program == .bootloader ? prepareBootloader(&effects) : prepare(&effects)
  }

  /// Connecting ended without a connection.
  mutating func connectionFailed(_ code: ErrorCode, _ effects: inout ApplicationEffects) {
    guard let address = search.attempt else { return }
    search.attempt = nil
    linkState.take(.failed)
    note(.failed(reason: code.rawValue), of: address, &effects)
    effects.append(.event(.connectionStatus(.disconnected(code))))
    switch running?.stage {
    case .connecting: tryAgain(after: code, .connectionFailed(code), &effects)
    case .closing(let result): finish(result, &effects)
    default: startNext(&effects)
    }
  }

  /// The link is gone, whoever ended it.
  mutating func linkEnded(_ code: ErrorCode, _ effects: inout ApplicationEffects) {
    guard let ended = link else { return }
    linkState.take(isLinkClosing ? .closed : .lost)
    link = nil
    giveKeysBack(after: ended, &effects)
    battery.stop(&effects)
    note(.disconnected(reason: code.rawValue), of: ended.identity, &effects)
    effects.append(.event(.connectionStatus(.disconnected(code))))
    if power == .restarting { return switchOn(&effects) }
    holdOffAutomaticSync(&effects)
    guard let running else {
      step.stop(&effects)
      return startNext(&effects)
    }
    switch running.stage {
    case .closing(let result): finish(result, &effects)
    case .finishing: finish(.success(.synced(running.plan.summary)), &effects)
    // A recorder ends a link that cannot be encrypted, and the user learns why.
    case .preparing: tryAgain(after: code, ended.refusedEncryption ?? .disconnected(code), &effects)
    case .fetching where has(.storesTruncatedRecords): storeTruncated(.disconnected(code), &effects)
    case .entering(let entry): entryLinkEnded(entry, code, &effects)
    case .preparingBootloader: tryAgain(after: code, .disconnected(code), &effects)
    case .updating(let step): updateLinkEnded(step, code, &effects)
    case .scanning, .finding, .connecting: break
    case .pairing, .unpairing, .readingBattery, .listing, .sizing, .fetching, .checkingSpace, .writing,
      .askingBootloader, .reportingVersions, .runningProcedure:
      fail(.disconnected(code), &effects)
    }
  }

  /// Looks for the recorder again when the first packets of a connection were lost, as phones do; else fails.
  private mutating func tryAgain(
    after code: ErrorCode, _ failure: PhoneFailure, _ effects: inout ApplicationEffects
  ) {
    guard code == .connectionFailedToBeEstablished, let left = running?.attemptsLeft, left > 1 else {
      return fail(failure, &effects)
    }
    running?.attemptsLeft = left - 1
    listen(&effects)
  }

  /// Ends the link or the attempt to make one, and the running operation once that is done.
  mutating func close(_ result: Result<PhoneResult, PhoneFailure>, _ effects: inout ApplicationEffects) {
    exchange.clear()
    exchange.settle.stop(&effects)
    running?.stage = .closing(result)
    if link != nil { endLink(&effects) }
    allow(configuration.timeouts.disconnect, &effects)
  }

  /// Tells the link to end, once.
  mutating func endLink(_ effects: inout ApplicationEffects) {
    guard let link, !isLinkClosing else { return }
    linkState.take(.ended)
    battery.stop(&effects)
    effects.append(.host(.disconnect(link.handle, .remoteUserTerminatedConnection)))
  }

  /// Gives up a link or an attempt whose end was never reported.
  mutating func dropLink(_ effects: inout ApplicationEffects) {
    guard link != nil || search.attempt != nil else { return }
    linkState.take(.givenUp)
    search.attempt = nil
    guard let link else { return }
    self.link = nil
    giveKeysBack(after: link, &effects)
    effects.append(.event(.connectionStatus(.disconnected(nil))))
  }

  /// The host has the keys again that it did not have on a link without encryption.
  private mutating func giveKeysBack(after link: Link, _ effects: inout ApplicationEffects) {
    guard link.staysUnsecured else { return }
    let bonds = consult(&effects) { library throws(LibraryFailure) in try library.bonds() } ?? []
    effects.append(.host(.setBonds(bonds)))
  }

  mutating func beginDisconnect(_ effects: inout ApplicationEffects) {
    guard link != nil || search.attempt != nil else { return finish(.success(.done), &effects) }
    if link == nil { effects.append(.host(.cancelConnect)) }
    close(.success(.done), &effects)
  }

  /// The ready link, or why an operation cannot use one.
  func readyLink() throws(PhoneFailure) -> Link {
    guard let link, isLinkReady, !isLinkClosing else { throw .notConnected }
    if battery.isLow, !ignoresLowBattery { throw .batteryLow(battery.level ?? 0) }
    return link
  }

  /// Adds to the history of connections.
  mutating func note(
    _ status: ConnectionStatusEntry.Status, of recorder: BluetoothAddress, _ effects: inout ApplicationEffects
  ) {
    let entry = ConnectionStatusEntry(recorder: recorder, status: status, at: timeServer.clock.wallTime(at: now))
    _ = consult(&effects) { library throws(LibraryFailure) in try library.note(entry) }
  }
}
