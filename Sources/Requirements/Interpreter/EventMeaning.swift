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
    // The most frequent event of a transfer means nothing here.
    guard let code = bytes.first, EventCode(rawValue: code) != .numberOfCompletedPackets else { return .none }
    do {
      take(try Event(decoding: bytes), instant, &events)
    } catch {
      events.append(ProductEvent(at: instant, from: source, .malformed("HCI event: \(error)")))
    }
    return Self.keys(of: bytes)
  }

  /// Where an event carries a key, or octets that become one. It is looked for in whatever was sent, understood or not.
  private static func keys(of bytes: [UInt8]) -> CoveredRange {
    switch bytes[0] {
    case EventCode.commandComplete.rawValue where bytes.count > 6:
      let opcode = Opcode(rawValue: UInt16(bytes[3]) | UInt16(bytes[4]) << 8)
      return opcode == .leEncrypt || opcode == .leRand ? CoveredRange(6, bytes.count) : .none
    // LE_Generate_DHKey_Complete: the key stands behind the status (7.7.65.9).
    case EventCode.leMeta.rawValue
    where bytes.count > 4 && bytes[2] == LESubeventCode.generateDHKeyComplete.rawValue:
      return CoveredRange(4, bytes.count)
    // Link_Key_Notification: the key stands behind the address (7.7.24).
    case EventCode.linkKeyNotification.rawValue: return CoveredRange(8, bytes.count)
    default: return .none
    }
  }

  private mutating func take(_ event: Event, _ instant: Instant, _ events: inout [ProductEvent]) {
    switch event {
    case .disconnectionComplete(.success, let handle, let reason):
      guard let index = linkIndex(handle.rawValue) else { return }
      append(.linkDown(reason), index, instant, &events)
      links.remove(at: index)
    case .encryptionChange(let status, let handle, let isEncrypted),
      .encryptionChangeV2(let status, let handle, let isEncrypted, _):
      encryptionChanged(status, handle, isEncrypted, instant, &events)
    case .encryptionKeyRefreshComplete(let status, let handle):
      encryptionChanged(status, handle, true, instant, &events)
    case .commandComplete(.reset, _, .success): controllerLost(at: instant, &events)
    case .commandComplete(.leSetAdvertisingEnable, _, let answer):
      advertisingSet(isDone: answer.status == .success, instant, &events)
    case .commandStatus(.leSetAdvertisingEnable, _, let status) where status != .success: isAdvertisingWanted = nil
    case .leConnectionComplete(let connection): connected(connection, instant, &events)
    case .leEnhancedConnectionComplete(let enhanced): connected(enhanced.connection, instant, &events)
    case .leConnectionUpdateComplete(.success, let handle, let parameters):
      guard let index = linkIndex(handle.rawValue) else { return }
      append(.parametersChanged(parameters), index, instant, &events)
    case .lePHYUpdateComplete(.success, let handle, let transmit, let receive):
      guard let index = linkIndex(handle.rawValue) else { return }
      append(.physicalLayers(transmit: transmit, receive: receive), index, instant, &events)
    case .leDataLengthChange(let handle, let lengths):
      guard let index = linkIndex(handle.rawValue) else { return }
      append(
        .dataLength(transmit: lengths.transmit.octets, receive: lengths.receive.octets), index, instant, &events)
    case .leAdvertisingReport(let reports):
      for report in reports { heard(report.address, report.data, report.signalStrength, instant, &events) }
    default: break
    }
  }

  private mutating func encryptionChanged(
    _ status: ErrorCode, _ handle: ConnectionHandle, _ isEncrypted: Bool, _ instant: Instant,
    _ events: inout [ProductEvent]
  ) {
    guard let index = linkIndex(handle.rawValue) else { return }
    let wasPairing = links[index].isPairing
    links[index].isPairing = false
    guard status == .success else { return append(.encryptionFailed(status), index, instant, &events) }
    guard isEncrypted else { return }
    append(.encrypted, index, instant, &events)
    if wasPairing { append(.paired(links[index].keySizes), index, instant, &events) }
  }

  private mutating func advertisingSet(isDone: Bool, _ instant: Instant, _ events: inout [ProductEvent]) {
    let wanted = isAdvertisingWanted
    isAdvertisingWanted = nil
    guard isDone, let wanted, wanted != isAdvertising else { return }
    isAdvertising = wanted
    let happening: Happening =
      wanted ? .advertisingStarted(intervalSlots: advertisingIntervalSlots) : .advertisingStopped
    events.append(ProductEvent(at: instant, from: source, happening))
  }

  private mutating func connected(
    _ connection: LEConnectionComplete, _ instant: Instant, _ events: inout [ProductEvent]
  ) {
    guard connection.status == .success else {
      events.append(ProductEvent(at: instant, from: source, .linkFailed(connection.status)))
      return
    }
    // Being connected to ends legacy advertising (7.8.9).
    if connection.role == .peripheral { stopAdvertising(instant, &events) }
    let index = beginLink(
      connection.handle.rawValue, connection.peerAddress, connection.role, instant, &events)
    append(.linkUp(role: connection.role, connection.link), index, instant, &events)
    let serverMap = connection.role == .central ? links[index].remoteMap : localMap
    if serverMap[.batteryLevel] != 0 {
      append(.attributesKnown(remembered: true), index, instant, &events)
    }
    if serverMap.isOfBootloader {
      links[index].update.isBootloaderReported = true
      append(.firmwareUpdate(.bootloaderKnown(remembered: true)), index, instant, &events)
    }
  }

  private func heard(
    _ address: BluetoothAddress, _ data: [UInt8], _ signalStrength: Int8, _ instant: Instant,
    _ events: inout [ProductEvent]
  ) {
    let isRecorder = Self.offersFileTransfer(data)
    events.append(
      ProductEvent(
        at: instant, from: source,
        .advertisementHeard(address, isRecorder: isRecorder, signalStrength: signalStrength)))
  }

  /// Whether the File Transfer Service is among the 128-bit service UUIDs of advertising data.
  static func offersFileTransfer(_ data: [UInt8]) -> Bool {
    // The data of every firmware is the same.
    if data == DictofunAdvertisement.advertisingData { return true }
    let wanted = DictofunUUID.fileTransferService.littleEndian128
    return AdvertisingData(lenient: data).structures.contains { structure in
      (structure.kind == .incompleteServices128 || structure.kind == .completeServices128)
        && stride(from: 0, to: structure.content.count - 15, by: 16).contains {
          structure.content[$0..<($0 + 16)].elementsEqual(wanted)
        }
    }
  }
}
