import Bytes
import HCI
import HostStack
import Packets
import Testing

private func services(_ pair: inout HostPair, _ procedure: ClientProcedure) -> [DiscoveredService]? {
  guard case .success(.services(let services))? = pair.run(procedure) else { return nil }
  return services
}

@Suite struct AttributeClientProcedures {
  @Test("GATT/CL/GAD/BV-01-C, -03-C, -04-C, -06-C: everything is found", arguments: [23, 185, 247, 517])
  func discovery(_ mtu: UInt16) throws {
    var pair = HostPair.connected { $1.maximumTransmissionUnit = mtu }
    #expect(pair.run(.exchangeMaximumTransmissionUnit) == .success(.maximumTransmissionUnit(mtu)))
    let found = try #require(services(&pair, .discoverAll))
    #expect(found.map(\.uuid) == [BluetoothUUID(0x180F), vendorUUID])
    #expect(found.map(\.handle) == [AttributeHandle(1), Served.vendorService])
    #expect(found.map(\.endHandle) == [AttributeHandle(0x0A), Served.closed])
    let characteristics = found.flatMap(\.characteristics)
    #expect(
      characteristics.map(\.valueHandle) == [
        Served.open, Served.secret, Served.application, Served.command, Served.long, Served.closed,
      ])
    #expect(
      characteristics.map(\.configurationHandle) == [
        nil, Served.secretConfiguration, nil, nil, Served.longConfiguration, nil,
      ])
    #expect(characteristics[1].properties == [.read, .write, .notify, .indicate])
    #expect(characteristics[5].uuid == BluetoothUUID("12345678-0000-1000-8000-00805f9b34fa"))
  }

  @Test("GATT/CL/GAD/BV-02-C: one service is found by its type")
  func oneService() throws {
    var pair = HostPair.connected()
    let vendor = try #require(services(&pair, .discoverService(vendorUUID)))
    #expect(vendor.map(\.uuid) == [vendorUUID])
    #expect(vendor.first?.characteristics.map(\.valueHandle) == [Served.long, Served.closed])
    #expect(services(&pair, .discoverService(BluetoothUUID(0x1805))) == [])
    #expect(pair.run(.discoverService(BluetoothUUID(0x1805)), by: 0) != nil)
  }

  @Test("Pitfall 21: both sides ask at once") func bothDirections() throws {
    var pair = HostPair.connected()
    pair.application = { side, event in
      guard side == 1, case .readRequested(let handle, let token, _, _) = event else { return [] }
      return [.answerRead(handle, token, .success([1, 2, 3]))]
    }
    let held = pair.sent[1].count
    pair.intercept = { side, packet in side == 1 && packet.kind == .acl ? nil : packet }
    pair.ask(1, .client(HostPair.handle, ClientToken(1), .read(Served.open)))
    let request = try #require(pair.sent[1].dropFirst(held).last)
    pair.intercept = { $1 }
    // The central's request is on its way while the peripheral's is asked and answered.
    #expect(pair.run(.read(AttributeHandle(3)), by: 0) == .success(.value([1, 2, 3])))
    pair.below { controllers, up in controllers.take(request, from: 1, up) }
    #expect(
      pair.events[1].last == .clientCompleted(HostPair.handle, ClientToken(1), .success(.value([84]))))
  }

  @Test(arguments: [0, 1, 20, 21, 22, 43, 44, 45, 100, 511, 512]) func valuesOfAnyLength(_ count: Int) {
    var pair = HostPair.connected()
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(pair.run(.write(Served.long, value)) == .success(.written))
    #expect(pair.run(.read(Served.long)) == .success(.value(value)))
    #expect(pair.events[0].last == .attributeWritten(HostPair.handle, Served.long, value))
    #expect(pair.run(.write(Served.long, value + Array(repeating: 0, count: 513))) == .failure(.notAllowed))
  }

  @Test func valuesAreReadByType() {
    var pair = HostPair.connected()
    #expect(
      pair.run(.readByType(BluetoothUUID(0x2902), .first, .last))
        == .success(
          .values([
            AttributeValue(Served.secretConfiguration, [0, 0]), AttributeValue(Served.longConfiguration, [0, 0]),
          ])))
    #expect(
      pair.run(.readByType(BluetoothUUID(0x2AA6), .first, .last))
        == .failure(.refused(.attributeNotFound, AttributeHandle(1))))
    #expect(pair.run(.readByType(BluetoothUUID(0x2AA6), .last, .first)) == .failure(.notAllowed))
  }

  @Test("Pitfall 22: the MTU is asked for once") func onlyOneExchange() {
    var pair = HostPair.connected()
    #expect(pair.run(.exchangeMaximumTransmissionUnit) == .success(.maximumTransmissionUnit(247)))
    #expect(pair.run(.exchangeMaximumTransmissionUnit) == .failure(.notAllowed))
    #expect(pair.events[0].contains(.maximumTransmissionUnitChanged(HostPair.handle, 247)))
    #expect(pair.events[1].contains(.maximumTransmissionUnitChanged(HostPair.handle, 247)))
  }

  @Test func commandsCompleteWhenTheControllerHasThem() {
    var quirks = ControllerPair.Quirks()
    quirks.buffers = LEBufferSize(octets: 27, count: 1)
    quirks.holdsCompletions = true
    var pair = HostPair.connected(quirks: [.init(), quirks])
    #expect(pair.run(.writeWithoutResponse(Served.command, [1])) == .success(.written))
    #expect(pair.events[0].last == .attributeWritten(HostPair.handle, Served.command, [1]))
    #expect(pair.run(.writeWithoutResponse(Served.command, [2])) == nil)
    pair.below { controllers, up in controllers.complete(1, up) }
    #expect(pair.events[0].last == .attributeWritten(HostPair.handle, Served.command, [2]))
    #expect(pair.all(1) { if case .clientCompleted = $0 { true } else { nil } }.count == 2)
    #expect(pair.run(.writeWithoutResponse(Served.command, Array(repeating: 1, count: 21))) == .failure(.notAllowed))
  }

  @Test("Pitfall 21: after 30 s without an answer the bearer is dead")
  func deadBearer() {
    var pair = HostPair.connected()
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    #expect(pair.run(.read(Served.application)) == nil)
    #expect(pair.run(.read(Served.open)) == nil)
    pair.fire(1, .seconds(30))
    let results = pair.all(1) { if case .clientCompleted(_, _, let result) = $0 { result } else { nil } }
    #expect(results.suffix(2) == [.failure(.timeout), .failure(.timeout)])
    #expect(pair.run(.read(Served.open)) == .failure(.timeout))
    #expect(pair.timers[1].isEmpty)
    // What the peer asks is still answered, and what it tells still heard.
    pair.ask(0, .notify(HostPair.handle, NotificationTicket(1), Served.long, [1]))
    #expect(pair.events[1].last == .notificationReceived(HostPair.handle, Served.long, [1]))
    let before = attributePDUs(pair, 1).count
    pair.inject(1, .attributeProtocol, ATTPDU.readRequest(AttributeHandle(1)).encoded)
    #expect(attributePDUs(pair, 1).count == before + 1)
  }

  @Test func aDisconnectionEndsWhatRuns() {
    var pair = HostPair.connected()
    pair.ask(1, .client(HostPair.handle, ClientToken(1), .read(Served.application)))
    pair.ask(1, .client(HostPair.handle, ClientToken(2), .read(Served.open)))
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    #expect(
      pair.events[1].suffix(3) == [
        .clientCompleted(HostPair.handle, ClientToken(1), .failure(.disconnected)),
        .clientCompleted(HostPair.handle, ClientToken(2), .failure(.disconnected)),
        .disconnected(HostPair.handle, .remoteUserTerminatedConnection),
      ])
    #expect(pair.timers[1].isEmpty)
    #expect(pair.run(.read(Served.open)) == .failure(.disconnected))
  }
}

