import Bytes
import DictofunProtocol
import HCI
import Packets
import Text
import Timeline

/// The Attribute Protocol: who asks what of whom, and what was answered.
extension PacketInterpreter {
  /// One PDU with everything that is needed to place it.
  private struct Exchange {
    let index: Int
    let direction: PacketDirection
    let instant: Instant
    /// Whether the client is the central, which means the phone asks the recorder.
    let isPhoneAsking: Bool
    /// Whether the server is on this host.
    let isServerLocal: Bool
  }

  mutating func interpret(
    _ pdu: ATTPDU, _ index: Int, _ direction: PacketDirection, _ instant: Instant, _ events: inout [ProductEvent]
  ) {
    let isFromServer: Bool
    switch pdu.opcode.role {
    case .response, .notification, .indication: isFromServer = true
    case .request, .command, .confirmation: isFromServer = false
    }
    let isServerLocal = (direction == .toController) == isFromServer
    let exchange = Exchange(
      index: index, direction: direction, instant: instant,
      isPhoneAsking: (links[index].role == .central) != isServerLocal, isServerLocal: isServerLocal)
    switch pdu.opcode.role {
    case .request, .command: request(pdu, exchange, &events)
    case .response: response(pdu, exchange, &events)
    case .notification, .indication: notification(pdu, exchange, &events)
    case .confirmation: break
    }
  }

  // MARK: What is asked

  private mutating func request(_ pdu: ATTPDU, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    var outstanding = OutstandingRequest(opcode: pdu.opcode)
    switch pdu {
    case .exchangeMTURequest(let size): links[exchange.index].clientMTU = size
    case .readRequest(let handle), .readBlobRequest(let handle, _):
      outstanding.handle = handle
      outstanding.isAnswerCovered = isCovered(handle, exchange)
      reads(handle, exchange, &events)
    case .readMultipleRequest(let handles):
      outstanding.isAnswerCovered = handles.contains { isCovered($0, exchange) }
      let map = map(exchange)
      let isOurs = { (handle: AttributeHandle) in map.characteristic(handle)?.service == .fileTransfer }
      outstanding.handle = handles.first(where: isOurs) ?? AttributeHandle(0)
      for handle in handles { reads(handle, exchange, &events) }
    case .readByTypeRequest(_, let type), .readByGroupTypeRequest(_, let type):
      outstanding.type = type
      outstanding.isAnswerCovered = type == DictofunUUID.fileData
      if let characteristic = ProductCharacteristic(type) { asks(for: characteristic, exchange, &events) }
    case .findByTypeValueRequest(_, _, let value): outstanding.type = BluetoothUUID(littleEndian: value)
    case .writeRequest(let handle, let value), .writeCommand(let handle, let value):
      outstanding.handle = handle
      writes(handle, value, isRequest: pdu.opcode.role == .request, exchange, &events)
    case .prepareWriteRequest(let handle, _, let part):
      outstanding.handle = handle
      uses(handle, exchange, &events)
      prepares(handle, part, exchange)
    case .executeWriteRequest(let commits):
      outstanding.executed = executes(commits, exchange, &events)
    case .unknown(.readMultipleVariableRequest, _): outstanding.isAnswerCovered = true
    default: break
    }
    guard pdu.opcode.role == .request else { return }
    if exchange.direction == .toController {
      links[exchange.index].localRequest = outstanding
    } else {
      links[exchange.index].remoteRequest = outstanding
    }
  }

  private func map(_ exchange: Exchange) -> AttributeMap {
    exchange.isServerLocal ? localMap : links[exchange.index].remoteMap
  }

  private func isCovered(_ handle: AttributeHandle, _ exchange: Exchange) -> Bool {
    map(exchange).mayHoldRecording(handle.rawValue)
  }

  private mutating func reads(_ handle: AttributeHandle, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    if let characteristic = map(exchange).characteristic(handle) {
      asks(for: characteristic, exchange, &events)
    } else {
      uses(handle, exchange, &events)
    }
  }

  private mutating func asks(
    for characteristic: ProductCharacteristic, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    if exchange.isPhoneAsking, let service = characteristic.service {
      if characteristic == .batteryLevel { append(.batteryAsked, exchange.index, exchange.instant, &events) }
      append(.serviceUsed(service), exchange.index, exchange.instant, &events)
    } else if !exchange.isPhoneAsking, characteristic == .currentTime {
      append(.timeAsked, exchange.index, exchange.instant, &events)
    }
  }

