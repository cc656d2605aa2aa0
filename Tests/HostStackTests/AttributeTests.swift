import Bytes
import HCI
import HostStack
import Packets
import Testing

/// ATT PDUs that a side's host has sent, in order; frames cut into several packets are put together.
func attributePDUs(_ pair: HostPair, _ side: Int) -> [ATTPDU] {
  var frames: [[UInt8]] = []
  for packet in pair.sent[side] where packet.kind == .acl {
    guard let data = try? ACLPacket(decoding: packet.bytes) else { continue }
    if data.boundary == .continuing, !frames.isEmpty {
      frames[frames.count - 1] += data.payload
    } else {
      frames.append(data.payload)
    }
  }
  return frames.compactMap { octets in
    guard let frame = try? L2CAPFrame(decoding: octets), frame.channel == .attributeProtocol else { return nil }
    return try? ATTPDU(decoding: frame.payload)
  }
}

/// What the peripheral's server answers to a PDU.
private func answer(_ pair: inout HostPair, _ pdu: ATTPDU) -> ATTPDU? {
  let before = attributePDUs(pair, 0).count
  pair.inject(0, .attributeProtocol, pdu.encoded)
  return attributePDUs(pair, 0).dropFirst(before).first
}

private func refused(_ opcode: ATTOpcode, _ handle: AttributeHandle, _ code: ATTErrorCode) -> ATTPDU {
  .errorResponse(request: opcode, handle: handle, code)
}

private func range(_ start: UInt16, _ end: UInt16) -> HandleRange {
  HandleRange(AttributeHandle(start), AttributeHandle(end))
}

