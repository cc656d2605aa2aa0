import Bytes
import DictofunProtocol
import HCI
import HostStack
import SecureDFU

/// Prepares links to bootloaders, and sends single requests over them.
extension PhoneApplication {
  /// Looks for the bootloader that an operation wants, or takes the link to it that there is.
  mutating func beginFindingBootloader(_ choice: RecorderChoice, _ effects: inout ApplicationEffects) {
    guard let link else { return listen(&effects) }
    link.program == .bootloader && isLinkReady
      ? finish(.success(.done), &effects) : fail(.connectionFailed(.connectionAlreadyExists), &effects)
  }

  /// Begins to prepare a new link to a bootloader, which is never paired.
  mutating func prepareBootloader(_ effects: inout ApplicationEffects) {
    if configuration.asksForMaximumTransmissionUnit {
      prepareBootloader(.exchangingMTU, .exchangeMaximumTransmissionUnit, &effects)
    } else {
      discoverBootloader(&effects)
    }
  }

  private mutating func discoverBootloader(_ effects: inout ApplicationEffects) {
    prepareBootloader(.discovering, .discoverService(DictofunUUID.secureDFUService), &effects)
  }

  private mutating func prepareBootloader(
    _ step: BootloaderPreparation.Step, _ procedure: ClientProcedure, _ effects: inout ApplicationEffects
  ) {
    guard let link else { preconditionFailure("a link is prepared that is gone") }
    let token = run(procedure, on: link, &effects)
    running?.stage = .preparingBootloader(BootloaderPreparation(step: step, procedure: token))
    allow(configuration.timeouts.attribute, &effects)
  }

  /// The client procedure of a step ended.
  mutating func bootloaderPreparationEnded(
    _ step: BootloaderPreparation.Step, _ outcome: Result<ClientResult, PhoneFailure>,
    _ effects: inout ApplicationEffects
  ) {
    switch (step, outcome) {
    case (.exchangingMTU, .success(.maximumTransmissionUnit(let octets))):
      link?.maximumTransmissionUnit = octets
      discoverBootloader(&effects)
    // A server may refuse to exchange the MTU: the phone does without.
    case (.exchangingMTU, .failure(.refused)): discoverBootloader(&effects)
    case (.discovering, .success(.services(let services))):
      do throws(PhoneFailure) {
        let attributes = try BootloaderAttributes(services)
        link?.bootloader = attributes
        if case .connectBootloader(_, subscribes: false) = running?.operation { return bootloaderPrepared(&effects) }
        prepareBootloader(.subscribing, .subscribe(attributes.configuration, .notifications), &effects)
      } catch { close(.failure(error), &effects) }
    case (.subscribing, .success(.written)): bootloaderPrepared(&effects)
    case (_, .failure(let failure)): close(.failure(failure), &effects)
    case (_, .success): close(.failure(.malformedAnswer("an answer to something else")), &effects)
    }
  }

  private mutating func bootloaderPrepared(_ effects: inout ApplicationEffects) {
    linkState.take(.prepared)
    if has(.pairsWithBootloaders), let link { effects.append(.host(.secure(link.handle))) }
    linkReady(&effects)
  }

  /// The bootloader's control point notified.
  mutating func bootloaderNotified(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    switch running?.stage {
    case .updating(.transferring): feedTransfer(.notified(value), &effects)
    case .askingBootloader(let question) where question.awaitsReply: finish(.success(.reply(value)), &effects)
    default: break
    }
  }

  // MARK: Single requests

  private func bootloaderLink() throws(PhoneFailure) -> (Link, BootloaderAttributes) {
    guard let link, isLinkReady, !isLinkClosing, let attributes = link.bootloader else { throw .notConnected }
    return (link, attributes)
  }

  mutating func askBootloader(_ octets: [UInt8], _ awaitsReply: Bool, _ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      let (link, attributes) = try bootloaderLink()
      let token = run(.write(attributes.controlPoint, octets), on: link, &effects)
      running?.stage = .askingBootloader(BootloaderQuestion(procedure: token, awaitsReply: awaitsReply))
      allow(configuration.timeouts.updateAnswer, &effects)
    } catch { fail(error, &effects) }
  }

  mutating func sendToBootloader(_ octets: [UInt8], packetSize: Int, _ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      let (link, attributes) = try bootloaderLink()
      var last = ClientToken(0)
      for start in stride(from: 0, to: octets.count, by: max(1, packetSize)) {
        let packet = Array(octets[start..<min(octets.count, start + max(1, packetSize))])
        last = run(.writeWithoutResponse(attributes.packet, packet), on: link, &effects)
      }
      guard !octets.isEmpty else { return finish(.success(.done), &effects) }
      running?.stage = .askingBootloader(BootloaderQuestion(procedure: last, awaitsReply: false))
      allow(configuration.timeouts.updateAnswer, &effects)
    } catch { fail(error, &effects) }
  }

  /// The write of a request ended.
  mutating func questionWritten(
    _ question: BootloaderQuestion, _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    switch outcome {
    case .failure(let failure): fail(failure, &effects)
    case .success: if !question.awaitsReply { finish(.success(.done), &effects) }
    }
  }
}
