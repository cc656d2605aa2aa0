import Bytes
import Crypto
import HCI
import Packets

/// One connection as a listener follows it.
struct FollowedLink {
  /// Number of the connection, from 1.
  let number: UInt64
  /// Number of its central.
  let adapter: UInt16
  let handle: ConnectionHandle
  let peripheral: BluetoothAddress
  let accessAddress: UInt32
  /// With what the checksum of its packets begins.
  let checksumStart: UInt32
  /// After how many of its packets nothing more of it is heard; `nil` where nobody knows.
  let packetLimit: UInt64?
  /// Packets that were heard of it.
  private(set) var packetCount: UInt64 = 0
  /// Whether it has ended.
  private(set) var isOver = false

  /// The last packet of one side.
  private struct Last {
    var sequenceNumber: UInt8
    /// `nil` where only its acknowledgement was heard.
    var payload: [UInt8]?
  }

  private var last: [Last?] = [nil, nil]
  /// Which number of the other side's packets a side expects next.
  private var nextExpected: [UInt8] = [0, 0]
  /// Whether a side's frame has lost a part, so that its further parts mean nothing.
  private var isFrameBroken = [false, false]
  /// What came of a side's frame that may be a command of the Security Manager; `nil` where it is none, or was heard.
  private var securityFrames: [[UInt8]?] = [nil, nil]
  private var pairing: PairingListener
  private var decryption = LinkDecryption()
  private var supervision: LinkSupervision
  private var shortTermKey: Key128?
  private var wasEncrypted = false
  private var namedKeys: [(key: Key128, encryptedDiversifier: UInt16, randomNumber: UInt64)] = []

  init(
    number: UInt64, adapter: UInt16, handle: ConnectionHandle, central: BluetoothAddress, peripheral: BluetoothAddress,
    accessAddress: UInt32, checksumStart: UInt32, parameters: LELinkParameters, packetLimit: UInt64?, at now: UInt64
  ) {
    self.number = number
    self.adapter = adapter
    self.handle = handle
    self.peripheral = peripheral
    self.accessAddress = accessAddress
    self.checksumStart = checksumStart
    self.packetLimit = packetLimit
    supervision = LinkSupervision(parameters, at: now)
    pairing = PairingListener(initiator: central, responder: peripheral)
  }

  /// Takes the keys for later links that were found since the last call.
  mutating func takeNamedKeys() -> [(key: Key128, encryptedDiversifier: UInt16, randomNumber: UInt64)] {
    defer { namedKeys = [] }
    return namedKeys
  }

  /// Whether nothing more of it is heard.
  var isLast: Bool { packetCount == packetLimit }

  /// Whether nothing was heard of it for its supervision time-out.
  func isSilent(at now: UInt64) -> Bool { supervision.isSilent(at: now) }

  /// Nothing more is heard of the connection. Its central's last packets tell whether it timed out; otherwise it may have
  /// gone on without the sniffer.
  mutating func endUnheard(_ outcomes: inout [AirFollower.Outcome]) {
    if let reason = supervision.reason { return end(reason, &outcomes) }
    isOver = true
    outcomes.append(.lost(adapter: adapter, handle))
  }

  /// The connection ends for the central's host.
  private mutating func end(_ reason: ErrorCode, _ outcomes: inout [AirFollower.Outcome]) {
    isOver = true
    tell(.disconnectionComplete(.success, handle, reason: reason), &outcomes)
  }

  // MARK: Packets