/// Requests to the test database over a clear link at MTU 23, with their answers.
private let conversations: [(String, ATTPDU, ATTPDU?)] = [
  ("GATT/SR/GAR/BV-01-C", .readRequest(Served.open), .readResponse([84])),
  ("GATT/SR/GAR/BI-01-C", .readRequest(Served.closed), refused(.readRequest, Served.closed, .readNotPermitted)),
  (
    "GATT/SR/GAR/BI-02-C", .readRequest(AttributeHandle(0x0100)),
    refused(.readRequest, AttributeHandle(0x0100), .invalidHandle)
  ),
  (
    "Pitfall 23: GATT/SR/GAR/BI-04-C", .readRequest(Served.secret),
    refused(.readRequest, Served.secret, .insufficientAuthentication)
  ),
  (
    "a long value's beginning", .readRequest(Served.long), .readResponse((0..<22).map { UInt8($0) })
  ),
  (
    "GATT/SR/GAR/BV-04-C", .readBlobRequest(Served.long, offset: 90),
    .readBlobResponse((90..<100).map { UInt8($0) })
  ),
  ("a long value's very end", .readBlobRequest(Served.long, offset: 100), .readBlobResponse([])),
  (
    "GATT/SR/GAR/BI-14-C", .readBlobRequest(Served.long, offset: 101),
    refused(.readBlobRequest, Served.long, .invalidOffset)
  ),
  ("GATT/SR/GAR/BV-05-C", .readMultipleRequest([Served.open, Served.open]), .readMultipleResponse([84, 84])),
  (
    "Read Multiple fails at the first that may not be read", .readMultipleRequest([Served.open, Served.closed]),
    refused(.readMultipleRequest, Served.closed, .readNotPermitted)
  ),
  (
    "GATT/SR/GAD/BV-01-C", .readByGroupTypeRequest(.all, BluetoothUUID(0x2800)),
    .readByGroupTypeResponse([AttributeGroup(range(1, 0x0A), [0x0F, 0x18])])
  ),
  (
    "the next group is of another length", .readByGroupTypeRequest(range(2, 0xFFFF), BluetoothUUID(0x2800)),
    .readByGroupTypeResponse([AttributeGroup(range(0x0B, 0x10), vendorUUID.littleEndian)])
  ),
  (
    "nothing more", .readByGroupTypeRequest(range(0x0C, 0xFFFF), BluetoothUUID(0x2800)),
    refused(.readByGroupTypeRequest, AttributeHandle(0x0C), .attributeNotFound)
  ),
  (
    "unsupported group", .readByGroupTypeRequest(.all, BluetoothUUID(0x2803)),
    refused(.readByGroupTypeRequest, AttributeHandle(1), .unsupportedGroupType)
  ),
  (
    "range from 0", .readByGroupTypeRequest(range(0, 5), BluetoothUUID(0x2800)),
    refused(.readByGroupTypeRequest, AttributeHandle(0), .invalidHandle)
  ),
  (
    "range backwards", .findInformationRequest(range(5, 4)),
    refused(.findInformationRequest, AttributeHandle(5), .invalidHandle)
  ),
  (
    "Pitfall 22: values of equal length, cut at what the MTU takes",
    .readByTypeRequest(.all, BluetoothUUID(0x2803)),
    .readByTypeResponse([
      AttributeValue(AttributeHandle(2), [0x0A, 3, 0, 0x19, 0x2A]),
      AttributeValue(AttributeHandle(4), [0x3A, 5, 0, 0x02, 0x10]),
      AttributeValue(AttributeHandle(7), [0x0A, 8, 0, 0x03, 0x10]),
    ])
  ),
  (
    "Pitfall 22: a value of another length ends the list",
    .readByTypeRequest(range(0x0C, 0xFFFF), BluetoothUUID(0x2803)),
    .readByTypeResponse([AttributeValue(AttributeHandle(0x0C), [0x1A, 0x0D, 0, 0x05, 0x10])])
  ),
  (
    "Pitfall 22: a long value is cut at MTU - 4", .readByTypeRequest(.all, BluetoothUUID(0x1005)),
    .readByTypeResponse([AttributeValue(Served.long, (0..<19).map { UInt8($0) })])
  ),
  (
    "the first that may not be read is named", .readByTypeRequest(.all, BluetoothUUID(0x1002)),
    refused(.readByTypeRequest, Served.secret, .insufficientAuthentication)
  ),
  (
    "GATT/SR/GAD/BV-06-C", .findInformationRequest(range(5, 6)),
    .findInformationResponse([
      AttributeInformation(Served.secret, BluetoothUUID(0x1002)),
      AttributeInformation(Served.secretConfiguration, BluetoothUUID(0x2902)),
    ])
  ),
  (
    "GATT/SR/GAD/BV-02-C", .findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18]),
    .findByTypeValueResponse([range(1, 0x0A)])
  ),
  (
    "a service asked for in its long form",
    .findByTypeValueRequest(.all, type: 0x2800, value: BluetoothUUID(0x180F).littleEndian128),
    .findByTypeValueResponse([range(1, 0x0A)])
  ),
  (
    "no such service", .findByTypeValueRequest(.all, type: 0x2800, value: [0x05, 0x18]),
    refused(.findByTypeValueRequest, AttributeHandle(1), .attributeNotFound)
  ),
  ("GATT/SR/GAW/BV-03-C", .writeRequest(Served.open, [1]), .writeResponse),
  (
    "GATT/SR/GAW/BI-02-C", .writeRequest(AttributeHandle(0x0200), [1]),
    refused(.writeRequest, AttributeHandle(0x0200), .invalidHandle)
  ),
  ("GATT/SR/GAW/BI-03-C", .writeRequest(Served.closed, [1]), refused(.writeRequest, Served.closed, .writeNotPermitted)),
  (
    "too long", .writeRequest(Served.open, Array(repeating: 1, count: 19)),
    refused(.writeRequest, Served.open, .invalidAttributeValueLength)
  ),
  (
    "a configuration of one octet", .writeRequest(Served.secretConfiguration, [1]),
    refused(.writeRequest, Served.secretConfiguration, .invalidAttributeValueLength)
  ),
  (
    "a configuration the characteristic does not offer", .writeRequest(Served.longConfiguration, [2, 0]),
    refused(.writeRequest, Served.longConfiguration, .valueNotAllowed)
  ),
  (
    "a declaration", .writeRequest(AttributeHandle(1), [1]),
    refused(.writeRequest, AttributeHandle(1), .writeNotPermitted)
  ),
  ("an empty queue", .executeWriteRequest(commits: true), .executeWriteResponse),
  (
    "Pitfall 22: an unknown request", .unknown(ATTOpcode(rawValue: 0x20), [3, 0, 5, 0]),
    refused(ATTOpcode(rawValue: 0x20), AttributeHandle(0), .requestNotSupported)
  ),
  ("Pitfall 22: an unknown command", .unknown(ATTOpcode(rawValue: 0x7A), [1, 2]), nil),
  ("Pitfall 22: a signed write, which is not supported", .unknown(.signedWriteCommand, [3, 0, 1]), nil),
  ("a command to what takes none", .writeCommand(Served.open, [7]), nil),
]

