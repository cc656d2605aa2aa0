import HCI

// Commands of connections.
extension VirtualController {
  func performOnLink(_ command: Command) {
    let opcode = command.opcode
    switch command {
    case .leCreateConnection(let parameters): status(opcode, createConnection(parameters))
    case .leCreateConnectionCancel:
      guard initiator != nil else { return complete(opcode, with: .commandDisallowed) }
      initiator = nil
      listeningChanged()
      complete(opcode, .success)
      emit(.leConnectionComplete(.failure(.unknownConnectionIdentifier)))
    case .leWriteSuggestedDefaultDataLength(let length):
      guard length.isValid else { return complete(opcode, with: .invalidHCICommandParameters) }
      suggestedDataLength = length
      asksForSuggestedLength = length.octets > LEDataLength.shortest.octets
      complete(opcode, .success)
    case .leSetDefaultPHY(let preference):
      guard isValid(preference) else { return complete(opcode, with: .unsupportedFeatureOrParameterValue) }
      preferredPHYs = preference
      complete(opcode, .success)
    case .disconnect(let handle, let reason): status(opcode, disconnect(handle, reason))
    case .readRemoteVersionInformation(let handle): start(.version, on: handle, opcode)
    case .leReadRemoteFeatures(let handle): start(.features, on: handle, opcode)
    case .leConnectionUpdate(let handle, let timing): status(opcode, updateConnection(handle, timing))
    case .leEnableEncryption(let request): status(opcode, enableEncryption(request))
    case .leSetPHY(let handle, let preference, _):
      guard link(handle) != nil else { return status(opcode, .unknownConnectionIdentifier) }
      guard isValid(preference) else { return status(opcode, .unsupportedFeatureOrParameterValue) }
      start(.phy(preference), on: handle, opcode)
    default: answerOnLink(command)
    }
  }

  /// Commands on a connection that are answered at once, with its handle.
  private func answerOnLink(_ command: Command) {
    let opcode = command.opcode
    guard let handle = command.handle, let end = link(handle) else {
      return complete(opcode, .failure(.unknownConnectionIdentifier))
    }
    switch command {
    case .readRSSI:
      complete(opcode, .signalStrength(handle, medium.path(from: end.other.controller, to: self).signalStrength))
    case .leReadPHY: complete(opcode, .phy(handle, transmit: end.channel.transmitPHY, receive: end.channel.receivePHY))
    case .leSetDataLength(_, let length):
      guard length.isValid else { return complete(opcode, .failure(.invalidHCICommandParameters)) }
      guard !end.procedures.isFull else { return complete(opcode, .failure(.commandDisallowed)) }
      complete(opcode, .connection(handle))
      end.dataLength.wanted = LEDataLength(
        octets: min(length.octets, profile.maximumDataLength.octets),
        microseconds: min(length.microseconds, profile.maximumDataLength.microseconds))
      end.start(.dataLength)
    case .leLongTermKeyRequestReply(_, let key):
      complete(opcode, end.giveLongTermKey(key) ? .connection(handle) : .failure(.commandDisallowed))
    case .leLongTermKeyRequestNegativeReply:
      complete(opcode, end.giveLongTermKey(nil) ? .connection(handle) : .failure(.commandDisallowed))
    case .leRemoteConnectionParameterRequestReply(_, let timing):
      guard end.hasParameterRequest else { return complete(opcode, .failure(.commandDisallowed)) }
      guard timing.isValid else { return complete(opcode, .failure(.invalidHCICommandParameters)) }
      end.hasParameterRequest = false
      complete(opcode, .connection(handle))
      end.start(.parameters(timing))
    case .leRemoteConnectionParameterRequestNegativeReply(_, let reason):
      guard end.hasParameterRequest else { return complete(opcode, .failure(.commandDisallowed)) }
      end.hasParameterRequest = false
      complete(opcode, .connection(handle))
      end.reject(ControlPDU.OpCode.connectionParameterRequest, reason)
    default: complete(opcode, .failure(.unknownCommand))
    }
  }

  private func start(_ procedure: LinkProcedure, on handle: ConnectionHandle, _ opcode: Opcode) {
    guard let end = link(handle) else { return status(opcode, .unknownConnectionIdentifier) }
    guard !end.procedures.isFull else { return status(opcode, .commandDisallowed) }
    status(opcode, .success)
    end.start(procedure)
  }

  private func isValid(_ preference: PHYPreference) -> Bool {
    for set in [preference.transmit, preference.receive] {
      guard let set else { continue }
      if set.isDisjoint(with: profile.physicalLayers) || !set.isSubset(of: [.le1M, .le2M, .leCoded]) { return false }
    }
    return true
  }

