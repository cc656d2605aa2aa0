import Bytes
import Controllers
import HCI
import Testing
import Timeline

@Suite struct LinkLayer {
  @Test func pitfall1ADisconnectionGivesBackAllBuffersOfItsLink() {
    var profile = ControllerProfile.phone
    profile.bufferCount = 4
    let pair = Pair(central: profile)
    pair.connect()
    pair.air.setBroken(pair.central.controller, pair.peripheral.controller, true)
    for _ in 0..<4 { pair.central.send([1], on: pair.central.handle) }
    pair.run(.seconds(5))
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
    #expect(pair.central.completedPackets == 0)
    pair.central.forget()
    pair.peripheral.forget()
    // All four buffers serve the next connection.
    pair.air.setBroken(pair.central.controller, pair.peripheral.controller, false)
    pair.connect()
    for _ in 0..<4 { pair.central.send([2], on: pair.central.handle) }
    pair.run(.milliseconds(100))
    #expect(pair.central.completedPackets == 4)
    #expect(!pair.central.events.contains { if case .dataBufferOverflow = $0.event { true } else { false } })
  }

  @Test func aHostThatSendsMoreThanThereIsRoomForIsTold() {
    var profile = ControllerProfile.phone
    profile.bufferCount = 2
    let pair = Pair(central: profile)
    pair.connect()
    for _ in 0..<3 { pair.central.send([1], on: pair.central.handle) }
    pair.run(.milliseconds(100))
    #expect(pair.central.events.contains { $0.event == .dataBufferOverflow(1) })
    #expect(pair.central.completedPackets == 2)
    #expect(pair.peripheral.data.count == 2)
  }

