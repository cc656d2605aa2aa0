import HCI
import Timeline

extension LinkEnd {
  enum Alarm: UInt64 {
    case supervision
    case procedure
    case farewell
  }

  func alarm(_ argument: UInt64) {
    guard isAlive else { return }
    switch Alarm(rawValue: argument) {
    case .supervision:
      supervision = nil
      // The end that asked to terminate leaves now, acknowledged or not (Vol 6, Part B, 5.1.6).
      leave(
        isTerminating
          ? .connectionTerminatedByLocalHost : isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished)
    case .procedure: leave(.linkLayerResponseTimeout)
    // However much is heard of the other end meanwhile (Vol 6, Part B, 5.1.6).
    case .farewell: leave(.connectionTerminatedByLocalHost)
    case nil: break
    }
  }

  // MARK: Starting

  /// Begins a procedure, or lets it wait for the one under way.
  func start(_ procedure: LinkProcedure) {
    procedures.append(procedure)
    startNext()
  }

  /// Other procedures continue after encryption was started or refused; one under way has its timer restarted.
  func resumeProcedures() {
    procedures.stopTimer(controller.loop)
    if procedures.active != nil {
      procedures.startTimer(controller.loop, self)
    } else {
      startNext()
    }
  }

  /// Begins the procedure that has waited longest, where nothing prevents it.
  func startNext() {
    guard isAlive, !isTerminating, encryption.isIdle,
      let procedure = procedures.next(hasPendingInstant: pendingInstant != nil)
    else { return }
    switch procedure {
    case .features:
      if let remoteFeatures { return featuresKnown(remoteFeatures) }
      let features = profile.features
      ask(role == .central ? .featureRequest(features) : .peripheralFeatureRequest(features))
    case .version:
      if let remoteVersion { return versionKnown(remoteVersion) }
      sendVersion()
      procedures.startTimer(controller.loop, self)
    case .dataLength: ask(.lengthRequest(dataLength.offered))
    case .phy(let preference):
      let (transmit, receive) = acceptablePHYs(preference)
      ask(.phyRequest(transmit: transmit, receive: receive))
    case .parameters(let timing): changeParameters(timing)
    case .encryption(let request): beginEncryption(request)
    }
  }

  func ask(_ control: ControlPDU) {
    enqueue(control)
    procedures.startTimer(controller.loop, self)
  }

  func finishProcedure() {
    procedures.finish(controller.loop)
    startNext()
  }

  /// Tells the other end that this end leaves, after what it has to answer and what the host has handed over before:
  /// a host that refuses a key, or answers a request, and disconnects at once is still heard. Data that is paused is
  /// lost.
  func terminate(_ reason: ErrorCode) {
    guard !isTerminating else { return }
    isTerminating = true
    procedures.stop(controller.loop)
    channel.close(with: .terminateIndication(reason))
    farewell = controller.loop.schedule(
      at: Instant(nanoseconds: controller.loop.now.nanoseconds + link.supervisionTimeout), target: self,
      argument: Alarm.farewell.rawValue)
    link.wake()
  }

  // MARK: Handling

  /// Takes a control PDU of the other end.
  func handle(_ control: ControlPDU) {
    if isTerminating { return }
    if let feature = control.requiredFeature, !profile.features.contains(feature) {
      return enqueue(.unknownResponse(control.opcode))
    }
    switch control {
    case .featureRequest(let features), .peripheralFeatureRequest(let features):
      remoteFeatures = features
      enqueue(.featureResponse(profile.features))
    case .featureResponse(let features): featuresKnown(features)
    case .versionIndication(let version):
      remoteVersion = version
      sendVersion()
      versionKnown(version)
    case .lengthRequest(let lengths):
      agree(lengths)
      enqueue(.lengthResponse(dataLength.offered))
    case .lengthResponse(let lengths):
      agree(lengths)
      if case .dataLength = procedures.active { finishProcedure() }
    case .phyRequest, .phyResponse, .phyUpdateIndication: handlePHY(control)
    case .connectionParameterRequest(let request): parametersRequested(request)
    case .connectionUpdateIndication(let update): prepare(for: .parameters(update))
    case .rejectIndication(let reason): refused(nil, reason)
    case .rejectExtendedIndication(let opcode, let reason): refused(opcode, reason)
    case .unknownResponse(let opcode): refused(opcode, .unsupportedRemoteFeature)
    // Dealt with when it is received, since nothing of the connection event may follow it.
    case .terminateIndication: break
    default: handleEncryption(control)
    }
  }

  private func sendVersion() {
    guard !hasSentVersion else { return }
    hasSentVersion = true
    let version = RemoteVersion(
      version: profile.version, company: profile.company, subversion: profile.subversion)
    enqueue(.versionIndication(version))
  }

  private func featuresKnown(_ features: LEFeatures) {
    remoteFeatures = features
    guard case .features = procedures.active else { return }
    controller.emit(.leReadRemoteFeaturesComplete(.success, handle, features))
    finishProcedure()
  }

  private func versionKnown(_ version: RemoteVersion) {
    guard case .version = procedures.active else { return }
    controller.emit(.readRemoteVersionInformationComplete(.success, handle, version))
    finishProcedure()
  }

  private func agree(_ lengths: LEDataLengths) {
    let isChanged = dataLength.agree(with: lengths)
    updateTransmitLimit()
    if isChanged { controller.emit(.leDataLengthChange(handle, dataLength.effective)) }
  }

  /// Octets and time both limit a packet; which one binds depends on the PHY (Vol 6, Part B, 4.5.10).
  func updateTransmitLimit() {
    let agreed = dataLength.effective.transmit
    channel.transmitLimit = min(
      Int(agreed.octets), AirTime.payloadLimit(channel.transmitPHY, microseconds: Int(agreed.microseconds)))
  }

  /// The other end refused what this end had asked for.
  private func refused(_ opcode: UInt8?, _ reason: ErrorCode) {
    switch procedures.active {
    case .encryption where opcode == nil || opcode == ControlPDU.OpCode.encryptionRequest: encryptionRefused(reason)
    case .parameters where opcode == nil || opcode == ControlPDU.OpCode.connectionParameterRequest:
      controller.emit(.leConnectionUpdateComplete(reason, handle, link.parameters))
      finishProcedure()
    case .phy where opcode == nil || opcode == ControlPDU.OpCode.phyRequest:
      controller.emit(.lePHYUpdateComplete(reason, handle, transmit: channel.transmitPHY, receive: channel.receivePHY))
      finishProcedure()
    case .features
    where opcode == ControlPDU.OpCode.featureRequest || opcode == ControlPDU.OpCode.peripheralFeatureRequest:
      controller.emit(.leReadRemoteFeaturesComplete(reason, handle, []))
      finishProcedure()
    case .dataLength where opcode == ControlPDU.OpCode.lengthRequest: finishProcedure()
    default: break
    }
  }

  func reject(_ opcode: UInt8, _ reason: ErrorCode) {
    let both = profile.features.intersection(remoteFeatures ?? profile.features)
    enqueue(
      both.contains(.extendedRejectIndication)
        ? .rejectExtendedIndication(opcode, reason) : .rejectIndication(reason))
  }
}
