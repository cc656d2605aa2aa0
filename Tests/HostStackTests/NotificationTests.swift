import Bytes
import HCI
import HostStack
import Packets
import Testing

private let ticket = NotificationTicket(7)

private func refusals(_ pair: HostPair) -> [NotificationRefusal] {
  pair.all(0) { if case .notificationRefused(_, ticket, let refusal) = $0 { refusal } else { nil } }
}

@Suite struct Notifications {
  @Test("GATT/SR/GAN/BV-01-C: a notification reaches the client and is reported as sent")
  func notified() {
    var pair = HostPair.connected()
    #expect(pair.run(.subscribe(Served.longConfiguration, .notifications)) == .success(.written))
    #expect(pair.events[0].last == .subscriptionChanged(HostPair.handle, Served.long, .notifications, .written))
    pair.ask(0, .notify(HostPair.handle, ticket, Served.long, ArraySlice(0..<20)))
    #expect(pair.events[1].last == .notificationReceived(HostPair.handle, Served.long, ArraySlice(0..<20)))
    #expect(pair.events[0].last == .notificationTransmitted(HostPair.handle, ticket))
    // What does not fit is left out.
    pair.ask(0, .notify(HostPair.handle, ticket, Served.long, ArraySlice(0..<40)))
    #expect(pair.events[1].last == .notificationReceived(HostPair.handle, Served.long, ArraySlice(0..<20)))
  }

  @Test("a notification is taken up to the MTU, and one that is longer or cut off is a violation")
  func taken() {
    var pair = HostPair.connected()
    for count in [0, 1, 20] {
      let value = [UInt8](repeating: 7, count: count)
      pair.inject(1, .attributeProtocol, [0x1B, 0x34, 0x12] + value)
      #expect(pair.events[1].last == .notificationReceived(HostPair.handle, AttributeHandle(0x1234), value[...]))
    }
    let before = pair.events[1].count
    for pdu in [[0x1B, 0x34, 0x12] + [UInt8](repeating: 7, count: 21), [0x1B, 0x34], [0x1B]] {
      // In one packet, as a transfer's are.
      let frame = L2CAPFrame(.attributeProtocol, pdu).encoded
      pair.give(1, .packet(ACLPacket(HostPair.handle, .firstFromController, frame).packet))
    }
    let violations = pair.events[1].dropFirst(before)
    #expect(violations.count == 3)
    #expect(violations.allSatisfy { if case .protocolViolation = $0 { true } else { false } })
  }

  @Test("transmitted is said when the controller reports the last fragment, not before")
  func transmitted() {
    var quirks = ControllerPair.Quirks()
    quirks.holdsCompletions = true
    var pair = HostPair.connected(quirks: [quirks, .init()])
    _ = pair.run(.exchangeMaximumTransmissionUnit)
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    pair.below { controllers, up in controllers.complete(0, up) }
    pair.ask(0, .notify(HostPair.handle, ticket, Served.long, ArraySlice(repeating: 1, count: 60)))
    let received = ArraySlice<UInt8>(repeating: 1, count: 60)
    #expect(pair.events[1].last == .notificationReceived(HostPair.handle, Served.long, received))
    let entry = { (count: UInt16) in Event.numberOfCompletedPackets([CompletedPackets(HostPair.handle, count)]).packet }
    pair.give(0, .packet(entry(2)))
    #expect(pair.events[0].last != .notificationTransmitted(HostPair.handle, ticket))
    pair.give(0, .packet(entry(1)))
    #expect(pair.events[0].last == .notificationTransmitted(HostPair.handle, ticket))
  }

  @Test func refusedWhereNotWanted() {
    var pair = HostPair.connected()
    pair.ask(0, .notify(HostPair.handle, ticket, Served.long, [1]))
    pair.ask(0, .notify(HostPair.handle, ticket, Served.open, [1]))
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [1]))
    pair.ask(0, .notify(ConnectionHandle(9), ticket, Served.long, [1]))
    pair.ask(0, .indicate(ConnectionHandle(9), ticket, Served.long, [1]))
    #expect(refusals(pair) == [.notEnabled, .notEnabled, .notEnabled, .noConnection, .noConnection])
  }

  @Test func theQueueHasAnEnd() {
    var quirks = ControllerPair.Quirks()
    quirks.holdsCompletions = true
    var pair = HostPair.connected(quirks: [quirks, .init()])
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    for _ in 0..<200 { pair.ask(0, .notify(HostPair.handle, ticket, Served.long, [1])) }
    // One buffer holds the answer to the subscription, three hold notifications.
    #expect(refusals(pair) == Array(repeating: .queueFull, count: 200 - 3 - 64))
    while pair.controllers.sides[0].heldCompletions > 0 {
      pair.below { controllers, up in controllers.complete(0, up) }
    }
    #expect(pair.all(0) { if case .notificationTransmitted = $0 { true } else { nil } }.count == 67)
    #expect(pair.all(1) { if case .notificationReceived = $0 { true } else { nil } }.count == 67)
  }

  @Test("Pitfall 21: notifications may come before a write's response")
  func notificationsBeforeTheResponse() {
    var pair = HostPair.connected()
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    pair.application = { side, event in
      guard side == 0, case .writeRequested(let handle, let token, _, _) = event else { return [] }
      return [.notify(handle, ticket, Served.long, [1]), .answerWrite(handle, token, nil)]
    }
    #expect(pair.run(.write(Served.application, [1])) == .success(.written))
    let order = pair.events[1].suffix(2)
    #expect(order.first == .notificationReceived(HostPair.handle, Served.long, [1]))
  }

  @Test("GATT/SR/GAI/BV-01-C: an indication is confirmed, one at a time")
  func indicated() {
    var pair = HostPair.connected()
    _ = pair.run(.subscribe(Served.secretConfiguration, .indications))
    pair.intercept = { side, packet in side == 1 && packet.kind == .acl ? nil : packet }
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [1]))
    #expect(pair.events[1].last == .indicationReceived(HostPair.handle, Served.secret, [1]))
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [2]))
    #expect(refusals(pair) == [.indicationPending])
    pair.inject(0, .attributeProtocol, ATTPDU.confirmation.encoded)
    #expect(pair.events[0].last == .indicationConfirmed(HostPair.handle, ticket))
    #expect(pair.timers[0].isEmpty)
  }

  @Test("Pitfall 21: an indication without confirmation for 30 s kills the bearer")
  func notConfirmed() {
    var pair = HostPair.connected()
    _ = pair.run(.subscribe(Served.secretConfiguration, [.indications, .notifications]))
    pair.intercept = { side, packet in side == 1 && packet.kind == .acl ? nil : packet }
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [1]))
    pair.fire(0, .seconds(30))
    pair.ask(0, .notify(HostPair.handle, ticket, Served.secret, [1]))
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [1]))
    #expect(refusals(pair) == [.confirmationTimeout, .noConnection, .noConnection])
    #expect(pair.run(.read(AttributeHandle(3)), by: 0) == .failure(.timeout))
  }

  @Test func anIndicationOfALostLinkIsRefused() {
    var pair = HostPair.connected()
    _ = pair.run(.subscribe(Served.secretConfiguration, .indications))
    pair.intercept = { side, packet in side == 1 && packet.kind == .acl ? nil : packet }
    pair.ask(0, .indicate(HostPair.handle, ticket, Served.secret, [1]))
    pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    // The confirmation got lost with the link, so it is never reported as sent.
    pair.fire(1, .seconds(1))
    #expect(refusals(pair) == [.noConnection])
    #expect(pair.timers[0].isEmpty)
  }
}
