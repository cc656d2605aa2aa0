import Bytes
import DictofunProtocol
import HCI
import HostStack

extension PhoneApplication {
  /// Handles an event of pairing or encryption.
  mutating func handleSecurity(_ event: HostEvent, _ effects: inout ApplicationEffects) {
    switch event {
    case .secured(let handle, _, _):
      if link?.handle == handle { secured(&effects) }
    case .securityFailed(let handle, let code):
      if link?.handle == handle { securingFailed(.securityFailed(code), &effects) }
    case .pairingFailed(let handle, let reason, _):
      if link?.handle == handle { securingFailed(.pairingFailed(reason), &effects) }
    case .bondCreated(let handle, let bond):
      guard link?.handle == handle, case .pairing = running?.stage else { return }
      running?.stage = .pairing(bond)
      pairingAdvanced(&effects)
    case .bondUpdated(let bond):
      _ = consult(&effects) { library throws(LibraryFailure) in try library.update(bond) }
    case .pairingRequested(let handle, _, _): effects.append(.host(.answerPairing(handle, accepted: false)))
    // A recorder that knows the phone asks a second after connecting, when most phones have asked long before. One
    // that is not paired waits until the user pairs it.
    case .securityRequested(let handle): if link?.handle == handle { securityRequested(&effects) }
    default: break
    }
  }

  private mutating func secured(_ effects: inout ApplicationEffects) {
    guard let link else { return }
    if !link.isSecured {
      self.link?.isSecured = true
      self.link?.refusedEncryption = nil
      note(.secured, of: link.identity, &effects)
      effects.append(.event(.connectionStatus(.secured(link.peer))))
    }
    switch running?.stage {
    case .preparing(let preparation) where preparation.step == .securing: preparationSecured(nil, &effects)
    case .pairing: pairingAdvanced(&effects)
    default: break
    }
  }

  /// The phone keeps its keys when the recorder has lost them: an attacker that imitates the recorder could otherwise
  /// make it forget them. The user unpairs.
  private mutating func securingFailed(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    switch running?.stage {
    case .preparing(let preparation) where preparation.step == .securing: preparationSecured(failure, &effects)
    case .preparing: link?.refusedEncryption = failure
    case .pairing: fail(failure, &effects)
    default: break
    }
  }

  // MARK: Pairing

  mutating func beginPairing(_ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      let link = try readyLink()
      if let pairedRecorder, !has(.pairsTwice) { throw .alreadyPaired(pairedRecorder) }
      running?.stage = .pairing(nil)
      effects.append(.host(.secure(link.handle)))
      allow(configuration.timeouts.security, &effects)
    } catch {
      fail(error, &effects)
    }
  }

  /// Pairing is done when the link is encrypted and the keys are there; without bonding no keys come.
  private mutating func pairingAdvanced(_ effects: inout ApplicationEffects) {
    guard case .pairing(let bond) = running?.stage, link?.isSecured == true else { return }
    guard let bond else {
      // No new keys come without bonding, and when a recorder that is paired already is asked again.
      let isPaired = pairedRecorder != nil && pairedRecorder == link?.identity
      if !configuration.security.bonding || isPaired { finish(.success(.done), &effects) }
      return
    }
    let time = timeServer.clock.wallTime(at: now)
    do throws(LibraryFailure) {
      if has(.pairsTwice) { try configuration.library.unpair(at: time) }
      try configuration.library.pair(bond, at: time)
    } catch {
      return fail(.library(error.description), &effects)
    }
    pairedRecorder = bond.identity
    link?.identity = bond.identity
    battery.rename(bond.identity)
    finish(.success(.done), &effects)
  }

  // MARK: Unpairing

  mutating func beginUnpairing(_ effects: inout ApplicationEffects) {
    guard let pairedRecorder else { return fail(.notPaired, &effects) }
    guard let link, link.identity == pairedRecorder, !has(.unpairsSilently) else { return forgetKeys(&effects) }
    do throws(PhoneFailure) {
      let link = try readyLink()
      guard let attributes = link.attributes else { throw .notConnected }
      let token = run(.write(attributes.pairing, [PairingControl.unpair]), on: link, &effects)
      running?.stage = .unpairing(token)
      allow(configuration.timeouts.attribute, &effects)
    } catch {
      fail(error, &effects)
    }
  }

  /// The recorder was told to forget its bonds; the link stays.
  mutating func unpairingEnded(_ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects) {
    switch outcome {
    case .success: forgetKeys(&effects)
    case .failure(let failure): fail(failure, &effects)
    }
  }

  private mutating func forgetKeys(_ effects: inout ApplicationEffects) {
    do throws(LibraryFailure) { try configuration.library.unpair(at: timeServer.clock.wallTime(at: now)) } catch {
      return fail(.library(error.description), &effects)
    }
    effects.append(.host(.removeBonds(pairedRecorder)))
    pairedRecorder = nil
    finish(.success(.done), &effects)
  }
}