  private mutating func writes(
    _ handle: AttributeHandle, _ value: [UInt8], isRequest: Bool, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    uses(handle, exchange, &events)
    guard exchange.isPhoneAsking else { return }
    let map = map(exchange)
    switch map.characteristic(handle) {
    case .controlPoint:
      let request = links[exchange.index].transfer.request(
        ControlPointRequest(decoding: value), isAcknowledged: isRequest)
      append(.fileTransfer(request), exchange.index, exchange.instant, &events)
    case .pairing where value.first == PairingControl.unpair:
      links[exchange.index].isUnpairing = isRequest
      append(.unpairRequested, exchange.index, exchange.instant, &events)
    case .buttonlessDFU where isRequest:
      append(links[exchange.index].update.buttonlessRequest(value), exchange, &events)
    // A bootloader takes no commands there.
    case .dfuControlPoint where isRequest:
      append(links[exchange.index].update.request(value), exchange, &events)
    case nil where map.service(handle) == .firmwareUpdate && value.count == 2:
      append(.subscribed(value[0] & 0b11 != 0), exchange, &events)
    case nil where map.service(handle) == .battery && value.count == 2:
      append(.batterySubscribed(value[0] & 0b11 != 0), exchange.index, exchange.instant, &events)
    case nil where map.service(handle) == .fileTransfer && value.count == 2:
      // A client configuration comes right after the value that it is for (``AttributeTable``).
      guard let answer = map.characteristic(AttributeHandle(handle.rawValue &- 1)) else { return }
      links[exchange.index].transfer.subscribed(answer, value[0] & 0b11 != 0)
    default: break
    }
  }

  /// Keeps a part of a value in which something may be asked for.
  private mutating func prepares(_ handle: AttributeHandle, _ part: [UInt8], _ exchange: Exchange) {
    let map = map(exchange)
    let characteristic = map.characteristic(handle)
    guard exchange.isPhoneAsking, links[exchange.index].prepared.count < PreparedPart.limit,
      characteristic == .controlPoint || characteristic == .pairing || map.isDeviceName(handle)
    else { return }
    links[exchange.index].prepared.append(PreparedPart(handle: handle, octets: part))
  }

  /// Writes what was prepared, and returns where.
  private mutating func executes(
    _ commits: Bool, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) -> [AttributeHandle] {
    guard exchange.isPhoneAsking else { return [] }
    let parts = links[exchange.index].prepared
    links[exchange.index].prepared = []
    guard commits else { return [] }
    var handles: [AttributeHandle] = []
    for part in parts where !handles.contains(part.handle) { handles.append(part.handle) }
    for handle in handles {
      let value = parts.filter { $0.handle == handle }.flatMap(\.octets)
      writes(handle, value, isRequest: true, exchange, &events)
    }
    return handles
  }

  private func append(
    _ happening: FirmwareUpdateHappening?, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    guard let happening else { return }
    append(.firmwareUpdate(happening), exchange.index, exchange.instant, &events)
  }

  private mutating func uses(_ handle: AttributeHandle, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    let map = map(exchange)
    if map.isEmpty {
      reportUndetermined(.attributesUnknown, exchange.index, exchange.instant, &events)
    } else if exchange.isPhoneAsking, let service = map.service(handle) {
      append(.serviceUsed(service), exchange.index, exchange.instant, &events)
    }
  }

  // MARK: What is answered

