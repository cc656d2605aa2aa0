import Bytes
import DictofunProtocol
import HCI
import Packets
import Timeline

/// HCI events: links, encryption, advertising (Core Specification Vol 4, Part E, 7.7).
extension PacketInterpreter {
  mutating func interpretEvent(
    _ bytes: [UInt8], _ instant: Instant, _ events: inout [ProductEvent]
  ) -> CoveredRange {
    guard bytes.count >= 2 else { return .none }
    // The most frequent event of a transfer means nothing here.
    guard bytes[0] != 0x13 else { return .none }
    var reader = ByteReader(bytes.span.extracting(2..<bytes.count))
    do {
      switch bytes[0] {
      case 0x05: try disconnected(&reader, instant, &events)
      case 0x08, 0x59: try encryptionChanged(&reader, instant, &events)
      case 0x0E: return try commandCompleted(&reader, bytes.count, instant, &events)
      case 0x0F: try commandStatus(&reader)
      // Link_Key_Notification: the key stands behind the address.
      case 0x18: return CoveredRange(8, bytes.count)
      case 0x30: try keyRefreshed(&reader, instant, &events)
      case 0x3E: return try lowEnergyEvent(&reader, bytes.count, instant, &events)
      default: break
      }
    } catch {
      events.append(ProductEvent(at: instant, from: source, .malformed("HCI event: \(error)")))
    }
    return .none
  }

  private mutating func disconnected(
    _ reader: inout ByteReader, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    let status = try reader.readUInt8("status")
    let handle = try reader.readUInt16("connection handle") & 0x0FFF
    let reason = ErrorCode(rawValue: try reader.readUInt8("reason"))
    guard status == 0, let index = linkIndex(handle) else { return }
    append(.linkDown(reason), links[index], instant, &events)
    links.remove(at: index)
  }

  private mutating func encryptionChanged(
    _ reader: inout ByteReader, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    let status = ErrorCode(rawValue: try reader.readUInt8("status"))
    let handle = try reader.readUInt16("connection handle") & 0x0FFF
    let isOn = try reader.readUInt8("encryption enabled") != 0
    guard let index = linkIndex(handle) else { return }
    if status == .success, isOn {
      encrypted(index, instant, &events)
    } else if status != .success {
      links[index].isPairing = false
      append(.encryptionFailed(status), links[index], instant, &events)
    }
  }

  private mutating func keyRefreshed(
    _ reader: inout ByteReader, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    let status = try reader.readUInt8("status")
    let handle = try reader.readUInt16("connection handle") & 0x0FFF
    guard status == 0, let index = linkIndex(handle) else { return }
    encrypted(index, instant, &events)
  }

  private mutating func encrypted(_ index: Int, _ instant: Instant, _ events: inout [ProductEvent]) {
    append(.encrypted, links[index], instant, &events)
    guard links[index].isPairing else { return }
    links[index].isPairing = false
    append(.paired, links[index], instant, &events)
  }

  private mutating func commandCompleted(
    _ reader: inout ByteReader, _ count: Int, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) -> CoveredRange {
    _ = try reader.readUInt8("command packets")
    let opcode = try reader.readUInt16("opcode")
    switch opcode {
    case Opcode.reset where try reader.readUInt8("status") == 0: controllerLost(at: instant, &events)
    case Opcode.setAdvertisingEnable:
      let isWanted = isAdvertisingWanted
      isAdvertisingWanted = nil
      guard try reader.readUInt8("status") == 0, let isWanted, isWanted != isAdvertising else { break }
      isAdvertising = isWanted
      events.append(
        ProductEvent(
          at: instant, from: source,
          isWanted ? .advertisingStarted(intervalSlots: advertisingIntervalSlots) : .advertisingStopped))
    // Random numbers become keys.
    case Opcode.encrypt, Opcode.random: return CoveredRange(6, count)
    default: break
    }
    return .none
  }

  private mutating func commandStatus(_ reader: inout ByteReader) throws(DecodingFailure) {
    let status = try reader.readUInt8("status")
    _ = try reader.readUInt8("command packets")
    if status != 0, try reader.readUInt16("opcode") == Opcode.setAdvertisingEnable { isAdvertisingWanted = nil }
  }

