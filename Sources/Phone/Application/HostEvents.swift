import HCI
import HostStack

extension PhoneApplication {
  /// Takes an event of the host stack.
  mutating func handle(_ event: HostEvent, _ effects: inout ApplicationEffects) {
    switch event {
    case .notificationReceived(let handle, let attribute, let value):
      guard link?.handle == handle else { return }
      guard !isLinkClosing else { return hearAtLast(attribute, value, &effects) }
      if attribute == link?.attributes?.fileData.value { return dataArrived(value, &effects) }
      if let link { notified(attribute, value, link, &effects) }
    case .indicationReceived(let handle, let attribute, let value):
      guard let link, link.handle == handle else { return }
      if link.isPlain { return valueReceived(attribute, value, isIndication: true, &effects) }
      indicated(attribute, value, &effects)
    case .remoteVersion(let handle, let version):
      if link?.handle == handle { remoteVersionKnown(version, &effects) }
    case .started: hostStarted(&effects)
    case .failed(let failure): hostFailed(failure, &effects)
    case .advertisingReport(let report): heard(report, &effects)
    case .scanningFailed(let code): listeningFailed(code, &effects)
    case .connected(let information): connected(information, &effects)
    case .connectionFailed(let code): connectionFailed(code, &effects)
    case .disconnected(let handle, let code):
      if link?.handle == handle { linkEnded(code, &effects) }
    case .clientCompleted(let handle, let token, let result):
      if link?.handle == handle { completed(token, result, &effects) }
    case .readRequested(let handle, let token, _, _): answerTimeRead(handle, token, &effects)
    case .writeRequested(let handle, let token, _, _):
      effects.append(.host(.answerWrite(handle, token, .writeNotPermitted)))
    case .parametersUpdated(let handle, let parameters):
      if link?.handle == handle { link?.parameters = parameters }
    case .parameterUpdateRequested(let handle, _, let identifier):
      effects.append(.host(.answerParameterUpdate(handle, identifier: identifier, accepted: true)))
    case .maximumTransmissionUnitChanged(let handle, let octets):
      if link?.handle == handle { link?.maximumTransmissionUnit = octets }
    case .securityRequested, .pairingFailed, .bondCreated, .bondUpdated, .secured, .securityFailed, .pairingRequested:
      handleSecurity(event, &effects)
    case .protocolViolation(_, let violation):
      effects.append(.event(.protocolTrouble("\(violation.description) (\(violation.reference))")))
    case .parameterUpdateGranted, .parameterUpdateFailed, .dataLengthChanged, .phyChanged, .signalStrength,
      .notificationTransmitted, .notificationRefused, .indicationConfirmed, .attributeWritten, .subscriptionChanged,
      .advertisingFailed:
      break
    // Asked only of a host whose policies say so.
    case .pairingFeaturesRequested, .encryptedByPairing, .longTermKeyRequested, .maximumTransmissionUnitRequested,
      .subscriptionsRequested:
      break
    }
  }

  /// A procedure of the GATT client ended. One that a lost link ended is left to ``linkEnded(_:_:)``, which says why.
  private mutating func completed(
    _ token: ClientToken, _ result: Result<ClientResult, ClientFailure>, _ effects: inout ApplicationEffects
  ) {
    if case .failure(.disconnected) = result { return }
    let outcome = result.mapError(PhoneFailure.init)
    if token == updating.run?.request {
      updateRequestEnded(outcome, &effects)
    } else if battery.ends(token) {
      if case .success(.value(let value)) = outcome { periodicReadEnded(value, &effects) }
    } else if token == exchange.procedure {
      exchangeProcedureEnded(outcome, &effects)
    } else if let running {
      switch running.stage {
      case .preparing(let preparation) where preparation.procedure == token:
        preparationProcedureEnded(preparation.step, outcome, &effects)
      case .unpairing(token): unpairingEnded(outcome, &effects)
      case .readingBattery(token): batteryReadEnded(outcome, &effects)
      case .runningProcedure(token): finish(outcome.map(PhoneResult.attribute), &effects)
      case .preparingBootloader(let preparation) where preparation.procedure == token:
        bootloaderPreparationEnded(preparation.step, outcome, &effects)
      case .entering(let entry) where entry.procedure == token: entryProcedureEnded(entry, outcome, &effects)
      case .updating(let step): updateProcedureEnded(step, token, outcome, &effects)
      case .askingBootloader(let question) where question.procedure == token:
        questionWritten(question, outcome, &effects)
      case .reportingVersions(let inquiry) where inquiry.procedure == token:
        inquiryProcedureEnded(inquiry, outcome, &effects)
      default: break
      }
    }
  }
}

extension PhoneFailure {
  /// The failure of an operation after the failure of a client procedure.
  init(_ failure: ClientFailure) {
    switch failure {
    case .refused(let code, _): self = .refused(code)
    case .timeout: self = .noAnswer
    case .malformedResponse(let violation): self = .malformedAnswer(violation.description)
    case .disconnected, .notAllowed: self = .notConnected
    }
  }
}
