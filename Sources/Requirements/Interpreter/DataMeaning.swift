import Bytes
import HCI
import Packets
import Timeline

/// ACL data: fragments, frames and what must be covered in them (Core Specification Vol 4, Part E, 5.4.2).
extension PacketInterpreter {
  /// Octets of an ACL packet before its data.
  private static let aclHeaderLength = 4
  /// Octets of a frame before the value of a notification: the frame's header, opcode and handle.
  private static let notifiedValueOffset = L2CAPHeader.length + 3
  private static let attributeChannel: UInt16 = 0x0004
  private static let securityChannel: UInt16 = 0x0006
  /// LE signalling (Vol 3, Part A, 2.1).
  private static let signallingChannel: UInt16 = 0x0005

  mutating func interpretData(
    _ bytes: [UInt8], _ direction: PacketDirection, _ instant: Instant, _ events: inout [ProductEvent]
  ) -> CoveredRange {
    guard bytes.count >= Self.aclHeaderLength else {
      events.append(ProductEvent(at: instant, from: source, .malformed("an ACL packet is shorter than its header")))
      return .none
    }
    let word = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    let handle = word & 0x0FFF
    let index: Int
    if let known = linkIndex(handle) {
      index = known
    } else {
      index = beginLink(handle, nil, source.part == .recorder ? .peripheral : .central, instant, &events)
      reportUndetermined(.beganInsideConnection, index, instant, &events)
    }
    // Boundary 01 continues a frame; 00 and 10 begin one.
    guard (word >> 12) & 0b11 != 0b01 else { return continueFrame(bytes, index, direction, instant, &events) }
    let count = bytes.count - Self.aclHeaderLength
    if count >= L2CAPHeader.length, L2CAPHeader.length + Int(bytes[4]) + Int(bytes[5]) << 8 == count {
      return wholeFrame(bytes, index, direction, instant, &events)
    }
    return beginFrame(bytes, index, direction)
  }

  /// A frame that is whole in one packet: the usual case, and with file data the only one that must be fast.
  private mutating func wholeFrame(
    _ bytes: [UInt8], _ index: Int, _ direction: PacketDirection, _ instant: Instant, _ events: inout [ProductEvent]
  ) -> CoveredRange {
    if isFileData(bytes, at: Self.aclHeaderLength, index, direction) {
      let value = Self.aclHeaderLength + Self.notifiedValueOffset
      interpretFileData(octets: bytes.count - value, index, instant, &events)
      return CoveredRange(value, bytes.count)
    }
    let first = coverOffset(bytes, at: Self.aclHeaderLength, index, direction) ?? Int.max
    let covered: CoveredRange = first == .max ? .none : CoveredRange(Self.aclHeaderLength + first, bytes.count)
    interpretFrame(bytes, at: Self.aclHeaderLength, index, direction, instant, &events)
    return covered
  }

  private mutating func beginFrame(_ bytes: [UInt8], _ index: Int, _ direction: PacketDirection) -> CoveredRange {
    var assembly = FrameAssembly()
    links[index].exchangeAssembly(direction, &assembly)
    assembly.begin(bytes[Self.aclHeaderLength...])
    assembly.coveredFrom = coverOffset(assembly.octets, at: 0, index, direction)
    let covered = assembly.coveredFrom.map { Self.fragment(from: $0, of: assembly, last: bytes) } ?? .none
    links[index].exchangeAssembly(direction, &assembly)
    return covered
  }

  private mutating func continueFrame(
    _ bytes: [UInt8], _ index: Int, _ direction: PacketDirection, _ instant: Instant, _ events: inout [ProductEvent]
  ) -> CoveredRange {
    var assembly = FrameAssembly()
    links[index].exchangeAssembly(direction, &assembly)
    defer { links[index].exchangeAssembly(direction, &assembly) }
    guard assembly.isRunning else {
      append(.malformed("an ACL packet continues a frame that was never begun"), index, instant, &events)
      return CoveredRange(Self.aclHeaderLength, bytes.count)
    }
    assembly.append(bytes[Self.aclHeaderLength...])
    if assembly.coveredFrom == nil { assembly.coveredFrom = coverOffset(assembly.octets, at: 0, index, direction) }
    let covered = assembly.coveredFrom.map { Self.fragment(from: $0, of: assembly, last: bytes) } ?? .none
    switch assembly.isWhole {
    case false: break
    case true:
      interpretFrame(assembly.octets, at: 0, index, direction, instant, &events)
      assembly.abandon()
    default:
      append(.malformed("the fragments of a frame are longer than the frame"), index, instant, &events)
      assembly.abandon()
    }
    return covered
  }

