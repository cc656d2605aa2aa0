import HCI
import HostStack
import SecureDFU
import Timeline

/// Between the bootloader's machine and the host stack (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`).
extension BootloaderApplication {
  /// Sets the stack up; it knows no bonds.
  mutating func startRadio() {
    let name = machine.flash.advertisedName ?? Array(firmware.build.advertisedName.utf8)
    var host = HostConfiguration(
      ownAddress: address, database: BootloaderDatabase.make(deviceName: Array(name.prefix(31))))
    host.maximumTransmissionUnit = firmware.faults.maximumTransmissionUnit
    host.valueLengthStep = 4
    host.pairingPolicy = .ask
    host.suggestsMaximumDataLength = false
    requests.append(.setBonds([]))
    requests.append(.start(host))
  }

  /// Advertises, unless a link ended that.
  mutating func startAdvertising() {
    guard !firmware.faults.neverAdvertises, session.link == nil else { return }
    requests.append(.setAdvertising(session.advertisement))
  }

  /// Takes an event of the host stack.
  mutating func take(_ event: HostEvent, at instant: Instant) {
    switch event {
    case .started:
      session.isRadioReady = true
      startAdvertising()
    case .failed(let failure):
      session.isRadioReady = false
      events.append(.bluetoothFailed(failure))
    case .connected(let information):
      session.link = information.handle
      if breaksLink(at: 0) { return breakLink() }
      give(.connected, at: instant)
    case .disconnected: linkEnded(at: instant)
    case .subscriptionChanged(_, BootloaderDatabase.controlPoint, let subscription, _):
      give(.notificationsChanged(subscription.contains(.notifications)), at: instant)
    case .writeRequested(_, let access, BootloaderDatabase.controlPoint, let value):
      controlPointWritten(value, access, at: instant)
    case .writeRequested(_, _, BootloaderDatabase.packet, let value): packetWritten(value, at: instant)
    case .pairingRequested(let link, _, _):
      requests.append(.answerPairing(link, accepted: false))
      give(.pairingRequested, at: instant)
    default: return
    }
  }

  /// The link is gone, and with it the notifications that wait.
  mutating func linkEnded(at instant: Instant) {
    session.link = nil
    session.access = nil
    session.delayed.removeAll()
    give(.disconnected, at: instant)
  }

  private mutating func controlPointWritten(_ value: [UInt8], _ access: AccessToken, at instant: Instant) {
    counts.exchanges += 1
    if breaksLink(at: counts.exchanges) { return breakLink() }
    if firmware.faults.isMute { return }
    session.access = access
    give(.controlPointWritten(value), at: instant)
  }

  private mutating func packetWritten(_ value: [UInt8], at instant: Instant) {
    counts.packets += 1
    let isEvery = firmware.faults.droppedPacketInterval.map { $0 > 0 && counts.packets % $0 == 0 } ?? false
    if isEvery || firmware.faults.droppedPacket == counts.packets { return events.append(.updatePacketDropped) }
    give(.packetWritten(value), at: instant)
  }

  // MARK: Links that break

  private func breaksLink(at exchange: Int) -> Bool {
    // Only the first connection can be the one that breaks.
    firmware.faults.linkBreak?.exchange == exchange && (exchange > 0 || !counts.hasBrokenConnection)
  }

  private mutating func breakLink() {
    counts.hasBrokenConnection = true
    if firmware.faults.linkBreak?.isSilent == true {
      outcome = .radioLost
    } else {
      disconnect(.remoteUserTerminatedConnection)
    }
  }

  // MARK: What goes out

  /// Answers the write to the control point.
  mutating func answerWrite(_ code: UInt8) {
    guard let link = session.link, let access = session.access else { return }
    session.access = nil
    requests.append(.answerWrite(link, access, code == 0 ? nil : ATTErrorCode(rawValue: code)))
  }

  /// Ends the link with a reason.
  mutating func disconnect(_ reason: ErrorCode) {
    if let link = session.link { requests.append(.disconnect(link, reason)) }
  }

