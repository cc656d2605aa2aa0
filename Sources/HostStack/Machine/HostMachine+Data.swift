import Bytes
import HCI
import Packets

/// ACL data: L2CAP frames in both directions.
extension HostMachine {
  /// Takes an ACL packet. A frame that is whole in one packet is read where it lies.
  mutating func receiveData(_ packet: HCIPacket, _ effects: inout Effects) {
    guard case .running = phase else { return }
    var reader = ByteReader(packet.bytes.span)
    guard let head = try? reader.readUInt16("ACL handle and flags"),
      let length = try? reader.readUInt16("ACL data length"), Int(length) == reader.remaining
    else {
      let violation = ProtocolViolation("ACL packet of a wrong length", reference: "Vol 4, Part E, 5.4.2")
      return effects.append(.event(.protocolViolation(nil, violation)))
    }
    guard let index = index(of: ConnectionHandle(head & 0x0FFF)) else {
      return receiveStrayData(ConnectionHandle(head & 0x0FFF), &effects)
    }
    let isFirst = PacketBoundary(rawValue: UInt8(head >> 12 & 0b11)) != .continuing
    if isFirst, !links[index].reassembler.isUnfinished, isWholeFrame(packet.bytes) {
      if receiveNotification(packet.bytes, index, &effects) { return }
      guard let header = try? L2CAPHeader(decoding: &reader) else { return }
      return deliver(header.channel, &reader, index, &effects)
    }
    switch links[index].reassembler.take(reader.readRemaining(), isFirst: isFirst) {
    case .incomplete: return
    case .violation(let violation): report(violation, index, &effects)
    case .frame(let octets):
      var reader = ByteReader(octets.span)
      guard let header = try? L2CAPHeader(decoding: &reader) else { return }
      deliver(header.channel, &reader, index, &effects)
    }
  }

  /// Takes a frame that is a notification, and says whether it was one. Every packet of a transfer passes here, so its value
  /// stays where it lies, in the packet.
  private mutating func receiveNotification(_ packet: [UInt8], _ index: Int, _ effects: inout Effects) -> Bool {
    let payload = ACLPacket.headerLength + L2CAPHeader.length
    let isNotification =
      packet.count >= payload + 3
      && UInt16(packet[payload - 2]) | UInt16(packet[payload - 1]) << 8 == ChannelIdentifier.attributeProtocol.rawValue
      && packet[payload] == ATTOpcode.handleValueNotification.rawValue
    guard isNotification, packet.count - payload <= Int(links[index].maximumTransmissionUnit) else { return false }
    let attribute = AttributeHandle(UInt16(packet[payload + 1]) | UInt16(packet[payload + 2]) << 8)
    effects.append(.event(.notificationReceived(links[index].handle, attribute, packet[(payload + 3)...])))
    return true
  }

  /// Whether an ACL packet that begins a frame also ends it.
  private func isWholeFrame(_ packet: [UInt8]) -> Bool {
    let beginning = ACLPacket.headerLength + L2CAPHeader.length
    return packet.count >= beginning && Int(packet[4]) | Int(packet[5]) << 8 == packet.count - beginning
  }

  /// Gives a frame's payload to its channel; a frame of a channel that does not exist is dropped
  /// (Core Specification Vol 3, Part A, 2.1).
  private mutating func deliver(
    _ channel: ChannelIdentifier, _ reader: inout ByteReader, _ index: Int, _ effects: inout Effects
  ) {
    switch channel {
    case .attributeProtocol: receiveAttributePDU(&reader, index, &effects)
    case .signalling:
      let octets = reader.readRemaining()
      signal(index, &effects) { $0.handle(octets, &$1) }
    case .securityManager: receiveSecurityCommand(reader.readRemaining(), index, &effects)
    default:
      let violation = ProtocolViolation("channel \(channel.rawValue)", reference: "Vol 3, Part A, 2.1")
      report(violation, index, &effects)
    }
  }

  /// Sends a frame.
  mutating func send(
    _ payload: [UInt8], on channel: ChannelIdentifier, _ index: Int, receipt: ACLScheduler.Receipt = .none,
    _ effects: inout Effects
  ) {
    let length = L2CAPHeader.length + payload.count
    var writer = ByteWriter(capacity: ACLPacket.headerLength + length)
    ACLScheduler.begin(&writer, links[index].handle, length: length)
    L2CAPHeader(payloadLength: UInt16(payload.count), channel: channel).encode(into: &writer)
    writer.write(payload)
    enqueue(writer.bytes, links[index].handle, receipt, &effects)
  }

  /// Sends a whole frame now, or as soon as the controller has room; who wants to hear of a command that was handed
  /// over goes through the queue. A peer for which too many wait loses its link.
  mutating func enqueue(
    _ frame: [UInt8], _ handle: ConnectionHandle, _ receipt: ACLScheduler.Receipt, _ effects: inout Effects
  ) {
    if !receipt.isOfCommand, scheduler.admit(frame.count, for: handle, receipt) {
      return effects.append(.send(HCIPacket(.acl, frame)))
    }
    guard scheduler.acceptsFrame(handle) else { return cutOff(handle, &effects) }
    scheduler.enqueue(frame, for: handle, receipt)
    drain(&effects)
  }

  /// Sends what the controller has room for.
  mutating func drain(_ effects: inout Effects) {
    var handedOver: [(ConnectionHandle, ClientToken)] = []
    scheduler.drain { report in
      switch report {
      case .send(let packet): effects.append(.send(packet))
      case .handedOver(let handle, let token): handedOver.append((handle, token))
      }
    }
    for (handle, token) in handedOver {
      guard let index = index(of: handle) else { continue }
      var actions: [AttributeClient.Action] = []
      links[index].client.commandHandedOver(token, &actions)
      perform(actions, index, &effects)
    }
  }

  // MARK: Signalling

  /// Lets the signalling of a link do something, and does what it wants.
  mutating func signal(
    _ index: Int, _ effects: inout Effects,
    _ change: (inout SignallingMachine, inout [SignallingMachine.Action]) -> Void
  ) {
    var actions: [SignallingMachine.Action] = []
    change(&links[index].signalling, &actions)
    let handle = links[index].handle
    for action in actions {
      switch action {
      case .send(let command): send(command.encoded, on: .signalling, index, &effects)
      case .startTimer: start(.signalling, index, &effects)
      case .stopTimer: stop(.signalling, index, &effects)
      case .update(let parameters): perform(.updateParameters(handle, parameters), &effects)
      case .askApproval(let parameters, let identifier):
        effects.append(.event(.parameterUpdateRequested(handle, parameters, identifier: identifier)))
      case .granted: effects.append(.event(.parameterUpdateGranted(handle)))
      case .refused(let code): effects.append(.event(.parameterUpdateFailed(handle, code)))
      case .violation(let violation): report(violation, index, &effects)
      }
    }
  }
}