  /// Takes the next PDU, heard at `now`; `keys` are those that come into question for an encryption.
  mutating func hear(
    _ octets: [UInt8], isFromCentral: Bool, at now: UInt64, keys: (LinkDecryption.Request) -> [Key128],
    _ outcomes: inout [AirFollower.Outcome]
  ) {
    let side = isFromCentral ? 1 : 0
    packetCount += 1
    supervision.hear(isFromCentral: isFromCentral, at: now)
    var payload = Array(octets.dropFirst(RadioPacket.headerLength))
    acknowledge(octets[0] >> 2 & 1, by: side, &outcomes)
    let sequenceNumber = octets[0] >> 3 & 1
    let previous = last[side] ?? Last(sequenceNumber: 1, payload: [])
    // The same number and content again: it was sent again.
    if previous.sequenceNumber == sequenceNumber, previous.payload == payload, last[side] != nil { return }
    last[side] = Last(sequenceNumber: sequenceNumber, payload: payload)
    // The same number with other content: one between was missed.
    if previous.sequenceNumber == sequenceNumber, previous.payload != nil { missInClear(of: side, &outcomes) }
    guard !payload.isEmpty else { return }
    decryption.startIfOpening(payload, header: octets[0], isFromCentral: isFromCentral)
    if decryption.endIfPaused(payload, header: octets[0], isFromCentral: isFromCentral) { miss(1, of: 0, &outcomes) }
    if decryption.isEncrypted {
      guard let opened = decryption.open(payload, header: octets[0], isFromCentral: isFromCentral) else {
        isFrameBroken[side] = true
        return outcomes.append(.omitted(.unknownKey))
      }
      payload = opened.payload
      miss(opened.missed, of: side, &outcomes)
    }
    switch octets[0] & 0b11 {
    case 0b11: control(payload, isFromCentral, keys, &outcomes)
    case 0b10:
      isFrameBroken[side] = false
      data(payload, isFromCentral, isFirst: true, &outcomes)
    case 0b01 where isFrameBroken[side]: outcomes.append(.omitted(.afterGap))
    case 0b01: data(payload, isFromCentral, isFirst: false, &outcomes)
    default: outcomes.append(.omitted(.unknownKind))
    }
  }

  /// A side says which packet of the other it expects next. Where that changes, the packet that it expected has come, whether
  /// the sniffer heard it or not (Core Specification Vol 6, Part B, 4.5.9).
  private mutating func acknowledge(_ expected: UInt8, by side: Int, _ outcomes: inout [AirFollower.Outcome]) {
    let (arrived, other) = (nextExpected[side], 1 - side)
    guard expected != arrived else { return }
    nextExpected[side] = expected
    if side == 1 { supervision.answer() }
    guard last[other]?.sequenceNumber != arrived else { return }
    last[other] = Last(sequenceNumber: arrived, payload: nil)
    missInClear(of: other, &outcomes)
  }

  /// Notes a packet that was missed, unless it was encrypted: then it may have been empty, and the counters of the others
  /// tell.
  private mutating func missInClear(of side: Int, _ outcomes: inout [AirFollower.Outcome]) {
    if !decryption.isEncrypted { miss(1, of: side, &outcomes) }
  }

  private mutating func miss(_ count: Int, of side: Int, _ outcomes: inout [AirFollower.Outcome]) {
    for _ in 0..<count { outcomes.append(.omitted(.missed)) }
    if count > 0 { isFrameBroken[side] = true }
  }

  private mutating func data(
    _ payload: [UInt8], _ isFromCentral: Bool, isFirst: Bool, _ outcomes: inout [AirFollower.Outcome]
  ) {
    let boundary: PacketBoundary = !isFirst ? .continuing : isFromCentral ? .firstFromHost : .firstFromController
    let packet = ACLPacket(handle, boundary, payload).packet
    outcomes.append(.packet(adapter: adapter, packet, isSent: isFromCentral))
    let side = isFromCentral ? 1 : 0
    securityFrames[side] = isFirst ? payload : securityFrames[side].map { $0 + payload }
    if let command = takeSecurityCommand(of: side) { listenToPairing(command, isFromCentral, &outcomes) }
  }

  /// Octets of the longest command of the Security Manager, a public key with its code.
  private static let longestSecurityCommand = 65