  /// The part of the packet `bytes`, the last of an assembly, that lies behind an offset of the frame.
  private static func fragment(from offset: Int, of assembly: FrameAssembly, last bytes: [UInt8]) -> CoveredRange {
    guard offset != .max else { return .none }
    let start = assembly.octets.count - (bytes.count - aclHeaderLength)
    return CoveredRange(aclHeaderLength + max(0, offset - start), bytes.count)
  }

  /// Offset in a frame, of which `bytes` holds the beginning at `base`, behind which it must be covered; `Int.max` for
  /// nothing, `nil` while too little is there to know. What stands in the first seven octets of a frame is never
  /// secret.
  private func coverOffset(_ bytes: [UInt8], at base: Int, _ index: Int, _ direction: PacketDirection) -> Int? {
    guard bytes.count >= base + 5 else { return nil }
    let opcode = bytes[base + 4]
    switch UInt16(bytes[base + 2]) | UInt16(bytes[base + 3]) << 8 {
    case Self.securityChannel:
      // Keys that are distributed: long-term, identity resolving, signature (Vol 3, Part H, 3.6).
      switch SMPCommand.Code(rawValue: opcode) {
      case .encryptionInformation, .identityInformation, .signingInformation: return 5
      default: return .max
      }
    case Self.attributeChannel:
      switch ATTOpcode(rawValue: opcode) {
      case .handleValueNotification, .handleValueIndication:
        guard bytes.count >= base + 7 else { return nil }
        let handle = UInt16(bytes[base + 5]) | UInt16(bytes[base + 6]) << 8
        // Asked of the map itself only where it must be: that copies it.
        let fileData = fileDataHandle(index, direction)
        if fileData != 0 { return handle == fileData ? Self.notifiedValueOffset : .max }
        let map = direction == .toController ? localMap : links[index].remoteMap
        return map.mayHoldRecording(handle) ? Self.notifiedValueOffset : .max
      case .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse:
        let request = direction == .toController ? links[index].remoteRequest : links[index].localRequest
        return request?.isAnswerCovered ?? true ? 5 : .max
      case .multipleHandleValueNotification: return 5
      default: return .max
      }
    default: return .max
    }
  }

  /// The handle with which the sender of such packets notifies file data; 0 while that is not known. Inlined, because a
  /// call would copy the maps.
  @inline(__always)
  private func fileDataHandle(_ index: Int, _ direction: PacketDirection) -> UInt16 {
    direction == .toController ? localMap.fileData : links[index].remoteMap.fileData
  }

  /// Whether a whole frame, whose header is at `base`, notifies file data.
  @inline(__always)
  private func isFileData(_ bytes: [UInt8], at base: Int, _ index: Int, _ direction: PacketDirection) -> Bool {
    let payload = base + L2CAPHeader.length
    guard bytes.count >= base + Self.notifiedValueOffset,
      bytes[payload] == ATTOpcode.handleValueNotification.rawValue,
      UInt16(bytes[base + 2]) | UInt16(bytes[base + 3]) << 8 == Self.attributeChannel
    else { return false }
    let handle = UInt16(bytes[payload + 1]) | UInt16(bytes[payload + 2]) << 8
    return handle != 0 && handle == fileDataHandle(index, direction)
  }

