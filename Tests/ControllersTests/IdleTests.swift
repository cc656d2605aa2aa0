import Bytes
import Controllers
import HCI
import Testing
import Timeline

@Suite struct IdleLinks {
  @Test(arguments: [UInt16(0), 4]) func anHourOnAnIdleLinkTakesNoEvents(_ latency: UInt16) {
    let pair = Pair()
    pair.connect(Pair.timing(latency: latency))
    pair.encrypt()
    pair.run(.seconds(10))
    let before = pair.loop.eventCount
    pair.run(.seconds(3600))
    #expect(pair.loop.eventCount - before <= 2)
    pair.peripheral.send([1], on: pair.peripheral.handle)
    pair.central.send([2], on: pair.central.handle)
    pair.run(.milliseconds(200))
    #expect(pair.central.data.map(\.octets) == [[1]])
    #expect(pair.peripheral.data.map(\.octets) == [[2]])
  }

  @Test func anAdvertiserNobodyListensToTakesNoEvents() {
    let pair = Pair()
    pair.peripheral.advertise()
    pair.run(.seconds(1))
    let before = pair.loop.eventCount
    pair.run(.seconds(3600))
    #expect(pair.loop.eventCount - before <= 2)
    pair.central.scan()
    pair.run(.milliseconds(200))
    #expect(!pair.central.reports.isEmpty)
    // A scan without an advertiser costs nothing either.
    pair.peripheral.send(.leSetAdvertisingEnable(false))
    pair.run(.seconds(1))
    let quiet = pair.loop.eventCount
    pair.run(.seconds(3600))
    #expect(pair.loop.eventCount - quiet <= 2)
  }

  /// What is seen of a link on which something happens now and then, with idle events skipped or played.
  private func history(
    skipping: Bool, latency: UInt16, error: Int32, seed: UInt64
  ) -> (Pair, packets: [ConnectionPacketObservation], instants: [Instant]) {
    var phone = ControllerProfile.phone
    phone.clockErrorPartsPerMillion = error
    let pair = Pair(seed: seed, central: phone)
    if !skipping { pair.playEveryEvent() }
    pair.connect(Pair.timing(intervalUnits: 24, latency: latency, supervisionTimeoutUnits: 400))
    let sniffer = Sniffer(pair.air)
    let choices = ChoiceSource(seed: seed).stream("pauses")
    for index in 0..<40 {
      pair.run(.microseconds(Int64(choices.below(3_000_000))))
      let host = choices.below(2) == 0 ? pair.central : pair.peripheral
      host.send([UInt8(index)], on: host.handle)
    }
    pair.run(.seconds(2))
    pair.peripheral.controller.close()
    pair.run(.seconds(10))
    let data = sniffer.packets.filter { if case .data = $0.packet.payload { true } else { false } }
    return (pair, data.map(\.packet), data.map(\.observation.instant))
  }

  @Test(arguments: UInt64(0)..<8) func skippingIdleEventsChangesNothingThatAnybodyCanSee(_ seed: UInt64) {
    let latency = UInt16(seed % 4)
    let error = Int32(seed % 3) * 37 - 37
    let skipped = history(skipping: true, latency: latency, error: error, seed: seed)
    let played = history(skipping: false, latency: latency, error: error, seed: seed)
    #expect(skipped.instants == played.instants)
    #expect(skipped.packets == played.packets)
    #expect(skipped.0.central.data == played.0.central.data)
    #expect(skipped.0.peripheral.data == played.0.peripheral.data)
    #expect(skipped.0.central.events.map(\.event) == played.0.central.events.map(\.event))
    #expect(skipped.0.central.events.map(\.instant) == played.0.central.events.map(\.instant))
    #expect(skipped.0.central.disconnections.map(\.reason) == [.connectionTimeout])
    #expect(skipped.0.loop.eventCount < played.0.loop.eventCount)
    #expect(skipped.0.air.longestRadioTime == played.0.air.longestRadioTime)
  }

  /// Two empty packets on LE 1M and the spaces after them take 460 µs.
  @Test(arguments: [UInt16(0), 3]) func anIdleLinkKeepsTheRadioOnlyInTheEventsThatItAttends(_ latency: UInt16) throws {
    let pair = Pair()
    #expect(pair.air.longestRadioTime == nil)
    pair.connect(Pair.timing(intervalUnits: 24, latency: latency, supervisionTimeoutUnits: 400))
    pair.run(.seconds(10))
    let before = try #require(pair.air.longestRadioTime)
    pair.run(.seconds(3600))
    let after = try #require(pair.air.longestRadioTime)
    let events = Int64(3_600_000_000 / 30_000) / Int64(latency + 1)
    #expect(after - before == .microseconds(events * 460))
    pair.peripheral.controller.close()
    pair.run(.seconds(3600))
    #expect(pair.air.longestRadioTime == after, "a link that is over keeps no radio")
  }

