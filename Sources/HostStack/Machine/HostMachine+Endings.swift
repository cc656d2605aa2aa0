import HCI

/// Ending links in an orderly way.
///
///     none ──disconnect──▶ afterData ──all sent, or a second has passed──▶ commanded ──Disconnection_Complete──▶ gone
///       ▲                                                                      │ refused
///       ╰──────────────────────────────────────────────────────────────────────╯
///
/// Commands and data go different ways into a controller, on USB by different endpoints, and a controller that ends a
/// link drops what it still holds for it (Core Specification Vol 4, Part E, 4.1.1 and 7.1.6): the last keys of a pairing
/// would be lost. So the command is held until the controller has reported everything as sent, and nothing more is
/// sent on the link meanwhile.
extension HostMachine {
  /// Ends a link after what was sent on it.
  mutating func disconnect(_ index: Int, _ reason: ErrorCode, _ effects: inout Effects) {
    guard !links[index].ending.isAskedFor else { return }
    links[index].ending = .afterData(reason.isHostDisconnectionReason ? reason : .remoteUserTerminatedConnection)
    if scheduler.isIdle(links[index].handle) { return commandDisconnect(index, &effects) }
    scheduler.setClosing(links[index].handle, true)
    start(.lastData, index, &effects)
  }

  /// Ends a link on which more waits than a host that behaves lets wait; nothing of it is worth sending. What comes too
  /// late for a link that is being ended is passed over.
  mutating func cutOff(_ handle: ConnectionHandle, _ effects: inout Effects) {
    guard let index = index(of: handle), !links[index].ending.isAskedFor else { return }
    links[index].ending = .afterData(.remoteDeviceTerminatedDueToLowResources)
    commandDisconnect(index, &effects)
  }

  /// Ends the links whose last data were sent.
  mutating func disconnectIdleLinks(_ effects: inout Effects) {
    for index in links.indices {
      if case .afterData = links[index].ending, scheduler.isIdle(links[index].handle) {
        commandDisconnect(index, &effects)
      }
    }
  }

  /// Tells the controller to end a link.
  mutating func commandDisconnect(_ index: Int, _ effects: inout Effects) {
    guard case .afterData(let reason) = links[index].ending else { return }
    stop(.lastData, index, &effects)
    links[index].ending = .commanded
    send(.disconnect(links[index].handle, reason: reason), &effects)
  }

  /// The controller refuses to end a link. One that does not know the link any more has lost the event of its end, unless
  /// that is still on its way.
  mutating func disconnectRefused(_ index: Int, _ status: ErrorCode, _ effects: inout Effects) {
    if status == .unknownConnectionIdentifier { return start(.disconnection, index, &effects) }
    disconnectFailed(index)
  }

  /// The controller did not end a link: the link stays up.
  mutating func disconnectFailed(_ index: Int) {
    links[index].ending = .none
    scheduler.setClosing(links[index].handle, false)
  }
}