  private mutating func response(_ pdu: ATTPDU, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    let outstanding: OutstandingRequest?
    if exchange.direction == .toController {
      outstanding = links[exchange.index].remoteRequest
      links[exchange.index].remoteRequest = nil
    } else {
      outstanding = links[exchange.index].localRequest
      links[exchange.index].localRequest = nil
    }
    guard let request = outstanding else { return }
    switch pdu {
    case .errorResponse(_, _, let error): refused(request, error.rawValue, exchange, &events)
    case .exchangeMTUResponse(let size):
      let agreed = max(ATTPDU.defaultMTU, min(size, links[exchange.index].clientMTU))
      links[exchange.index].agreedMTU = agreed
      append(.maximumTransmissionUnit(agreed), exchange.index, exchange.instant, &events)
    case .readResponse(let value):
      guard let characteristic = map(exchange).characteristic(request.handle) else { return }
      answers(characteristic, value, exchange, &events)
    case .readBlobResponse(let value), .readMultipleResponse(let value):
      guard exchange.isPhoneAsking, map(exchange).characteristic(request.handle)?.service == .fileTransfer else {
        return
      }
      append(.fileTransfer(.valueRead(octets: value.count)), exchange.index, exchange.instant, &events)
    case .writeResponse: written(request.handle, exchange, &events)
    case .executeWriteResponse: for handle in request.executed { written(handle, exchange, &events) }
    case .readByTypeResponse(let entries): found(entries, request, exchange, &events)
    case .findInformationResponse(let entries):
      learn(exchange, &events) { map in
        for entry in entries { map.learn(entry.type, valueHandle: entry.handle.rawValue) }
      }
    case .readByGroupTypeResponse(let groups):
      learn(exchange, &events) { map in
        for group in groups {
          if let uuid = BluetoothUUID(littleEndian: group.value) { map.learn(service: uuid, group.range) }
        }
      }
    case .findByTypeValueResponse(let ranges):
      guard let uuid = request.type else { return }
      learn(exchange, &events) { map in for range in ranges { map.learn(service: uuid, range) } }
    default: break
    }
  }

  /// The server took what was written.
  private mutating func written(_ handle: AttributeHandle, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    switch map(exchange).characteristic(handle) {
    case .controlPoint:
      guard let happening = links[exchange.index].transfer.answered(attributeError: nil) else { return }
      append(.fileTransfer(happening), exchange.index, exchange.instant, &events)
      if case .requestTaken(let taken) = happening, !links[exchange.index].transfer.canBeAnswered(taken) {
        append(.fileTransfer(.answerNotEnabled(taken)), exchange.index, exchange.instant, &events)
      }
    case .dfuControlPoint: links[exchange.index].update.taken()
    case .pairing: unpairingAnswered(isTaken: true, exchange, &events)
    default:
      guard exchange.isPhoneAsking, map(exchange).isDeviceName(handle) else { return }
      append(.nameWritten(isAccepted: true), exchange.index, exchange.instant, &events)
    }
  }

  private mutating func unpairingAnswered(isTaken: Bool, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    guard links[exchange.index].isUnpairing else { return }
    links[exchange.index].isUnpairing = false
    append(.unpairAnswered(isTaken: isTaken), exchange.index, exchange.instant, &events)
  }

  private mutating func refused(
    _ request: OutstandingRequest, _ error: UInt8, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    switch request.opcode {
    case .writeRequest: refusedToWrite(request.handle, error, exchange, &events)
    case .executeWriteRequest:
      for handle in request.executed { refusedToWrite(handle, error, exchange, &events) }
    case .prepareWriteRequest:
      if links[exchange.index].prepared.last?.handle == request.handle { links[exchange.index].prepared.removeLast() }
    default:
      let asked = map(exchange).characteristic(request.handle) ?? request.type.flatMap(ProductCharacteristic.init)
      guard asked == .currentTime, !exchange.isPhoneAsking else { return }
      append(.timeRefused(attributeError: error), exchange.index, exchange.instant, &events)
    }
  }

  private mutating func refusedToWrite(
    _ handle: AttributeHandle, _ error: UInt8, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    switch map(exchange).characteristic(handle) {
    case .controlPoint:
      guard let happening = links[exchange.index].transfer.answered(attributeError: error) else { return }
      append(.fileTransfer(happening), exchange.index, exchange.instant, &events)
    case .pairing: unpairingAnswered(isTaken: false, exchange, &events)
    case .dfuControlPoint: append(links[exchange.index].update.refused(error, isButtonless: false), exchange, &events)
    case .buttonlessDFU: append(links[exchange.index].update.refused(error, isButtonless: true), exchange, &events)
    default:
      guard exchange.isPhoneAsking, map(exchange).isDeviceName(handle) else { return }
      append(.nameWritten(isAccepted: false), exchange.index, exchange.instant, &events)
    }
  }

  private mutating func answers(
    _ characteristic: ProductCharacteristic, _ value: [UInt8], _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    switch characteristic {
    case .batteryLevel where exchange.isPhoneAsking:
      guard value.count == 1 else {
        return append(.batteryMalformed(octets: value.count), exchange.index, exchange.instant, &events)
      }
      append(.batteryRead(value[0]), exchange.index, exchange.instant, &events)
    case .currentTime where !exchange.isPhoneAsking:
      let time = (try? CurrentTime(decoding: value))?.civilTime
      append(.timeServed(time), exchange.index, exchange.instant, &events)
    default:
      guard exchange.isPhoneAsking, characteristic.service == .fileTransfer else { return }
      append(.fileTransfer(.valueRead(octets: value.count)), exchange.index, exchange.instant, &events)
    }
  }

