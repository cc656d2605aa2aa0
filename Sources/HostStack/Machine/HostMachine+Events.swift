import Bytes
import HCI
import Packets

/// Events of the controller (Core Specification Vol 4, Part E, 7.7).
extension HostMachine {
  /// Takes an event.
  mutating func receive(_ event: Event, _ effects: inout Effects) {
    switch event {
    case .commandComplete(let opcode, let credits, let values):
      return answered(opcode, credits: credits, values, &effects)
    case .commandStatus(let opcode, let credits, let status):
      let values = status == .success ? ReturnParameters.success : .failure(status)
      return answered(opcode, credits: credits, values, &effects)
    case .hardwareError(let code): return fail(.hardwareError(code), &effects)
    default: break
    }
    // Events may still report links, advertisers and data from before the reset.
    guard case .running = phase else { return }
    switch event {
    case .leConnectionComplete(let connection):
      connected(connection, onAir: connection.peerAddress, &effects)
    case .leEnhancedConnectionComplete(let enhanced):
      let isResolvable = enhanced.peerResolvableAddress.value != 0
      let peer = isResolvable ? enhanced.peerResolvableAddress : enhanced.connection.peerAddress
      connected(enhanced.connection, onAir: peer, &effects)
    case .leAdvertisingReport(let reports): for report in reports { heard(report, &effects) }
    case .leExtendedAdvertisingReport(let reports): for report in reports { heard(report, &effects) }
    default: receiveOfLink(event, &effects)
    }
  }

  private mutating func receiveOfLink(_ event: Event, _ effects: inout Effects) {
    switch event {
    case .disconnectionComplete(let status, let handle, let reason):
      guard let index = index(of: handle) else { return }
      if status == .success { end(index, reason, &effects) } else { disconnectFailed(index) }
    case .encryptionChange(let status, let handle, let isEncrypted):
      if let index = index(of: handle) { encryptionChanged(index, status, isEncrypted, &effects) }
    // The same for a link that was encrypted before (7.7.39).
    case .encryptionKeyRefreshComplete(let status, let handle):
      if let index = index(of: handle) { encryptionChanged(index, status, true, &effects) }
    case .leLongTermKeyRequest(let handle, let randomNumber, let encryptedDiversifier):
      if let index = index(of: handle) { provideKey(index, encryptedDiversifier, randomNumber, &effects) }
    case .leConnectionUpdateComplete(let status, let handle, let parameters):
      guard let index = index(of: handle) else { return }
      if status == .success { links[index].supervisionTimeout = parameters.supervisionTimeout }
      effects.append(
        .event(
          status == .success
            ? .parametersUpdated(handle, ConnectionParameters(parameters)) : .parameterUpdateFailed(handle, status)))
    case .leDataLengthChange(let handle, let lengths):
      guard index(of: handle) != nil else { return }
      effects.append(
        .event(.dataLengthChanged(handle, transmit: lengths.transmit.octets, receive: lengths.receive.octets)))
    case .readRemoteVersionInformationComplete(let status, let handle, let version):
      guard index(of: handle) != nil else { return }
      effects.append(.event(.remoteVersion(handle, status == .success ? version : nil)))
    case .lePHYUpdateComplete(let status, let handle, let transmit, let receive):
      guard index(of: handle) != nil, status == .success else { return }
      effects.append(.event(.phyChanged(handle, transmit: PHY(transmit), receive: PHY(receive))))
    default: return
    }
  }

  /// Takes Number_Of_Completed_Packets, read where it lies (7.7.19).
  mutating func receiveCompletedPackets(_ packet: HCIPacket, _ effects: inout Effects) {
    guard case .running = phase else { return }
    var reader = ByteReader(packet.bytes.span)
    do throws(DecodingFailure) {
      _ = try reader.readUInt16("event code and length")
      for _ in 0..<(try reader.readUInt8("number of handles")) {
        let handle = ConnectionHandle(try reader.readUInt16("connection handle"))
        let count = Int(try reader.readUInt16("completed packets"))
        scheduler.complete(count, for: handle) { ticket in
          effects.append(.event(.notificationTransmitted(handle, ticket)))
        }
      }
      try reader.expectEnd("event parameters")
    } catch {
      reportUnreadable(error, &effects)
    }
    drain(&effects)
    disconnectIdleLinks(&effects)
  }

  // MARK: Advertisers

  private func heard(_ report: LEAdvertisingReport, _ effects: inout Effects) {
    let isConnectable = report.kind == .connectableUndirected || report.kind == .connectableDirected
    heard(
      report.address, report.data, isScanResponse: report.kind == .scanResponse, isConnectable: isConnectable,
      report.signalStrength, &effects)
  }

  /// Some controllers report legacy advertising in the extended form, even when they were not told to.
  private func heard(_ report: LEExtendedAdvertisingReport, _ effects: inout Effects) {
    guard let address = report.address, !report.kind.contains(.incomplete) else { return }
    heard(
      address, report.data, isScanResponse: report.kind.contains(.scanResponse),
      isConnectable: report.kind.contains(.connectable), report.signalStrength, &effects)
  }

