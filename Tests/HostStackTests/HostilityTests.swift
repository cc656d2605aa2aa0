import Bytes
import HCI
import HostStack
import Packets
import Testing

private let channels: [ChannelIdentifier] = [
  .attributeProtocol, .signalling, .securityManager, ChannelIdentifier(rawValue: 0x0040),
]

/// A pair whose applications answer whatever they are asked.
private func obliging(seed: UInt64, secure: Bool) -> HostPair {
  var pair = HostPair.pairable(seed: seed, secure: secure) { $1.pairingPolicy = .ask }
  pair.application = { _, event in
    switch event {
    case .readRequested(let handle, let token, _, _): [.answerRead(handle, token, .success([1, 2, 3]))]
    case .writeRequested(let handle, let token, _, _): [.answerWrite(handle, token, nil)]
    case .pairingRequested(let handle, _, _): [.answerPairing(handle, accepted: true)]
    case .securityRequested(let handle): [.secure(handle)]
    default: []
    }
  }
  return pair
}

/// Whether both hosts still do their work: on this link, or where the attack ended it, on the next.
private func works(_ pair: inout HostPair) -> Bool {
  let isConnected = pair.controllers.sides[0].isConnected
  if !isConnected { pair.connect() }
  pair.intercept = { $1 }
  // An attack may leave a procedure waiting for an answer that never comes.
  pair.fire(0, .seconds(30))
  pair.fire(1, .seconds(30))
  pair.reconnect()
  return pair.run(.read(Served.application)) == .success(.value([1, 2, 3]))
    && pair.run(.read(AttributeHandle(3)), by: 0) == .success(.value([1, 2, 3]))
}

@Suite struct Hostility {
  @Test("random octets on every channel", arguments: [UInt64](1...6)) func randomOctets(_ seed: UInt64) {
    var random = RandomOctets(seed: seed)
    var pair = obliging(seed: seed, secure: seed % 2 == 0)
    for _ in 0..<1_500 {
      let channel = channels[Int(random.next() % 4)]
      var octets = random.bytes(Int(random.next() % 70))
      if !octets.isEmpty, random.next() % 4 != 0 { octets[0] %= channel == .attributeProtocol ? 0x24 : 0x18 }
      if octets.count > 4, channel == .attributeProtocol { octets[2] = 0 }
      pair.inject(Int(random.next() % 2), channel, octets)
    }
    #expect(works(&pair))
  }

  @Test("random ACL packets, whole and in pieces", arguments: [UInt64](1...3)) func randomPackets(_ seed: UInt64) {
    var random = RandomOctets(seed: seed)
    var pair = obliging(seed: seed, secure: true)
    for _ in 0..<3_000 {
      let octets = random.bytes(Int(random.next() % 40))
      let boundary = PacketBoundary(rawValue: UInt8(random.next() % 4)) ?? .continuing
      let packet = ACLPacket(HostPair.handle, boundary, octets)
      pair.give(Int(random.next() % 2), .packet(packet.packet))
    }
    // The next honest frame may still be taken for the end of a broken one.
    pair.inject(0, .signalling, [])
    pair.inject(1, .signalling, [])
    #expect(works(&pair))
  }

  @Test("the frames of an honest session, repeated, reordered, cut and changed", arguments: [UInt64](1...6))
  func reorderedFrames(_ seed: UInt64) {
    var honest = obliging(seed: 9, secure: seed % 2 == 0)
    honest.ask(1, .secure(HostPair.handle))
    _ = honest.run(.exchangeMaximumTransmissionUnit)
    _ = honest.run(.discoverAll)
    _ = honest.run(.subscribe(Served.longConfiguration, .notifications))
    _ = honest.run(.write(Served.long, Array(repeating: 3, count: 300)))
    honest.ask(0, .notify(HostPair.handle, NotificationTicket(1), Served.long, [1]))
    honest.ask(0, .updateParameters(HostPair.handle, HostPair.parameters))
    let frames = (0...1).map { side in
      honest.sent[side].compactMap { packet -> L2CAPFrame? in
        guard packet.kind == .acl, let data = try? ACLPacket(decoding: packet.bytes) else { return nil }
        return try? L2CAPFrame(decoding: data.payload)
      }
    }
    var random = RandomOctets(seed: seed)
    var pair = obliging(seed: seed, secure: seed % 2 == 0)
    for step in 0..<600 {
      if step % 97 == 0 { pair.ask(1, .secure(HostPair.handle)) }
      if step % 61 == 0 { pair.ask(1, .client(HostPair.handle, ClientToken(UInt32(step)), .discoverAll)) }
      let sender = Int(random.next() % 2)
      var frame = frames[sender][Int(random.next() % UInt64(frames[sender].count))]
      switch random.next() % 4 {
      case 0: frame.payload = Array(frame.payload.prefix(Int(random.next() % UInt64(frame.payload.count + 1))))
      case 1 where !frame.payload.isEmpty:
        frame.payload[Int(random.next() % UInt64(frame.payload.count))] ^= UInt8(1 << (random.next() % 8))
      default: break
      }
      pair.inject(1 - sender, frame.channel, frame.payload)
    }
    #expect(works(&pair))
  }