  /// The command of the Security Manager that a side has sent, once its frame is whole: a frame may be sent in parts of any
  /// length (Core Specification Vol 6, Part B, 2.4). Every other frame is given up, so that none is kept for long.
  private mutating func takeSecurityCommand(of side: Int) -> [UInt8]? {
    guard let frame = securityFrames[side] else { return nil }
    var reader = ByteReader(frame.span)
    guard let header = try? L2CAPHeader(decoding: &reader) else { return nil }
    let length = Int(header.payloadLength)
    guard header.channel == .securityManager, (1...Self.longestSecurityCommand).contains(length) else {
      securityFrames[side] = nil
      return nil
    }
    var command = Array(frame.dropFirst(L2CAPHeader.length).prefix(length))
    // The beginning of a public key already says that keys are kept from listeners.
    if command.first == 0x0C { command += [UInt8](repeating: 0, count: length - command.count) }
    guard command.count == length else { return nil }
    securityFrames[side] = nil
    return command
  }

  private mutating func listenToPairing(
    _ command: [UInt8], _ isFromCentral: Bool, _ outcomes: inout [AirFollower.Outcome]
  ) {
    switch pairing.hear(command, isFromInitiator: isFromCentral) {
    case .shortTermKey(let key):
      shortTermKey = key
      outcomes.append(.learnt(.shortTerm))
    case .longTermKey(let key, let encryptedDiversifier, let randomNumber):
      namedKeys.append((key, encryptedDiversifier, randomNumber))
      outcomes.append(.learnt(.longTerm))
    case .isSecure: outcomes.append(.pairingIsSecure)
    case nil: break
    }
  }

  // MARK: Control

  private mutating func control(
    _ payload: [UInt8], _ isFromCentral: Bool, _ keys: (LinkDecryption.Request) -> [Key128],
    _ outcomes: inout [AirFollower.Outcome]
  ) {
    var reader = ByteReader(payload.span)
    do {
      switch try reader.readUInt8("opcode") {
      case 0x00 where isFromCentral:
        _ = try reader.readBytes(3, "transmit window")
        let parameters = try LELinkParameters(decoding: &reader)
        supervision.change(parameters)
        tell(.leConnectionUpdateComplete(.success, handle, parameters), &outcomes)
      case 0x02:
        let reason = ErrorCode(rawValue: try reader.readUInt8("reason"))
        end(isFromCentral ? .connectionTerminatedByLocalHost : reason, &outcomes)
      case 0x03 where isFromCentral:
        decryption.requested(
          LinkDecryption.Request(
            randomNumber: try reader.readUInt64("Rand"), encryptedDiversifier: try reader.readUInt16("EDIV"),
            diversifier: try reader.readUInt64("SKDm"), vector: try reader.readUInt32("IVm")))
      case 0x04 where !isFromCentral:
        let temporary = shortTermKey.map { [$0] } ?? []
        decryption.answered(
          diversifier: try reader.readUInt64("SKDs"), vector: try reader.readUInt32("IVs")
        ) { keys($0) + temporary }
      case 0x05 where !isFromCentral: decryption.start()
      case 0x06 where !isFromCentral: encryptionStarted(&outcomes)
      // The central's own answer is in clear already.
      case 0x0B where !isFromCentral: decryption.end()
      // It does not say what it rejects: where no encryption is asked for, another procedure.
      case 0x0D where !isFromCentral && decryption.isRequested:
        refused(ErrorCode(rawValue: try reader.readUInt8("reason")), &outcomes)
      case 0x11 where !isFromCentral:
        guard try reader.readUInt8("rejected opcode") == 0x03 else { break }
        refused(ErrorCode(rawValue: try reader.readUInt8("reason")), &outcomes)
      default: break
      }
    } catch {
      outcomes.append(.omitted(.cutShort))
    }
  }

  private mutating func encryptionStarted(_ outcomes: inout [AirFollower.Outcome]) {
    tell(
      wasEncrypted
        ? .encryptionKeyRefreshComplete(.success, handle) : .encryptionChange(.success, handle, isEncrypted: true),
      &outcomes)
    wasEncrypted = true
  }

  private mutating func refused(_ reason: ErrorCode, _ outcomes: inout [AirFollower.Outcome]) {
    decryption.end()
    tell(.encryptionChange(reason, handle, isEncrypted: false), &outcomes)
  }

  private func tell(_ event: Event, _ outcomes: inout [AirFollower.Outcome]) {
    outcomes.append(.packet(adapter: adapter, event.packet, isSent: false))
  }
}