/// A server of the test's own that answers a client's requests as it likes.
private func against(
  _ procedure: ClientProcedure, _ answers: [ATTPDU]
) -> (result: Result<ClientResult, ClientFailure>?, requests: [ATTPDU], violations: Int) {
  var pair = HostPair.connected()
  pair.intercept = { side, packet in side == 1 && packet.kind == .acl ? nil : packet }
  let start = attributePDUs(pair, 1).count
  pair.ask(1, .client(HostPair.handle, ClientToken(1), procedure))
  for answer in answers { pair.inject(1, .attributeProtocol, answer.encoded) }
  let result: Result<ClientResult, ClientFailure>? = pair.all(1) { event in
    if case .clientCompleted(_, _, let result) = event { return result }
    return nil
  }.last
  let violations = pair.all(1) { if case .protocolViolation = $0 { true } else { nil } }.count
  return (result, Array(attributePDUs(pair, 1).dropFirst(start)), violations)
}

private func group(_ start: UInt16, _ end: UInt16, _ value: [UInt8] = [0x0F, 0x18]) -> AttributeGroup {
  AttributeGroup(HandleRange(AttributeHandle(start), AttributeHandle(end)), value)
}

private let secondService = ATTPDU.readByGroupTypeResponse([group(1, 5)])
private let noMoreServices = ATTPDU.errorResponse(
  request: .readByGroupTypeRequest, handle: AttributeHandle(6), .attributeNotFound)