  @Test("a peer that asks without taking the answers loses its link") func askingWithoutListening() {
    var quirks = ControllerPair.Quirks()
    quirks.holdsCompletions = true
    var pair = HostPair.connected(quirks: [quirks, .init()])
    for _ in 0..<1_000 { pair.inject(0, .attributeProtocol, ATTPDU.readRequest(Served.open).encoded) }
    #expect(pair.events[0].last == .disconnected(HostPair.handle, .connectionTerminatedByLocalHost))
    #expect(pair.events[1].last == .disconnected(HostPair.handle, .remoteDeviceTerminatedDueToLowResources))
    #expect(pair.controllers.sides[0].commands.filter { $0.opcode == .disconnect }.count == 1)
  }

  @Test("timers that were stopped or started anew fire into nothing") func lateTimers() {
    var pair = obliging(seed: 4, secure: true)
    pair.ask(1, .secure(HostPair.handle))
    _ = pair.run(.discoverAll)
    _ = pair.run(.subscribe(Served.secretConfiguration, .indications))
    pair.ask(0, .indicate(HostPair.handle, NotificationTicket(1), Served.secret, [1]))
    pair.ask(0, .updateParameters(HostPair.handle, HostPair.parameters))
    let before = pair.events
    for side in 0...1 {
      #expect(pair.startedTimers[side].count > 10)
      #expect(pair.timers[side].isEmpty)
      for token in pair.startedTimers[side] { pair.give(side, .timerFired(token)) }
    }
    #expect(pair.events == before)
    // Neither bearer is dead.
    #expect(pair.run(.read(Served.open)) == .success(.value([84])))
    #expect(pair.run(.read(AttributeHandle(3)), by: 0) == .success(.value([1, 2, 3])))
  }

  /// Timers for nobody; chance that nobody asked for.
  @Test func strayInputsAreDropped() {
    var pair = obliging(seed: 1, secure: true)
    for kind in UInt8(0)...20 {
      for connection in [HostPair.handle.rawValue, 0xFFFF, 3] {
        for generation in UInt32(0)...3 {
          let token = TimerToken(owner: .host, kind: kind, connection: connection, generation: generation)
          pair.give(0, .timerFired(token))
        }
      }
    }
    pair.give(0, .timerFired(TimerToken(owner: .application, kind: 3)))
    pair.give(0, .entropy(token: 99, bytes: [1, 2]))
    #expect(pair.events[0].count == 2)
    #expect(works(&pair))
  }

  /// Requests for connections that are not there come to nothing, or to the failure their documentation names.
  @Test func requestsForNobody() {
    var pair = HostPair.connected()
    let nobody = ConnectionHandle(0x0EFF)
    let before = pair.events[0].count
    for request: HostRequest in [
      .disconnect(nobody, .remoteUserTerminatedConnection), .updateParameters(nobody, HostPair.parameters),
      .answerParameterUpdate(nobody, identifier: 1, accepted: true), .setDataLength(nobody, octets: 251),
      .setPHY(nobody, .le2M), .readSignalStrength(nobody), .secure(nobody), .answerPairing(nobody, accepted: true),
      .answerRead(nobody, AccessToken(1), .success([])), .answerWrite(nobody, AccessToken(1), nil),
      .setValue(AttributeHandle(0), [1]), .setValue(AttributeHandle(0xFFFF), [1]), .setValue(Served.vendorService, [1]),
      .cancelConnect, .removeBonds(HostPair.centralAddress),
      .answerPairing(HostPair.handle, accepted: true), .answerRead(HostPair.handle, AccessToken(1), .success([])),
      .answerParameterUpdate(HostPair.handle, identifier: 3, accepted: true),
    ] {
      pair.ask(0, request)
    }
    #expect(pair.events[0].count == before)
    #expect(pair.run(.readByType(vendorUUID, .first, .last)) != nil)
  }
}

@Suite struct Snapshots {
  /// A machine is a value: a copy taken at any moment goes on like the original, and neither disturbs the other.
  @Test(arguments: [false, true]) func aCopyGoesOnLikeTheOriginal(_ secure: Bool) {
    for step in 1...14 {
      var pair = HostPair.pairable(seed: 5, secure: secure)
      var left = step
      // The world stops after so many packets of the pairing.
      var frozen: [(Int, HCIPacket)] = []
      pair.intercept = { side, packet in
        guard packet.kind == .acl else { return packet }
        left -= 1
        if left >= 0 { return packet }
        frozen.append((side, packet))
        return nil
      }
      pair.ask(1, .secure(HostPair.handle))
      let thawed = frozen
      pair.intercept = { $1 }
      var copy = pair
      for (side, packet) in thawed { pair.below { controllers, up in controllers.take(packet, from: side, up) } }
      let between = copy.events.map(\.count)
      for (side, packet) in thawed { copy.below { controllers, up in controllers.take(packet, from: side, up) } }
      #expect(between[0] < copy.events[0].count || thawed.isEmpty)
      #expect(pair.events == copy.events)
      #expect(pair.sent == copy.sent)
      #expect(pair.bondsMade(0).count == 1)
      #expect(pair.bondsMade(1).count == 1)
    }
  }
}