  private func createConnection(_ parameters: LECreateConnection) -> ErrorCode {
    guard initiator == nil else { return .commandDisallowed }
    guard links.count < profile.connectionLimit else { return .connectionLimitExceeded }
    guard parameters.timing.isValid, Self.isValidWindow(parameters.scanIntervalUnits, parameters.scanWindowUnits),
      let address = ownAddress(parameters.ownAddressType)
    else { return .invalidHCICommandParameters }
    if !parameters.usesFilterAcceptList, links.contains(where: { $0.peerAddress == parameters.peerAddress }) {
      return .connectionAlreadyExists
    }
    initiator = Initiator(parameters, ownAddress: address, begin: loop.now.nanoseconds)
    listeningChanged()
    return .success
  }

  private func disconnect(_ handle: ConnectionHandle, _ reason: ErrorCode) -> ErrorCode {
    guard let end = link(handle) else { return .unknownConnectionIdentifier }
    guard reason.isHostDisconnectionReason else { return .invalidHCICommandParameters }
    guard !end.isTerminating else { return .commandDisallowed }
    end.terminate(reason)
    return .success
  }

  private func updateConnection(_ handle: ConnectionHandle, _ timing: LEConnectionTiming) -> ErrorCode {
    guard let end = link(handle) else { return .unknownConnectionIdentifier }
    guard timing.isValid else { return .invalidHCICommandParameters }
    guard !end.procedures.isFull else { return .commandDisallowed }
    if end.role == .peripheral {
      // Only a link layer that can ask may be told to; the host has L2CAP for the rest.
      guard profile.features.contains(.connectionParametersRequest) else { return .commandDisallowed }
      if let remote = end.remoteFeatures, !remote.contains(.connectionParametersRequest) {
        return .unsupportedRemoteFeature
      }
    }
    end.start(.parameters(timing))
    return .success
  }

  private func enableEncryption(_ request: LEEnableEncryption) -> ErrorCode {
    guard let end = link(request.handle) else { return .unknownConnectionIdentifier }
    guard end.role == .central, !end.procedures.isFull, !end.isTerminating else { return .commandDisallowed }
    end.start(.encryption(request))
    return .success
  }
}

// What happens on the air.
extension VirtualController {
  /// The connection request is on the air: this controller believes in the connection.
  func connectionRequested(_ end: LinkEnd) {
    initiator = nil
    listeningChanged()
    join(end)
  }

  /// A connection request was received: advertising ends by itself (7.8.9).
  func connectionReceived(_ end: LinkEnd) {
    stopAdvertising()
    join(end)
  }

  private func join(_ end: LinkEnd) {
    // With a second connection the radio is contested, and no event of the first may be skipped.
    for other in links { other.link.wake() }
    links.append(end)
  }

  /// A connection is over for this end.
  func forget(_ end: LinkEnd) { links.removeAll { $0 === end } }

  var linkCount: Int { links.count }

  /// When the next connection event of another link needs the radio, in nanoseconds.
  func radioFreeUntil(after time: UInt64, besides link: Link) -> UInt64 {
    var earliest = UInt64.max
    for end in links where end.link !== link {
      if let anchor = end.link.nextAnchor, anchor >= time { earliest = min(earliest, anchor) }
    }
    return earliest
  }

  /// How long after `time` a new schedule should begin, in nanoseconds, so that its events do not meet those of the
  /// other links with the same interval; 0 where there is no such link, or no room.
  func freeOffset(from time: UInt64, intervalUnits: UInt16, besides link: Link?) -> UInt64 {
    let interval = UInt64(intervalUnits) * Link.slot
    let phases = links.compactMap { end -> UInt64? in
      guard end.link !== link, end.link.parameters.intervalUnits == intervalUnits else { return nil }
      let anchor = end.link.anchor(end.link.nextEvent)
      return (anchor % interval + interval - time % interval) % interval
    }
    let width = min(UInt64(profile.timing.eventLength.wholeNanoseconds), interval / UInt64(phases.count + 1))
    // Right behind another link's event, so that no gap remains that is too short for the next one.
    let places = phases.map { ($0 + width) % interval }.sorted()
    return places.first { place in
      phases.allSatisfy { phase in
        let distance = place > phase ? place - phase : phase - place
        return min(distance, interval - distance) >= width
      }
    } ?? 0
  }
}

extension Command {
  /// The connection that a command is about.
  var handle: ConnectionHandle? {
    switch self {
    case .readRSSI(let handle), .leReadPHY(let handle), .leSetDataLength(let handle, _),
      .leLongTermKeyRequestReply(let handle, _), .leLongTermKeyRequestNegativeReply(let handle),
      .leRemoteConnectionParameterRequestReply(let handle, _),
      .leRemoteConnectionParameterRequestNegativeReply(let handle, _):
      handle
    default: nil
    }
  }
}