/// What servers have been seen, or can be thought, to answer against the rules.
private let lies: [(String, ClientProcedure, [ATTPDU])] = [
  ("services that go backwards", .discoverAll, [.readByGroupTypeResponse([group(5, 9), group(1, 2)])]),
  ("the same service again", .discoverAll, [secondService, secondService]),
  ("a service that ends before it starts", .discoverAll, [.readByGroupTypeResponse([group(5, 4)])]),
  ("a service type of three octets", .discoverAll, [.readByGroupTypeResponse([group(1, 4, [1, 2, 3])])]),
  ("an error for another request", .discoverAll, [.errorResponse(request: .readRequest, handle: .first, .invalidPDU)]),
  (
    "a characteristic outside its service", .discoverAll,
    [
      secondService, noMoreServices,
      .readByTypeResponse([AttributeValue(AttributeHandle(2), [2, 9, 0, 0x19, 0x2A])]),
    ]
  ),
  (
    "a characteristic's value before its declaration", .discoverAll,
    [
      secondService, noMoreServices,
      .readByTypeResponse([AttributeValue(AttributeHandle(3), [2, 2, 0, 0x19, 0x2A])]),
    ]
  ),
  (
    "a declaration of six octets", .discoverAll,
    [
      secondService, noMoreServices,
      .readByTypeResponse([AttributeValue(AttributeHandle(2), [2, 3, 0, 0x19, 0x2A, 0])]),
    ]
  ),
  (
    "a descriptor outside its characteristic", .discoverAll,
    [
      secondService, noMoreServices,
      .readByTypeResponse([AttributeValue(AttributeHandle(2), [2, 3, 0, 0x19, 0x2A])]),
      .errorResponse(request: .readByTypeRequest, handle: AttributeHandle(4), .attributeNotFound),
      .findInformationResponse([AttributeInformation(AttributeHandle(9), BluetoothUUID(0x2902))]),
    ]
  ),
  (
    "services found by type that go backwards", .discoverService(BluetoothUUID(0x180F)),
    [.findByTypeValueResponse([HandleRange(AttributeHandle(5), AttributeHandle(4))])]
  ),
  ("another kind of response", .read(AttributeHandle(3)), [.writeResponse]),
  ("a blob where a value was asked for", .read(AttributeHandle(3)), [.readBlobResponse([1])]),
  (
    "values by type that go backwards", .readByType(BluetoothUUID(0x2A19), .first, .last),
    [.readByTypeResponse([AttributeValue(AttributeHandle(4), [1]), AttributeValue(AttributeHandle(3), [1])])]
  ),
  (
    "another echo of a prepared write", .write(AttributeHandle(3), Array(repeating: 1, count: 30)),
    [.prepareWriteResponse(AttributeHandle(3), offset: 0, Array(repeating: 2, count: 18)), .executeWriteResponse]
  ),
]