  private func heard(
    _ address: BluetoothAddress, _ data: [UInt8], isScanResponse: Bool, isConnectable: Bool, _ strength: Int8,
    _ effects: inout Effects
  ) {
    effects.append(
      .event(
        .advertisingReport(
          AdvertisingReport(
            address: address, identity: bonds.identity(of: address), isScanResponse: isScanResponse,
            isConnectable: isConnectable, data: data,
            signalStrength: strength == LEAdvertisingReport.unknownSignalStrength ? nil : strength))))
  }

  // MARK: Links

  private mutating func connected(
    _ connection: LEConnectionComplete, onAir peer: BluetoothAddress, _ effects: inout Effects
  ) {
    let isCentral = connection.role == .central
    guard connection.status == .success else {
      stop(.cancellation, &effects)
      if initiator.end() { effects.append(.event(.connectionFailed(connection.status))) }
      return
    }
    // Told twice, or the end of the former link was lost: nothing that follows could be told apart.
    if index(of: connection.handle) != nil { return fail(.handleInUse(connection.handle), &effects) }
    expectData(of: connection.handle, &effects)
    if isCentral {
      stop(.cancellation, &effects)
      // The attempt was given up, but the connection was made nevertheless; no one waits for it.
      guard initiator.end() else {
        tolerateData(of: connection.handle, &effects)
        return send(.disconnect(connection.handle, reason: .remoteUserTerminatedConnection), &effects)
      }
    } else {
      advertising.endedByController()
    }
    let link = makeLink(connection, onAir: peer)
    links.append(link)
    scheduler.open(link.handle)
    effects.append(
      .event(
        .connected(
          ConnectionInformation(
            isCentral: isCentral, handle: link.handle, peer: peer, identity: link.identity,
            isBonded: bonds[link.identity] != nil, parameters: ConnectionParameters(connection.link)))))
  }

  private func makeLink(_ connection: LEConnectionComplete, onAir peer: BluetoothAddress) -> Link {
    let isCentral = connection.role == .central
    let setting = PairingMachine.Setting(
      role: isCentral ? .initiator : .responder, ownAddress: configuration.ownAddress,
      identityAddress: configuration.identityAddress ?? configuration.ownAddress, peerAddress: peer,
      parameters: configuration.security, policy: configuration.pairingPolicy)
    return Link(
      handle: connection.handle, isCentral: isCentral, peer: peer,
      identity: bonds.identity(of: connection.peerAddress), supervisionTimeout: connection.link.supervisionTimeout,
      signalling: SignallingMachine(isCentral: isCentral, policy: configuration.parameterUpdatePolicy),
      pairing: PairingMachine(setting, identityResolvingKey: identityResolvingKey),
      client: AttributeClient(receiveMTU: receiveMTU),
      server: AttributeServer(table, knowsSubscriptions: configuration.subscriptionPolicy == .bonds))
  }

  /// Octets of the ATT PDU that holds a value of the greatest length, 512, after the header of a prepared write.
  private static let usefulMTU: UInt16 = 5 + 512

  /// The largest ATT PDU that this host takes.
  var receiveMTU: UInt16 { max(ATTPDU.defaultMTU, min(configuration.maximumTransmissionUnit, Self.usefulMTU)) }

  /// A link is over: everything that waits on it ends, its credits come back, its timers stop.
  mutating func end(_ index: Int, _ reason: ErrorCode, _ effects: inout Effects) {
    let handle = links[index].handle
    for kind in TimerKind.allCases { stop(kind, index, &effects) }
    var actions: [AttributeClient.Action] = []
    links[index].client.disconnect(&actions)
    perform(actions, index, &effects)
    refuseIndication(index, .noConnection, &effects)
    links.remove(at: index)
    scheduler.close(handle)
    tolerateData(of: handle, &effects)
    effects.append(.event(.disconnected(handle, reason)))
    drain(&effects)
  }
}

extension ConnectionParameters {
  /// The parameters in force.
  init(_ parameters: LELinkParameters) {
    self.init(
      intervalUnits: parameters.intervalUnits, latency: parameters.latency,
      supervisionTimeoutUnits: parameters.supervisionTimeoutUnits)
  }
}

extension LELinkParameters {
  /// How long a link lives without a packet from the peer.
  fileprivate var supervisionTimeout: Duration { .milliseconds(10 * Int(supervisionTimeoutUnits)) }
}

extension PHY {
  init(_ physicalLayer: PhysicalLayer) {
    switch physicalLayer {
    case .le1M: self = .le1M
    case .le2M: self = .le2M
    case .leCoded: self = .leCoded
    }
  }

  /// The set of only this PHY.
  var asSet: PhysicalLayers {
    switch self {
    case .le1M: .le1M
    case .le2M: .le2M
    case .leCoded: .leCoded
    }
  }
}