  @Test func pitfall9AConnectionThatIsNeverHeardFailsAfterSixIntervals() throws {
    let pair = Pair()
    let sniffer = Sniffer(pair.air)
    sniffer.afterEach = { observation in
      if case .connectionRequest = observation.content {
        pair.air.setBroken(pair.central.controller, pair.peripheral.controller, true)
      }
    }
    pair.connect(Pair.timing(intervalUnits: 40))
    pair.run(.seconds(1))
    #expect(pair.central.disconnections.map(\.reason) == [.connectionFailedToBeEstablished])
    let request = try #require(
      sniffer.observations.first { if case .connectionRequest = $0.content { true } else { false } })
    let end = request.instant.advanced(by: .microseconds(request.microseconds))
    // Six intervals of 50 ms, and the way to the host.
    #expect(pair.central.disconnections[0].instant == end.advanced(by: .microseconds(300_500)))
  }

  @Test func pitfall9AnEstablishedConnectionEndsAfterItsSupervisionTimeout() throws {
    let pair = Pair()
    pair.connect(Pair.timing(intervalUnits: 12, supervisionTimeoutUnits: 100))
    pair.run(.seconds(3))
    pair.air.setBroken(pair.central.controller, pair.peripheral.controller, true)
    let broken = pair.loop.now
    pair.run(.seconds(3))
    for host in [pair.central, pair.peripheral] {
      let end = try #require(host.disconnections.first)
      #expect(end.reason == .connectionTimeout)
      // It counts from the last packet heard, which is less than an interval before the break.
      let elapsed = broken.duration(to: end.instant)
      #expect(elapsed > .milliseconds(985))
      #expect(elapsed <= .milliseconds(1001))
    }
  }

  @Test func pitfall10TheFirstAnchorLiesInTheTransmitWindow() throws {
    let pair = Pair()
    let sniffer = Sniffer(pair.air)
    pair.playEveryEvent()
    pair.connect()
    pair.run(.milliseconds(50))
    let request = try #require(
      sniffer.observations.first { if case .connectionRequest = $0.content { true } else { false } })
    let end = request.instant.advanced(by: .microseconds(request.microseconds))
    #expect(sniffer.anchors[0].instant == end.advanced(by: .microseconds(1250)))
    #expect(sniffer.anchors[1].instant == sniffer.anchors[0].instant.advanced(by: .milliseconds(15)))
    #expect(request.microseconds == 352)
  }

  @Test func pitfall11ARetransmissionIsTheSamePacketAndNothingOvertakesIt() {
    let pair = Pair(seed: 3)
    pair.connect()
    let sniffer = Sniffer(pair.air)
    for (from, to) in [(pair.central, pair.peripheral), (pair.peripheral, pair.central)] {
      pair.air.setLoss(
        from: from.controller, to: to.controller, lostPartsPerMillion: 200_000, corruptedPartsPerMillion: 200_000)
    }
    var sent: [[UInt8]] = []
    for index in 0..<200 {
      let payload = [UInt8](repeating: UInt8(index), count: 1 + index % 60)
      sent.append(payload)
      pair.peripheral.send(payload, on: pair.peripheral.handle)
      pair.run(.milliseconds(40))
    }
    pair.run(.seconds(5))
    // Fragments joined again: everything arrived once, in order.
    var joined: [[UInt8]] = []
    for part in pair.central.data {
      if part.boundary == .firstFromController { joined.append([]) }
      joined[joined.count - 1] += part.octets
    }
    #expect(joined == sent)
    #expect(pair.peripheral.completedPackets == 200)
    var last: [Bool: ConnectionPacketObservation] = [:]
    for (_, packet) in sniffer.packets {
      if packet.isRetransmission, let before = last[packet.fromCentral] {
        #expect(packet.sequenceNumber == before.sequenceNumber)
        #expect(packet.payload == before.payload)
      }
      last[packet.fromCentral] = packet
    }
    #expect(sniffer.packets.contains { $0.packet.isRetransmission })
  }

  @Test func pitfall11AReceiverWithoutRoomLetsThePacketComeAgain() {
    var profile = ControllerProfile.recorder
    profile.receiveLimit = 1
    let pair = Pair(peripheral: profile)
    pair.connect()
    let sniffer = Sniffer(pair.air)
    for index in 0..<4 { pair.central.send([UInt8(index)], on: pair.central.handle) }
    pair.run(.milliseconds(150))
    #expect(pair.peripheral.data.map(\.octets) == [[0], [1], [2], [3]])
    #expect(Set(pair.peripheral.data.map(\.instant)).count == 4)
    #expect(sniffer.packets.contains { $0.packet.fromCentral && $0.packet.isRetransmission })
  }

  @Test func pitfall12AnEventGoesOnWhileThereIsMoreDataAndClosesAfterTwoBadPackets() throws {
    let pair = Pair()
    pair.connect()
    let sniffer = Sniffer(pair.air)
    for _ in 0..<3 { pair.central.send([1], on: pair.central.handle) }
    pair.run(.milliseconds(20))
    let event = try #require(sniffer.packets.first { $0.packet.payload != .empty }?.packet.eventCounter)
    #expect(sniffer.packets.filter { $0.packet.eventCounter == event && $0.packet.fromCentral }.count == 3)
    sniffer.forget()
    pair.lose(true, fromCentral: true, corrupting: true)
    pair.run(.milliseconds(100))
    // The first bad packet is answered and repeated; the second one closes the event.
    let counters = Set(sniffer.packets.map(\.packet.eventCounter))
    for counter in counters {
      let directions = sniffer.packets.filter { $0.packet.eventCounter == counter }.map(\.packet.fromCentral)
      #expect(directions == [true, false, true])
    }
    #expect(counters.count > 3)
    // A packet that is not noticed at all is not answered.
    sniffer.forget()
    pair.lose(true, fromCentral: true)
    pair.run(.milliseconds(100))
    #expect(sniffer.packets.allSatisfy { $0.packet.fromCentral })
  }

  @Test func pitfall18ATerminationSurvivesALostAcknowledgement() {
    for fromCentral in [true, false] {
      let pair = Pair()
      pair.connect(Pair.timing(supervisionTimeoutUnits: 50))
      pair.run(.milliseconds(100))
      let (host, other) = fromCentral ? (pair.central, pair.peripheral) : (pair.peripheral, pair.central)
      let sniffer = Sniffer(pair.air)
      sniffer.afterEach = { observation in
        guard case .connection(let packet) = observation.content, packet.payload == .control(0x02) else { return }
        // Everything that could acknowledge it is lost from now on.
        pair.lose(true, fromCentral: !fromCentral)
      }
      host.send(.disconnect(host.handle, reason: .remoteUserTerminatedConnection))
      pair.run(.seconds(2))
      #expect(host.disconnections.map(\.reason) == [.connectionTerminatedByLocalHost])
      #expect(other.disconnections.map(\.reason) == [.remoteUserTerminatedConnection])
    }
  }

  @Test func aControllerThatIsResetFallsSilentAndTheOtherEndNotices() {
    for delay in [Duration.zero, .milliseconds(3), .seconds(1)] {
      let pair = Pair()
      pair.peripheral.advertise()
      pair.central.connect(to: pair.peripheral.address, Pair.timing(supervisionTimeoutUnits: 50))
      pair.run { !pair.central.connections.isEmpty }
      pair.run(delay)
      pair.central.send(.reset)
      pair.run(.seconds(3))
      #expect(pair.central.disconnections.isEmpty)
      #expect(pair.central.answer(.reset) == .success)
      #expect(pair.peripheral.connections.count == 1)
      #expect(pair.peripheral.disconnections.count == 1)
    }
  }

  @Test func aClosedAirLeavesNothingBehind() {
    weak var controller: VirtualController?
    weak var air: Air?
    do {
      let pair = Pair()
      pair.connect()
      pair.central.send([1], on: pair.central.handle)
      pair.run(.milliseconds(100))
      (controller, air) = (pair.central.controller, pair.air)
      pair.air.close()
      pair.run(.seconds(5))
      #expect(pair.loop.eventCount > 0)
      #expect(pair.peripheral.disconnections.isEmpty)
    }
    #expect(controller == nil)
    #expect(air == nil)
  }

  @Test func aLoopThatEndsClosesItsAir() {
    weak var loop: EventLoop?
    weak var air: Air?
    do {
      let pair = Pair()
      pair.connect()
      (loop, air) = (pair.loop, pair.air)
      pair.loop.discardEvents()
    }
    #expect(loop == nil)
    #expect(air == nil)
  }

  @Test func packetsOfOneConnectionEventReachTheHostAtOneInstant() {
    var profile = ControllerProfile.recorder
    profile.bufferCount = 6
    let pair = Pair(peripheral: profile)
    pair.connect()
    for index in 0..<6 { pair.peripheral.send([UInt8(index)], on: pair.peripheral.handle) }
    pair.run(.milliseconds(50))
    #expect(pair.central.data.map(\.octets) == (0..<6).map { [$0] })
    #expect(Set(pair.central.data.map(\.instant)).count == 1)
    let completed = pair.peripheral.events.filter {
      if case .numberOfCompletedPackets = $0.event { true } else { false }
    }
    #expect(completed.count == 1)
    #expect(pair.peripheral.completedPackets == 6)
    #expect(completed.first?.instant == pair.central.data.first?.instant)
  }
}