@Suite struct ClientAgainstLiars {
  @Test(arguments: lies.indices) func aLieFailsTheProcedure(_ index: Int) {
    let (name, procedure, answers) = lies[index]
    let told = against(procedure, answers)
    guard case .failure(.malformedResponse)? = told.result else {
      Issue.record("\(name): \(String(describing: told.result))")
      return
    }
    #expect(told.violations == 1, "\(name)")
  }

  @Test func anEndlessValueEnds() {
    let full = ATTPDU.readBlobResponse(Array(repeating: 1, count: 22))
    let told = against(
      .read(AttributeHandle(3)), [.readResponse(Array(repeating: 1, count: 22))] + Array(repeating: full, count: 30))
    guard case .failure(.malformedResponse)? = told.result else {
      Issue.record("\(String(describing: told.result))")
      return
    }
    #expect(told.requests.count < 30)
  }

  @Test func anotherEchoGivesTheQueueUp() {
    let echo = ATTPDU.prepareWriteResponse(AttributeHandle(3), offset: 0, Array(repeating: 2, count: 18))
    let told = against(.write(AttributeHandle(3), Array(repeating: 1, count: 30)), [echo])
    #expect(told.requests.last == .executeWriteRequest(commits: false))
    #expect(told.result == nil)
  }

  @Test func aRefusedPartGivesTheQueueUp() {
    let refusal = ATTPDU.errorResponse(request: .prepareWriteRequest, handle: AttributeHandle(3), .prepareQueueFull)
    let told = against(.write(AttributeHandle(3), Array(repeating: 1, count: 30)), [refusal, .executeWriteResponse])
    #expect(told.result == .failure(.refused(.prepareQueueFull, AttributeHandle(3))))
    #expect(told.requests.last == .executeWriteRequest(commits: false))
  }

  @Test func responsesToNothingAreSaidAndPassedOver() {
    var pair = HostPair.connected()
    for response in [ATTPDU.readResponse([1]), .writeResponse, .exchangeMTUResponse(100), .confirmation] {
      pair.inject(1, .attributeProtocol, response.encoded)
    }
    #expect(pair.all(1) { if case .protocolViolation = $0 { true } else { nil } }.count == 4)
    #expect(pair.run(.read(Served.open)) == .success(.value([84])))
  }

  @Test func aServerWithoutMTUExchangeHasTheDefault() {
    let refusal = ATTPDU.errorResponse(request: .exchangeMTURequest, handle: AttributeHandle(0), .requestNotSupported)
    #expect(against(.exchangeMaximumTransmissionUnit, [refusal]).result == .success(.maximumTransmissionUnit(23)))
    #expect(
      against(.exchangeMaximumTransmissionUnit, [.exchangeMTUResponse(10)]).result
        == .success(.maximumTransmissionUnit(23)))
  }

  @Test func aValueThatEndsWithItsPartIsWhole() {
    let value = Array(repeating: UInt8(1), count: 22)
    for code in [ATTErrorCode.invalidOffset, .attributeNotLong] {
      let end = ATTPDU.errorResponse(request: .readBlobRequest, handle: AttributeHandle(3), code)
      #expect(against(.read(AttributeHandle(3)), [.readResponse(value), end]).result == .success(.value(value)))
    }
  }
}