  /// Asks the phone for connection parameters.
  mutating func request(_ parameters: ConnectionParameters) {
    if let link = session.link { requests.append(.updateParameters(link, parameters)) }
  }

  /// Notifies a value, unless a fault changes that.
  mutating func notify(_ value: [UInt8], isReceipt: Bool, at instant: Instant) {
    guard isReceipt else {
      guard let value = answer(stated(value)) else { return }
      guard firmware.faults.answerDelay > .zero else { return send(value) }
      return session.delayed.append((instant.advanced(by: firmware.faults.answerDelay), value))
    }
    counts.receipts += 1
    guard let fault = firmware.faults.receipt, fault.number.map({ $0 == counts.receipts }) ?? true else {
      return send(value)
    }
    switch fault.kind {
    case .lost: break
    case .late(let delay): session.delayed.append((instant.advanced(by: delay), value))
    case .duplicated:
      send(value)
      send(value)
    case .wrongOffset: send(DFUReply.withWrongOffset(value))
    }
  }

  /// Sends a notification over the link, if there is one.
  mutating func send(_ value: [UInt8]) {
    guard let link = session.link else { return }
    counts.tickets &+= 1
    requests.append(.notify(link, NotificationTicket(counts.tickets), BootloaderDatabase.controlPoint, value[...]))
  }

  /// Applies the bootloader's own faults to an answer.
  private func stated(_ value: [UInt8]) -> [UInt8] {
    guard firmware.faults.statesWrongChecksums, value.count > 1, value[1] == DFUOpCode.getChecksum.rawValue else {
      return value
    }
    return DFUReply.withWrongChecksum(value)
  }

  /// Applies the fault of answers; `nil` for an answer that is not sent.
  private mutating func answer(_ value: [UInt8]) -> [UInt8]? {
    guard let fault = firmware.faults.answer, value.count > 2, fault.opCode ?? value[1] == value[1],
      counts.answers - fault.spared < fault.count ?? .max
    else { return value }
    counts.answers += 1
    guard counts.answers > fault.spared else { return value }
    switch fault.kind {
    case .missing: return nil
    case .wrongOpCode: return [value[0], value[1] ^ 0x0F] + value[2...]
    case .result(let result): return Array(value[..<2]) + result
    case .wrongChecksum: return DFUReply.withWrongChecksum(value)
    case .wrongOffset: return DFUReply.withWrongOffset(value)
    }
  }
}

/// Replies of the control point with something wrong in them. Those that state an offset and a checksum end with them.
private enum DFUReply {
  /// Octets of the shortest reply that states both.
  private static let shortest = 11

  /// The same with another checksum.
  static func withWrongChecksum(_ value: [UInt8]) -> [UInt8] {
    guard value.count >= shortest else { return value }
    var value = value
    value[value.count - 4] ^= 0x01
    return value
  }

  /// The same with an offset that is one word higher.
  static func withWrongOffset(_ value: [UInt8]) -> [UInt8] {
    guard value.count >= shortest else { return value }
    var value = value
    let place = value.count - 8
    let offset = (0..<4).reduce(UInt32(0)) { $0 | UInt32(value[place + $1]) << UInt32(8 * $1) } &+ 4
    for index in 0..<4 { value[place + index] = UInt8(truncatingIfNeeded: offset >> UInt32(8 * index)) }
    return value
  }
}

extension BootloaderFaults {
  /// Advertising data without what the faults hide.
  func advertised(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = data[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let structure = rest.prefix(Int(length) + 1)
      rest = rest.dropFirst(Int(length) + 1)
      // Incomplete and complete list of 16-bit services; shortened and complete name (Assigned Numbers, 2.3).
      let type = structure[structure.startIndex + 1]
      if hidesService, type == 0x02 || type == 0x03 { continue }
      if hidesName, type == 0x08 || type == 0x09 { continue }
      result += structure
    }
    return result
  }
}
