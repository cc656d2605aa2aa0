import Bytes
import HCI
import Packets

/// The ATT bearer of each link: who gets a PDU, and what the client and the server want done
/// (Core Specification Vol 3, Part F, 3.3).
extension HostMachine {
  /// Takes an ATT PDU.
  mutating func receiveAttributePDU(_ reader: inout ByteReader, _ index: Int, _ effects: inout Effects) {
    let length = reader.remaining
    var beginning = reader
    do throws(DecodingFailure) {
      let pdu = try ATTPDU(decoding: &reader)
      guard length <= Int(links[index].maximumTransmissionUnit) else {
        return receiveMalformed(pdu.opcode, "PDU of \(length) octets", index, &effects)
      }
      receive(pdu, index, &effects)
    } catch {
      let opcode = try? beginning.readUInt8("ATT opcode")
      receiveMalformed(opcode.map(ATTOpcode.init(rawValue:)), error.description, index, &effects)
    }
  }

  private mutating func receive(_ pdu: ATTPDU, _ index: Int, _ effects: inout Effects) {
    let handle = links[index].handle
    switch pdu {
    case .notification(let attribute, let value):
      effects.append(.event(.notificationReceived(handle, attribute, value[...])))
    case .indication(let attribute, let value):
      send(.confirmation, index, &effects)
      effects.append(.event(.indicationReceived(handle, attribute, value)))
    case .confirmation: confirmed(index, &effects)
    case .exchangeMTURequest(let size) where links[index].server.pending == nil: exchange(size, index, &effects)
    default:
      switch pdu.opcode.role {
      case .request: serve(index, &effects) { $0.handle(pdu, $1, &$2, &$3, &$4) }
      case .command:
        // An unknown command is ignored (3.3.1).
        if case .writeCommand = pdu { serve(index, &effects) { $0.handle(pdu, $1, &$2, &$3, &$4) } }
      case .response: ask(index, &effects) { $0.handle(pdu, &$1) }
      case .notification, .indication, .confirmation: return
      }
    }
  }

  /// A PDU that cannot be read: a request is refused, a response fails its procedure, anything else is dropped.
  private mutating func receiveMalformed(
    _ opcode: ATTOpcode?, _ text: String, _ index: Int, _ effects: inout Effects
  ) {
    let violation = ProtocolViolation(text, reference: "Vol 3, Part F, 3.4")
    switch opcode?.role {
    case .request:
      report(violation, index, &effects)
      guard let opcode else { return }
      send(.errorResponse(request: opcode, handle: AttributeHandle(0), .invalidPDU), index, &effects)
    case .response where links[index].client.isWaiting:
      ask(index, &effects) { $0.handleMalformed(violation, &$1) }
    default: report(violation, index, &effects)
    }
  }

  /// Sends an ATT PDU.
  mutating func send(
    _ pdu: ATTPDU, _ index: Int, receipt: ACLScheduler.Receipt = .none, _ effects: inout Effects
  ) {
    send(pdu.encoded, on: .attributeProtocol, index, receipt: receipt, &effects)
  }

  /// The peer's client states the largest PDU that it takes; both sides use the smaller one from now on (3.4.2).
  private mutating func exchange(_ size: UInt16, _ index: Int, _ effects: inout Effects) {
    if size < ATTPDU.defaultMTU {
      report(ProtocolViolation("MTU of \(size)", reference: "Vol 3, Part F, 3.4.2.1"), index, &effects)
    }
    if configuration.exchangePolicy == .ask {
      guard links[index].exchange == nil else {
        let text = "request before the answer to the last one"
        return report(ProtocolViolation(text, reference: "Vol 3, Part F, 3.3.2"), index, &effects)
      }
      links[index].exchange = size
      return effects.append(.event(.maximumTransmissionUnitRequested(links[index].handle, size)))
    }
    let step = configuration.valueLengthStep
    var answer = receiveMTU
    if step > 1 {
      let room = max(ATTPDU.defaultMTU, min(size, receiveMTU)) - 3
      answer = max(ATTPDU.defaultMTU, room / step * step + 3)
    }
    send(.exchangeMTUResponse(answer), index, &effects)
    setMTU(max(ATTPDU.defaultMTU, min(size, answer)), index, &effects)
  }

  /// The application answers an exchange that waits for it.
  mutating func answerExchange(_ index: Int, _ size: UInt16, _ effects: inout Effects) {
    guard let request = links[index].exchange else { return }
    links[index].exchange = nil
    let answer = max(ATTPDU.defaultMTU, min(size, 517))
    send(.exchangeMTUResponse(answer), index, &effects)
    setMTU(max(ATTPDU.defaultMTU, min(request, answer)), index, &effects)
  }