  /// A whole frame, whose header is at `base` and which ends with `bytes`.
  private mutating func interpretFrame(
    _ bytes: [UInt8], at base: Int, _ index: Int, _ direction: PacketDirection, _ instant: Instant,
    _ events: inout [ProductEvent]
  ) {
    let payload = base + L2CAPHeader.length
    switch UInt16(bytes[base + 2]) | UInt16(bytes[base + 3]) << 8 {
    case Self.attributeChannel:
      if isFileData(bytes, at: base, index, direction) {
        return interpretFileData(octets: bytes.count - base - Self.notifiedValueOffset, index, instant, &events)
      }
      if bytes.count >= payload + 3, bytes[payload] == ATTOpcode.writeCommand.rawValue,
        isFirmware(bytes, at: payload + 1, index, direction)
      {
        let happening = links[index].update.packet(Array(bytes[(payload + 3)...]))
        return append(.firmwareUpdate(happening), index, instant, &events)
      }
      do {
        var reader = ByteReader(bytes.span.extracting(payload..<bytes.count))
        interpret(try ATTPDU(decoding: &reader), index, direction, instant, &events)
      } catch {
        append(.malformed("ATT: \(error)"), index, instant, &events)
      }
    case Self.securityChannel: interpretSecurity(bytes, at: payload, index, instant, &events)
    case Self.signallingChannel:
      guard let command = try? SignallingCommand(decoding: Array(bytes[payload...])),
        case .parameterUpdateRequest(let asked) = command.content
      else { break }
      append(.parametersAsked(asked), index, instant, &events)
    default: break
    }
  }

  /// Whether a command of the phone writes the packet characteristic of a bootloader. There are many of them, and each
  /// is told as octets of firmware and as nothing else.
  private func isFirmware(_ bytes: [UInt8], at offset: Int, _ index: Int, _ direction: PacketDirection) -> Bool {
    let handle = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    guard handle != 0, (direction == .toController) == (links[index].role == .central) else { return false }
    return handle == (direction == .toController ? links[index].remoteMap : localMap)[.dfuPacket]
  }

  private mutating func interpretFileData(
    octets: Int, _ index: Int, _ instant: Instant, _ events: inout [ProductEvent]
  ) {
    if let excess = excess(ofValue: octets, on: index) {
      append(.fileTransfer(.notUnderstood(excess)), index, instant, &events)
    }
    if links[index].transfer.isSendingUnasked { reportUnasked(.fileData, [], index, instant, &events) }
    // Made before the call: inside it, `self` would be lent out while it changes, and every link be copied.
    let happening = links[index].transfer.data(octets: octets)
    if tellsFileData { append(.fileTransfer(happening), index, instant, &events) }
    if let completed = links[index].transfer.completion(afterOctets: octets) {
      append(.fileTransfer(completed), index, instant, &events)
    }
  }

  /// The Security Manager: whether a pairing runs, and how long the keys may be. What else it agrees on shows in the
  /// encryption that follows.
  private mutating func interpretSecurity(
    _ bytes: [UInt8], at payload: Int, _ index: Int, _ instant: Instant, _ events: inout [ProductEvent]
  ) {
    guard payload < bytes.count else { return }
    switch SMPCommand.Code(rawValue: bytes[payload]) {
    case .pairingRequest where !links[index].isPairing:
      links[index].isPairing = true
      links[index].initiatorKeySize = Self.offeredKeySize(bytes, at: payload)
      links[index].keySizes = nil
      append(.pairingStarted, index, instant, &events)
    case .pairingResponse:
      guard let initiator = links[index].initiatorKeySize, let responder = Self.offeredKeySize(bytes, at: payload)
      else { break }
      links[index].keySizes = OfferedKeySizes(initiator: initiator, responder: responder)
    case .pairingFailed:
      links[index].isPairing = false
      let reason = payload + 1 < bytes.count ? bytes[payload + 1] : 0
      append(.pairingFailed(reason: reason), index, instant, &events)
    default: break
    }
  }

  /// The longest key that a Pairing Request or Pairing Response offers, in octets (Vol 3, Part H, 3.5.1); `nil` where it is
  /// too short to say so.
  private static func offeredKeySize(_ bytes: [UInt8], at payload: Int) -> UInt8? {
    let offset = payload + 4
    return offset < bytes.count ? bytes[offset] : nil
  }
}
