import HCI

// Procedures that end at an instant: connection parameters and PHYs (Core Specification Vol 6, Part B, 5.1.1, 5.1.7
// and 5.1.10).
extension LinkEnd {
  /// Connection events between a change's announcement and its instant, at least (5.1.1).
  private static let instantDistance: UInt64 = 6

  private var nextInstant: UInt16 {
    UInt16(truncatingIfNeeded: link.nextEvent + Self.instantDistance + UInt64(link.parameters.latency))
  }

  /// Waits for the instant of a change that the central announced. One that is past already ends the connection.
  func prepare(for change: PendingInstant) {
    // The event under way is the one before the next.
    let distance = change.instant &- UInt16(truncatingIfNeeded: link.nextEvent &- 1)
    guard distance != 0, distance < 0x7FFF else { return leave(.instantPassed) }
    pendingInstant = change
  }

  private var isChanging: Bool { pendingInstant != nil || procedures.active?.hasInstant == true }

  // MARK: Connection parameters

  func changeParameters(_ timing: LEConnectionTiming) {
    guard role == .central else {
      return ask(
        .connectionParameterRequest(
          LEParameterRequest(
            minimumIntervalUnits: timing.minimumIntervalUnits, maximumIntervalUnits: timing.maximumIntervalUnits,
            latency: timing.latency, supervisionTimeoutUnits: timing.supervisionTimeoutUnits)))
    }
    let chosen = LELinkParameters(
      intervalUnits: timing.minimumIntervalUnits, latency: timing.latency,
      supervisionTimeoutUnits: timing.supervisionTimeoutUnits)
    link.wake()
    let instant = nextInstant
    let anchor = link.anchor(link.nextEvent + UInt64(instant &- UInt16(truncatingIfNeeded: link.nextEvent)))
    let offset = controller.freeOffset(from: anchor, intervalUnits: chosen.intervalUnits, besides: link)
    let update = ConnectionUpdate(link: chosen, anchorOffset: offset, instant: instant)
    pendingInstant = .parameters(update)
    enqueue(.connectionUpdateIndication(update))
  }

  /// The peripheral asks for other parameters; the host decides.
  func parametersRequested(_ request: LEParameterRequest) {
    let opcode = ControlPDU.OpCode.connectionParameterRequest
    guard role == .central, !isChanging else { return reject(opcode, .linkLayerProcedureCollision) }
    let event = Event.leRemoteConnectionParameterRequest(handle, request)
    guard controller.isWanted(event) else { return reject(opcode, .unsupportedRemoteFeature) }
    hasParameterRequest = true
    controller.emit(event)
  }

  func parametersChanged(from old: LELinkParameters, to new: LELinkParameters) {
    var isOwn = false
    if case .parameters = procedures.active { isOwn = true }
    if isOwn || old != new { controller.emit(.leConnectionUpdateComplete(.success, handle, new)) }
    if isOwn { finishProcedure() }
  }

  // MARK: PHYs

  /// What this end can do of what its host prefers, for sending and receiving.
  func acceptablePHYs(_ preference: PHYPreference) -> (transmit: PhysicalLayers, receive: PhysicalLayers) {
    let possible = profile.physicalLayers
    return (
      (preference.transmit ?? possible).intersection(possible), (preference.receive ?? possible).intersection(possible)
    )
  }

  func handlePHY(_ control: ControlPDU) {
    switch control {
    case .phyRequest(let transmit, let receive):
      if role == .central {
        guard !isChanging else {
          return reject(ControlPDU.OpCode.phyRequest, .linkLayerProcedureCollision)
        }
        let own = acceptablePHYs(controller.preferredPHYs)
        announcePHYs(own.transmit.intersection(receive), own.receive.intersection(transmit))
      } else {
        let own = acceptablePHYs(controller.preferredPHYs)
        enqueue(.phyResponse(transmit: own.transmit, receive: own.receive))
      }
    case .phyResponse(let transmit, let receive):
      guard case .phy(let preference) = procedures.active else { return }
      procedures.stopTimer(controller.loop)
      let own = acceptablePHYs(preference)
      announcePHYs(own.transmit.intersection(receive), own.receive.intersection(transmit))
    case .phyUpdateIndication(let update):
      if update.centralToPeripheral == nil, update.peripheralToCentral == nil {
        change(transmit: nil, receive: nil)
      } else {
        procedures.stopTimer(controller.loop)
        prepare(for: .phy(update))
      }
    default: break
    }
  }

  /// As central: chooses the fastest PHY that both ends want in each direction and says when it begins.
  private func announcePHYs(_ transmit: PhysicalLayers, _ receive: PhysicalLayers) {
    let update = PHYUpdate(
      centralToPeripheral: Self.fastest(transmit, other: channel.transmitPHY),
      peripheralToCentral: Self.fastest(receive, other: channel.receivePHY), instant: nextInstant)
    enqueue(.phyUpdateIndication(update))
    if update.centralToPeripheral == nil, update.peripheralToCentral == nil {
      change(transmit: nil, receive: nil)
    } else {
      pendingInstant = .phy(update)
    }
  }

  private static func fastest(_ layers: PhysicalLayers, other current: PhysicalLayer) -> PhysicalLayer? {
    let best: PhysicalLayer? =
      layers.contains(.le2M) ? .le2M : layers.contains(.le1M) ? .le1M : layers.contains(.leCoded) ? .leCoded : nil
    return best == current ? nil : best
  }

  /// Uses other PHYs from now on; `nil` leaves one as it is.
  func change(transmit: PhysicalLayer?, receive: PhysicalLayer?) {
    channel.transmitPHY = transmit ?? channel.transmitPHY
    channel.receivePHY = receive ?? channel.receivePHY
    updateTransmitLimit()
    var isOwn = false
    if case .phy = procedures.active { isOwn = true }
    if isOwn || transmit != nil || receive != nil {
      controller.emit(
        .lePHYUpdateComplete(.success, handle, transmit: channel.transmitPHY, receive: channel.receivePHY))
    }
    if isOwn { finishProcedure() }
  }
}