  private mutating func setMTU(_ size: UInt16, _ index: Int, _ effects: inout Effects) {
    guard links[index].maximumTransmissionUnit != size else { return }
    links[index].maximumTransmissionUnit = size
    links[index].client.maximumTransmissionUnit = size
    effects.append(.event(.maximumTransmissionUnitChanged(links[index].handle, size)))
  }

  /// A transaction timed out: only responses go out on this bearer from then on (3.3.3).
  mutating func killBearer(_ index: Int, _ effects: inout Effects) {
    links[index].isBearerDead = true
    ask(index, &effects) { $0.timeOut(&$1) }
  }

  // MARK: Client

  /// Runs a procedure of the client.
  mutating func run(
    _ handle: ConnectionHandle, _ token: ClientToken, _ procedure: ClientProcedure, _ effects: inout Effects
  ) {
    guard let index = index(of: handle) else {
      return effects.append(.event(.clientCompleted(handle, token, .failure(.disconnected))))
    }
    ask(index, &effects) { $0.enqueue(token, procedure, &$1) }
  }

  /// Changes the client of a link and performs its actions.
  private mutating func ask(
    _ index: Int, _ effects: inout Effects, _ change: (inout AttributeClient, inout [AttributeClient.Action]) -> Void
  ) {
    var actions: [AttributeClient.Action] = []
    change(&links[index].client, &actions)
    perform(actions, index, &effects)
  }

  mutating func perform(_ actions: [AttributeClient.Action], _ index: Int, _ effects: inout Effects) {
    let handle = links[index].handle
    for action in actions {
      switch action {
      case .request(let pdu):
        start(.response, index, &effects)
        send(pdu, index, &effects)
      case .command(let pdu, let token): send(pdu, index, receipt: .handedOver(token), &effects)
      case .answered: stop(.response, index, &effects)
      case .setMaximumTransmissionUnit(let size): setMTU(size, index, &effects)
      case .completed(let token, let result): effects.append(.event(.clientCompleted(handle, token, result)))
      case .violation(let violation): report(violation, index, &effects)
      }
    }
  }

  // MARK: Server

  mutating func answerRead(
    _ index: Int, _ token: AccessToken, _ answer: Result<[UInt8], ATTErrorCode>, _ effects: inout Effects
  ) {
    serve(index, &effects) { $0.answerRead(token, answer, $1, $2, &$3, &$4) }
  }

  mutating func answerWrite(
    _ index: Int, _ token: AccessToken, _ refusal: ATTErrorCode?, _ effects: inout Effects
  ) {
    serve(index, &effects) { server, _, table, tokens, actions in
      server.answerWrite(token, refusal, &table, &tokens, &actions)
    }
  }

  /// The application gives a client its subscriptions; a request that waited for them goes on.
  mutating func setSubscriptions(_ index: Int, _ stored: [StoredSubscription], _ effects: inout Effects) {
    serve(index, &effects) { $0.know(stored, $1, &$2, &$3, &$4) }
  }

  /// Changes the server of a link and performs its actions.
  private mutating func serve(
    _ index: Int, _ effects: inout Effects,
    _ change: (
      inout AttributeServer, AttributeServer.Circumstances, inout AttributeTable, inout TokenSource,
      inout [AttributeServer.Action]
    ) -> Void
  ) {
    var actions: [AttributeServer.Action] = []
    change(&links[index].server, circumstances(index), &table, &tokens, &actions)
    perform(actions, index, &effects)
  }

  private func circumstances(_ index: Int) -> AttributeServer.Circumstances {
    AttributeServer.Circumstances(
      maximumTransmissionUnit: Int(links[index].maximumTransmissionUnit),
      isEncrypted: links[index].security.isEncrypted, hasKey: bonds[links[index].identity] != nil,
      keySize: links[index].security.keySize, minimumKeySize: configuration.security.minimumKeySize)
  }

  mutating func perform(_ actions: [AttributeServer.Action], _ index: Int, _ effects: inout Effects) {
    let handle = links[index].handle
    for action in actions {
      switch action {
      case .send(let pdu): send(pdu, index, &effects)
      case .requestRead(let token, let attribute, let offset):
        effects.append(.event(.readRequested(handle, token, attribute, offset: offset)))
      case .requestWrite(let token, let attribute, let value):
        effects.append(.event(.writeRequested(handle, token, attribute, value)))
      case .requestSubscriptions: effects.append(.event(.subscriptionsRequested(handle)))
      case .written(let attribute, let value):
        effects.append(.event(.attributeWritten(handle, attribute, value)))
      case .subscriptionChanged(let attribute, let subscription, let cause):
        effects.append(.event(.subscriptionChanged(handle, attribute, subscription, cause)))
        if cause == .written { storeSubscriptions(index, &effects) }
      case .violation(let violation): report(violation, index, &effects)
      }
    }
  }