  private mutating func found(
    _ entries: [AttributeValue], _ request: OutstandingRequest, _ exchange: Exchange, _ events: inout [ProductEvent]
  ) {
    guard let type = request.type else { return }
    if type == DeclarationType.characteristic {
      return learn(exchange, &events) { map in for entry in entries { map.learn(declaration: entry.value) } }
    }
    guard let characteristic = ProductCharacteristic(type), let first = entries.first else { return }
    learn(exchange, &events) { $0.learn(type, valueHandle: first.handle.rawValue) }
    answers(characteristic, first.value, exchange, &events)
  }

  private mutating func learn(
    _ exchange: Exchange, _ events: inout [ProductEvent], _ body: (inout AttributeMap) -> Void
  ) {
    if exchange.isServerLocal {
      body(&localMap)
    } else {
      body(&links[exchange.index].remoteMap)
      remember(exchange.index)
    }
    guard exchange.isPhoneAsking else { return }
    let map = map(exchange)
    if map[.batteryLevel] != 0 {
      append(.attributesKnown(remembered: false), exchange.index, exchange.instant, &events)
    }
    if map.isOfBootloader, !links[exchange.index].update.isBootloaderReported {
      links[exchange.index].update.isBootloaderReported = true
      append(.bootloaderKnown(remembered: false), exchange, &events)
    }
  }

  // MARK: What is told

  private mutating func notification(_ pdu: ATTPDU, _ exchange: Exchange, _ events: inout [ProductEvent]) {
    let handle: AttributeHandle
    let value: [UInt8]
    switch pdu {
    case .notification(let attribute, let octets), .indication(let attribute, let octets):
      handle = attribute
      value = octets
    default: return
    }
    let map = map(exchange)
    guard !map.isEmpty else {
      return reportUndetermined(.attributesUnknown, exchange.index, exchange.instant, &events)
    }
    guard exchange.isPhoneAsking, let characteristic = map.characteristic(handle) else { return }
    if characteristic == .batteryLevel {
      let happening: Happening = value.count == 1 ? .batteryNotified(value[0]) : .batteryMalformed(octets: value.count)
      return append(happening, exchange.index, exchange.instant, &events)
    }
    switch characteristic {
    case .buttonlessDFU: return append(links[exchange.index].update.buttonlessIndicated(value), exchange, &events)
    case .dfuControlPoint: return append(links[exchange.index].update.notified(value), exchange, &events)
    default: break
    }
    if characteristic.service == .fileTransfer,
      let excess = excess(ofValue: value.count, on: exchange.index)
    {
      append(.fileTransfer(.notUnderstood(excess)), exchange.index, exchange.instant, &events)
    }
    reportUnasked(characteristic, value, exchange.index, exchange.instant, &events)
    do {
      guard let happening = try links[exchange.index].transfer.value(characteristic, value) else { return }
      append(.fileTransfer(happening), exchange.index, exchange.instant, &events)
    } catch {
      append(.fileTransfer(.notUnderstood("\(error)")), exchange.index, exchange.instant, &events)
    }
  }

  /// Says that nothing was asked for that a value of the File Transfer Service answers.
  mutating func reportUnasked(
    _ characteristic: ProductCharacteristic, _ value: [UInt8], _ index: Int, _ instant: Instant,
    _ events: inout [ProductEvent]
  ) {
    // What cannot be followed may have been asked for before.
    guard !links[index].isReportedUndetermined else { return }
    guard let unasked = links[index].transfer.unasked(characteristic, value) else { return }
    append(.fileTransfer(.notUnderstood("\(unasked) that nobody asked for")), index, instant, &events)
  }

  /// What is wrong with a notification of this number of octets; `nil` where it fits the ATT_MTU (Vol 3, Part F, 3.4.7.1),
  /// or that is not known. A phone throws longer ones away without a word.
  func excess(ofValue octets: Int, on index: Int) -> String? {
    guard let limit = links[index].usedMTU, octets + Self.notificationHeader > Int(limit) else { return nil }
    return "a notification of \(Wording.count(octets, "octet")) does not fit an ATT_MTU of \(limit)"
  }

  /// Octets of a notification before its value: opcode and handle.
  private static let notificationHeader = 3
}