@Suite struct AttributeServing {
  @Test(arguments: conversations.indices) func answersAsTheSpecificationSays(_ index: Int) {
    var pair = HostPair.connected()
    let (name, request, expected) = conversations[index]
    #expect(answer(&pair, request) == expected, "\(name)")
  }

  @Test(
    "a request that cannot be read is refused with 0x04, anything else is passed over",
    arguments: [
      ("0a", 0x0A), ("0a030000", 0x0A), ("02f7", 0x02), ("16 0300 00", 0x16), ("1802", 0x18), ("08 0100 ffff 00", 0x08),
      ("", nil), ("52", nil), ("0b", nil), ("1e00", nil), ("1d", nil),
    ] as [(String, UInt8?)])
  func malformedPDUs(_ text: String, _ opcode: UInt8?) throws {
    var pair = HostPair.connected()
    pair.inject(0, .attributeProtocol, try #require(Hexadecimal.bytes(text)))
    let expected = opcode.map { refused(ATTOpcode(rawValue: $0), AttributeHandle(0), .invalidPDU) }
    #expect(attributePDUs(pair, 0).last == expected)
    #expect(pair.all(0) { if case .protocolViolation = $0 { true } else { nil } }.count == 1)
    #expect(answer(&pair, .readRequest(Served.open)) == .readResponse([84]))
  }

  @Test("a PDU beyond the MTU is refused") func tooLong() {
    var pair = HostPair.connected()
    let long = ATTPDU.writeRequest(Served.long, Array(repeating: 1, count: 21))
    #expect(answer(&pair, long) == refused(.writeRequest, AttributeHandle(0), .invalidPDU))
  }

  @Test(
    "Pitfall 22: the MTU holds for both sides and from the response on",
    arguments: [
      (247, 185, 185), (23, 247, 23), (517, 517, 517), (247, 10, 23),
    ] as [(UInt16, UInt16, UInt16)])
  func mtu(_ own: UInt16, _ peers: UInt16, _ expected: UInt16) {
    var pair = HostPair.connected { $1.maximumTransmissionUnit = own }
    #expect(answer(&pair, .exchangeMTURequest(peers)) == .exchangeMTUResponse(own))
    let told = pair.all(0) { if case .maximumTransmissionUnitChanged(_, let size) = $0 { size } else { nil } }
    #expect(told == (expected == 23 ? [] : [expected]))
    guard case .readResponse(let value)? = answer(&pair, .readRequest(Served.long)) else {
      Issue.record("no value")
      return
    }
    #expect(value.count == min(100, Int(expected) - 1))
  }

  @Test func storedValuesAreChangedByBothSides() {
    var pair = HostPair.connected()
    pair.ask(0, .setValue(Served.open, [42]))
    #expect(answer(&pair, .readRequest(Served.open)) == .readResponse([42]))
    #expect(answer(&pair, .writeRequest(Served.open, [7])) == .writeResponse)
    #expect(pair.events[0].last == .attributeWritten(HostPair.handle, Served.open, [7]))
    pair.inject(0, .attributeProtocol, ATTPDU.writeCommand(Served.command, [9]).encoded)
    #expect(pair.events[0].last == .attributeWritten(HostPair.handle, Served.command, [9]))
    // What is notified is read from then on, although nobody asked to be notified.
    pair.ask(0, .notify(HostPair.handle, NotificationTicket(1), Served.long, [5, 6]))
    #expect(pair.events[0].last == .notificationRefused(HostPair.handle, NotificationTicket(1), .notEnabled))
    #expect(answer(&pair, .readRequest(Served.long)) == .readResponse([5, 6]))
  }

  /// Each value of the application makes a detour, whatever the request that wants it.
  @Test func theApplicationServesItsValues() {
    var pair = HostPair.connected()
    pair.application = { _, event in
      switch event {
      case .readRequested(let handle, let token, Served.application, _):
        [.answerRead(handle, token, .success(Array(0..<30))), .answerRead(handle, token, .success([]))]
      case .writeRequested(let handle, let token, Served.application, let value):
        [.answerWrite(handle, token, value == [13] ? .init(rawValue: 0x80) : nil)]
      default: []
      }
    }
    let beginning = [UInt8](0..<22)
    #expect(answer(&pair, .readRequest(Served.application)) == .readResponse(beginning))
    #expect(answer(&pair, .readBlobRequest(Served.application, offset: 25)) == .readBlobResponse([25, 26, 27, 28, 29]))
    #expect(
      answer(&pair, .readByTypeRequest(.all, BluetoothUUID(0x1003)))
        == .readByTypeResponse([AttributeValue(Served.application, Array(beginning.prefix(19)))]))
    #expect(
      answer(&pair, .readMultipleRequest([Served.open, Served.application]))
        == .readMultipleResponse([84] + beginning.prefix(21)))
    #expect(answer(&pair, .writeRequest(Served.application, [1])) == .writeResponse)
    #expect(
      answer(&pair, .writeRequest(Served.application, [13]))
        == refused(.writeRequest, Served.application, .init(rawValue: 0x80)))
    #expect(pair.run(.write(Served.application, Array(repeating: 5, count: 60))) == .success(.written))
    #expect(pair.run(.read(Served.application)) == .success(.value(Array(0..<30))))
  }

  @Test func whatTheApplicationRefusesIsRefused() {
    for request in [
      ATTPDU.readRequest(Served.application), .readBlobRequest(Served.application, offset: 0),
      .readByTypeRequest(.all, BluetoothUUID(0x1003)), .readMultipleRequest([Served.application, Served.open]),
    ] {
      var pair = HostPair.connected()
      pair.application = { _, event in
        guard case .readRequested(let handle, let token, _, _) = event else { return [] }
        return [.answerRead(handle, token, .failure(.init(rawValue: 0x81)))]
      }
      #expect(answer(&pair, request) == refused(request.opcode, Served.application, .init(rawValue: 0x81)))
      #expect(answer(&pair, .readRequest(Served.open)) == .readResponse([84]))
    }
  }

  @Test("Pitfall 21: a second request before the answer is dropped and said")
  func oneRequestAtATime() {
    var pair = HostPair.connected()
    #expect(answer(&pair, .readRequest(Served.application)) == nil)
    #expect(answer(&pair, .readRequest(Served.open)) == nil)
    #expect(answer(&pair, .exchangeMTURequest(100)) == nil)
    #expect(pair.all(0) { if case .protocolViolation = $0 { true } else { nil } }.count == 2)
    let token = pair.all(0) { if case .readRequested(_, let token, _, _) = $0 { token } else { nil } }[0]
    pair.ask(0, .answerRead(HostPair.handle, AccessToken(token.rawValue &+ 7), .success([1])))
    #expect(attributePDUs(pair, 0).isEmpty)
    pair.ask(0, .answerRead(HostPair.handle, token, .success([1])))
    #expect(attributePDUs(pair, 0) == [.readResponse([1])])
  }

  @Test func preparedWritesAreCheckedWhenExecuted() {
    var pair = HostPair.connected()
    func prepare(_ handle: AttributeHandle, _ offset: UInt16, _ part: [UInt8]) -> ATTPDU? {
      answer(&pair, .prepareWriteRequest(handle, offset: offset, part))
    }
    #expect(prepare(Served.long, 0, [1, 2]) == .prepareWriteResponse(Served.long, offset: 0, [1, 2]))
    #expect(prepare(Served.open, 5, [1]) == .prepareWriteResponse(Served.open, offset: 5, [1]))
    #expect(
      answer(&pair, .executeWriteRequest(commits: true)) == refused(.executeWriteRequest, Served.open, .invalidOffset))
    // Nothing of it was written.
    #expect(answer(&pair, .readBlobRequest(Served.long, offset: 98)) == .readBlobResponse([98, 99]))
    _ = prepare(Served.open, 0, Array(repeating: 1, count: 18))
    _ = prepare(Served.open, 18, Array(repeating: 1, count: 3))
    #expect(
      answer(&pair, .executeWriteRequest(commits: true))
        == refused(.executeWriteRequest, Served.open, .invalidAttributeValueLength))
    _ = prepare(Served.open, 0, [9])
    #expect(answer(&pair, .executeWriteRequest(commits: false)) == .executeWriteResponse)
    #expect(answer(&pair, .readRequest(Served.open)) == .readResponse([84]))
    #expect(
      prepare(Served.secret, 0, [1]) == refused(.prepareWriteRequest, Served.secret, .insufficientAuthentication))
    for _ in 0..<64 { _ = prepare(Served.open, 0, [9]) }
    #expect(prepare(Served.open, 0, [9]) == refused(.prepareWriteRequest, Served.open, .prepareQueueFull))
    #expect(answer(&pair, .executeWriteRequest(commits: true)) == .executeWriteResponse)
    #expect(answer(&pair, .readRequest(Served.open)) == .readResponse([9]))
  }
}