  // MARK: LE meta events

  private mutating func lowEnergyEvent(
    _ reader: inout ByteReader, _ count: Int, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) -> CoveredRange {
    switch try reader.readUInt8("subevent") {
    case 0x01: try connected(&reader, isEnhanced: false, instant, &events)
    case 0x02: try advertisingReport(&reader, instant, &events)
    case 0x03: try parametersChanged(&reader, instant, &events)
    // Generate_DHKey_Complete: the key stands behind the status.
    case 0x09: return CoveredRange(4, count)
    case 0x0A, 0x29: try connected(&reader, isEnhanced: true, instant, &events)
    default: break
    }
    return .none
  }

  private mutating func connected(
    _ reader: inout ByteReader, isEnhanced: Bool, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    let status = ErrorCode(rawValue: try reader.readUInt8("status"))
    guard status == .success else {
      events.append(ProductEvent(at: instant, from: source, .linkFailed(status)))
      return
    }
    let handle = try reader.readUInt16("connection handle") & 0x0FFF
    let role: LinkRole = try reader.readUInt8("role") == 0 ? .central : .peripheral
    // Types 2 and 3 are identities that the controller resolved (7.7.65.10).
    let kind: BluetoothAddress.Kind = try reader.readUInt8("peer address type") & 1 == 0 ? .public : .random
    let peer = try reader.readAddress(kind, "peer address")
    if isEnhanced { _ = try reader.readBytes(12, "resolvable private addresses") }
    let parameters = try linkParameters(&reader)
    if role == .peripheral { stopAdvertising(instant, &events) }
    let index = beginLink(handle, peer, role, instant, &events)
    append(.linkUp(role: role, parameters), links[index], instant, &events)
    let serverMap = role == .central ? links[index].remoteMap : localMap
    if serverMap[.batteryLevel] != 0 {
      append(.attributesKnown(remembered: true), links[index], instant, &events)
    }
  }

  private func linkParameters(_ reader: inout ByteReader) throws(DecodingFailure) -> LinkParameters {
    LinkParameters(
      interval: try reader.readUInt16("connection interval"), latency: try reader.readUInt16("peripheral latency"),
      supervisionTimeout: try reader.readUInt16("supervision timeout"))
  }

  private mutating func parametersChanged(
    _ reader: inout ByteReader, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    let status = try reader.readUInt8("status")
    let handle = try reader.readUInt16("connection handle") & 0x0FFF
    guard status == 0, let index = linkIndex(handle) else { return }
    append(.parametersChanged(try linkParameters(&reader)), links[index], instant, &events)
  }

  private func advertisingReport(
    _ reader: inout ByteReader, _ instant: Instant, _ events: inout [ProductEvent]
  ) throws(DecodingFailure) {
    for _ in 0..<(try reader.readUInt8("reports")) {
      _ = try reader.readUInt8("event type")
      let kind: BluetoothAddress.Kind = try reader.readUInt8("address type") & 1 == 0 ? .public : .random
      let address = try reader.readAddress(kind, "address")
      let data = try reader.readBytes(Int(try reader.readUInt8("data length")), "advertising data")
      let strength = try reader.readInt8("RSSI")
      events.append(
        ProductEvent(
          at: instant, from: source,
          .advertisementHeard(address, isRecorder: Self.offersFileTransfer(data), signalStrength: strength)))
    }
  }

  /// Whether the File Transfer Service is among the 128-bit service UUIDs of advertising data.
  private static func offersFileTransfer(_ data: [UInt8]) -> Bool {
    // The data of every firmware is the same.
    if data == DictofunAdvertisement.advertisingData { return true }
    let wanted = DictofunUUID.fileTransferService.littleEndian128
    return AdvertisingData(lenient: data).structures.contains { structure in
      (structure.kind.rawValue == 0x06 || structure.kind.rawValue == 0x07)
        && stride(from: 0, to: structure.content.count - 15, by: 16).contains {
          structure.content[$0..<($0 + 16)].elementsEqual(wanted)
        }
    }
  }
}