  /// Sends a notification: one array is allocated, which goes to the controller unchanged.
  mutating func notify(
    _ handle: ConnectionHandle, _ ticket: NotificationTicket, _ attribute: AttributeHandle, _ value: ArraySlice<UInt8>,
    _ effects: inout Effects
  ) {
    guard let index = index(of: handle), !links[index].isBearerDead else {
      return effects.append(.event(.notificationRefused(handle, ticket, .noConnection)))
    }
    guard links[index].server.isSubscribed(attribute, .notifications, table) else {
      return effects.append(.event(.notificationRefused(handle, ticket, .notEnabled)))
    }
    guard scheduler.acceptsNotification(handle) else {
      return effects.append(.event(.notificationRefused(handle, ticket, .queueFull)))
    }
    // What does not fit is left out (3.4.7.1).
    let part = value.prefix(Int(links[index].maximumTransmissionUnit) - 3)
    enqueue(Self.notification(handle, attribute, part), handle, .transmitted(ticket), &effects)
  }

  /// The ACL packet of a notification, written in one go, because every packet of a transfer passes here.
  private static func notification(
    _ handle: ConnectionHandle, _ attribute: AttributeHandle, _ value: ArraySlice<UInt8>
  ) -> [UInt8] {
    let payload = UInt16(3 + value.count)
    let length = payload + UInt16(L2CAPHeader.length)
    let headerLength = ACLPacket.headerLength + L2CAPHeader.length + 3
    // Arrays of a count are made by code that asks the runtime for their type each time; one that is copied is not.
    return withUnsafeTemporaryAllocation(byteCount: headerLength + value.count, alignment: 8) { packet in
      packet.storeBytes(of: (handle.rawValue & 0x0FFF).littleEndian, as: UInt16.self)
      packet.storeBytes(of: length.littleEndian, toByteOffset: 2, as: UInt16.self)
      packet.storeBytes(of: payload.littleEndian, toByteOffset: 4, as: UInt16.self)
      let channel = ChannelIdentifier.attributeProtocol.rawValue
      packet.storeBytes(of: channel.littleEndian, toByteOffset: 6, as: UInt16.self)
      packet[8] = ATTOpcode.handleValueNotification.rawValue
      packet.storeBytes(of: attribute.rawValue.littleEndian, toByteOffset: 9, as: UInt16.self)
      value.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: packet[headerLength...]).copyMemory(from: $0) }
      return [UInt8](packet)
    }
  }

  /// Sends an indication; one waits for its confirmation at a time.
  mutating func indicate(
    _ handle: ConnectionHandle, _ ticket: NotificationTicket, _ attribute: AttributeHandle, _ value: [UInt8],
    _ effects: inout Effects
  ) {
    guard let index = index(of: handle), !links[index].isBearerDead else {
      return effects.append(.event(.notificationRefused(handle, ticket, .noConnection)))
    }
    guard links[index].server.isSubscribed(attribute, .indications, table) else {
      return effects.append(.event(.notificationRefused(handle, ticket, .notEnabled)))
    }
    guard links[index].server.indication == nil else {
      return effects.append(.event(.notificationRefused(handle, ticket, .indicationPending)))
    }
    links[index].server.indication = ticket
    start(.confirmation, index, &effects)
    let part = Array(value.prefix(Int(links[index].maximumTransmissionUnit) - 3))
    send(.indication(attribute, part), index, &effects)
  }

  private mutating func confirmed(_ index: Int, _ effects: inout Effects) {
    guard let ticket = links[index].server.indication else {
      let violation = ProtocolViolation("confirmation without an indication", reference: "Vol 3, Part F, 3.4.7.3")
      return report(violation, index, &effects)
    }
    links[index].server.indication = nil
    stop(.confirmation, index, &effects)
    effects.append(.event(.indicationConfirmed(links[index].handle, ticket)))
  }

  /// The indication that waits, if any, will not be confirmed.
  mutating func refuseIndication(_ index: Int, _ refusal: NotificationRefusal, _ effects: inout Effects) {
    guard let ticket = links[index].server.indication else { return }
    links[index].server.indication = nil
    effects.append(.event(.notificationRefused(links[index].handle, ticket, refusal)))
  }
}