  @Test func aDriftingCentralKeepsItsAnchorsExactAcrossAWeekOfSleep() throws {
    var phone = ControllerProfile.phone
    phone.clockErrorPartsPerMillion = 30
    let pair = Pair(central: phone)
    let sniffer = Sniffer(pair.air)
    pair.connect(Pair.timing(intervalUnits: 24))
    pair.run(.milliseconds(5))
    let first = try #require(sniffer.anchors.first)
    pair.run(.seconds(7 * 86_400))
    pair.central.send([1], on: pair.central.handle)
    pair.run(.milliseconds(100))
    let packet = try #require(
      sniffer.packets.first { if case .data = $0.packet.payload { true } else { false } })
    let elapsed = first.instant.duration(to: packet.observation.instant).wholeNanoseconds
    // Whole intervals of 30 ms, each longer by 900 ns.
    #expect(elapsed % 30_000_900 == 0)
    #expect(packet.packet.eventCounter == UInt16(truncatingIfNeeded: elapsed / 30_000_900))
  }
}

@Suite struct SeveralLinks {
  /// Nordic's table for eight links, 20 ms and 2.5 ms: S132 SoftDevice Specification v7.1, page 99.
  @Test(arguments: [(notify: true, write: false, 2), (true, true, 1)])
  func eightLinksGetTheirPacketsEach(_ notify: Bool, _ write: Bool, _ expected: Int) {
    let loop = EventLoop(seed: 3)
    let air = Air(loop: loop)
    var profile = softDevice(eventLengthMicroseconds: 2500, links: 8)
    profile.sharesBuffers = false
    let central = TestHost("central", profile, on: air, address: 0xC000_0000_0001)
    central.setUp()
    func run(_ duration: Duration) {
      let end = loop.now.advanced(by: duration)
      loop.schedule(at: end, .background) {}
      loop.runEvents(until: end)
    }
    var peripherals: [TestHost] = []
    for index in 0..<8 {
      let host = TestHost("p\(index)", profile, on: air, address: 0xC000_0000_0100 + UInt64(index))
      host.setUp()
      host.advertise(intervalUnits: 32)
      run(.milliseconds(10))
      central.connect(to: host.address, Pair.timing(intervalUnits: 16, supervisionTimeoutUnits: 400))
      run(.milliseconds(300))
      peripherals.append(host)
    }
    let payload = [UInt8](repeating: 1, count: 27)
    for host in peripherals where notify {
      for _ in 0..<40 { host.send(payload, on: host.handle) }
    }
    for connection in central.connections where write {
      for _ in 0..<40 { central.send(payload, on: connection.handle) }
    }
    run(.milliseconds(105))
    central.forget()
    for host in peripherals { host.forget() }
    run(.milliseconds(100))
    #expect(central.data.count == (notify ? 8 * 5 * expected : 0))
    #expect(peripherals.map(\.data.count) == [Int](repeating: write ? 5 * expected : 0, count: 8))
  }

  @Test func aRecorderServesTwoPhones() {
    var recorder = ControllerProfile.recorder
    recorder.connectionLimit = 2
    recorder.timing = .softDevice(eventLength: .milliseconds(5))
    let pair = Pair(peripheral: recorder)
    let other = TestHost("other phone", .phone, on: pair.air, address: 0xC000_0000_0003)
    other.setUp()
    pair.connect()
    pair.peripheral.send(.leSetAdvertisingEnable(true))
    other.connect(to: pair.peripheral.address, Pair.timing(intervalUnits: 17))
    pair.run(.seconds(1))
    let handles = pair.peripheral.connections.map(\.handle)
    #expect(handles.count == 2)
    for index in 0..<50 {
      for handle in handles { pair.peripheral.send([UInt8(index)], on: handle) }
      pair.run(.milliseconds(60))
    }
    pair.run(.seconds(1))
    #expect(pair.central.data.map(\.octets) == (0..<50).map { [$0] })
    #expect(other.data.map(\.octets) == (0..<50).map { [$0] })
  }
}
