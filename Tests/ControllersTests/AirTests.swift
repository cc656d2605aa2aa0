import Bytes
import Controllers
import HCI
import Testing
import Timeline

@Suite struct Advertising {
  @Test func pitfall19AnEventIsThreePDUsAndComesZeroToTenMillisecondsLate() {
    let pair = Pair()
    let sniffer = Sniffer(pair.air)
    pair.peripheral.advertise(intervalUnits: 200)
    pair.run(.seconds(60))
    let events = sniffer.advertising
    #expect(events.map(\.channel).prefix(6) == [37, 38, 39, 37, 38, 39])
    let starts = events.filter { $0.channel == 37 }.map(\.instant)
    let delays = zip(starts, starts.dropFirst()).map { $0.duration(to: $1) - .milliseconds(125) }
    #expect(delays.allSatisfy { $0 >= .zero && $0 < .milliseconds(10) })
    #expect(delays.contains { $0 < .milliseconds(2) })
    #expect(delays.contains { $0 > .milliseconds(8) })
    // All of an event within 10 ms (4.4.2.3); 3 octets of data make a PDU of 152 µs.
    let last = events.filter { $0.channel == 39 }.map(\.instant)
    #expect(zip(starts, last).allSatisfy { $0.duration(to: $1) < .milliseconds(10) })
    #expect(sniffer.observations.allSatisfy { $0.microseconds == 152 })
  }

  @Test func anActiveScannerGetsDataAndScanResponse() throws {
    let pair = Pair()
    pair.peripheral.advertise()
    pair.central.scan(filterDuplicates: true)
    pair.run(.seconds(2))
    #expect(pair.central.reports.map(\.kind) == [.connectableUndirected, .scanResponse])
    #expect(pair.central.reports.map(\.data) == [[2, 1, 6], [3, 3, 5, 24]])
    #expect(pair.central.reports.allSatisfy { $0.address == pair.peripheral.address && $0.signalStrength == -40 })
  }

  @Test func aPassiveScannerAsksNothingAndHearsEveryEventInAFullWindow() {
    let pair = Pair()
    pair.peripheral.advertise(intervalUnits: 160)
    pair.central.scan(isActive: false)
    pair.run(.seconds(60))
    let reports = pair.central.reports
    #expect(reports.allSatisfy { $0.kind == .connectableUndirected })
    // 100 ms and 5 ms on average: about 571 events.
    #expect((550...590).contains(reports.count))
  }

  @Test func aNarrowWindowHearsInProportion() {
    let pair = Pair()
    pair.peripheral.advertise(intervalUnits: 32)
    pair.central.scan(isActive: false, intervalUnits: 1600, windowUnits: 160)
    pair.run(.seconds(120))
    // 100 ms of each second, events of 25 ms on average: 480.
    #expect((380...520).contains(pair.central.reports.count))
  }

  @Test(arguments: [
    (LEAdvertisingParameters.Kind.scannableUndirected, LEAdvertisingReport.Kind.scannableUndirected, true),
    (.nonConnectable, .nonConnectable, false),
  ]) func kindsThatCannotBeConnectedToAreReportedAsSuch(
    _ kind: LEAdvertisingParameters.Kind, _ reported: LEAdvertisingReport.Kind, _ isScannable: Bool
  ) {
    let pair = Pair()
    pair.peripheral.advertise(intervalUnits: 160, kind)
    pair.central.scan()
    pair.central.connect(to: pair.peripheral.address, Pair.timing())
    pair.run(.seconds(2))
    #expect(pair.central.reports.first?.kind == reported)
    #expect(pair.central.connections.isEmpty)
    #expect(pair.central.reports.contains { $0.kind == .scanResponse } == isScannable)
  }

  @Test func directedAdvertisingIsForOneDeviceAndGivesUp() {
    let pair = Pair()
    let stranger = BluetoothAddress(0xC000_0000_0009, .random)
    func direct(_ peer: BluetoothAddress) {
      pair.peripheral.send(
        .leSetAdvertisingParameters(
          LEAdvertisingParameters(intervalUnits: 0, kind: .connectableDirectedHighDuty, peerAddress: peer)))
      pair.peripheral.send(.leSetAdvertisingEnable(true))
    }
    direct(stranger)
    pair.central.connect(to: pair.peripheral.address, Pair.timing())
    pair.run(.seconds(2))
    #expect(pair.peripheral.connections.map(\.status) == [.advertisingTimeout])
    #expect(pair.central.connections.isEmpty)
    direct(pair.central.address)
    pair.run(.milliseconds(50))
    #expect(pair.central.connections.map(\.status) == [.success])
  }

  @Test func onlyListedDevicesConnectWhereTheListDecides() {
    let pair = Pair()
    var parameters = LEAdvertisingParameters(intervalUnits: 160)
    parameters.filterPolicy = 3
    pair.peripheral.send(.leSetAdvertisingParameters(parameters))
    pair.peripheral.send(.leSetAdvertisingEnable(true))
    pair.central.connect(to: pair.peripheral.address, Pair.timing())
    pair.run(.seconds(2))
    #expect(pair.peripheral.connections.isEmpty)
    pair.peripheral.send(.leAddDeviceToFilterAcceptList(.device(pair.central.address)))
    pair.run(.milliseconds(5))
    #expect(pair.peripheral.answer(.leAddDeviceToFilterAcceptList) == .failure(.commandDisallowed))
    pair.peripheral.send(.leSetAdvertisingEnable(false))
    pair.peripheral.send(.leAddDeviceToFilterAcceptList(.device(pair.central.address)))
    pair.peripheral.send(.leSetAdvertisingEnable(true))
    pair.central.forget()
    pair.central.connect(to: pair.peripheral.address, Pair.timing())
    pair.run(.seconds(2))
    #expect(pair.peripheral.connections.map(\.status) == [.success])
  }

  @Test func pitfall19TwoActiveScannersBackOffAndBothGetTheirAnswers() {
    let pair = Pair()
    let other = TestHost("other phone", .phone, on: pair.air, address: 0xC000_0000_0003)
    other.setUp()
    pair.run(.milliseconds(10))
    pair.peripheral.advertise(intervalUnits: 32)
    pair.central.scan()
    other.scan()
    pair.run(.seconds(20))
    for host in [pair.central, other] {
      let asked = host.reports.filter { $0.kind == .connectableUndirected }.count
      let answered = host.reports.filter { $0.kind == .scanResponse }.count
      #expect(answered > 20)
      #expect(answered < asked)
    }
  }

  @Test func overlappingAdvertisingIsSpoiledWhereCollisionsCount() {
    func reports(collisions: Bool) -> Int {
      let pair = Pair()
      pair.air.collisions = collisions
      for index in 0..<100 {
        let host = TestHost("a\(index)", .recorder, on: pair.air, address: 0xC000_0000_0100 + UInt64(index))
        host.setUp()
        host.advertise(intervalUnits: 32, .nonConnectable)
      }
      pair.central.scan(isActive: false)
      pair.run(.seconds(10))
      return pair.central.reports.count
    }
    let clear = reports(collisions: false)
    let crowded = reports(collisions: true)
    // 100 advertisers, 152 µs every 25 ms: about 100 * 2 * 152 / 25,000 overlap, which spares 30 %.
    #expect(crowded > clear / 5)
    #expect(crowded < clear / 2)
  }

  @Test func ofTwoCentralsOneGetsTheConnectionAndTheOtherFailsToEstablishIt() {
    let pair = Pair()
    let other = TestHost("other phone", .phone, on: pair.air, address: 0xC000_0000_0003)
    other.setUp()
    pair.central.connect(to: pair.peripheral.address, Pair.timing())
    other.connect(to: pair.peripheral.address, Pair.timing())
    pair.run(.milliseconds(10))
    pair.peripheral.advertise()
    pair.run(.seconds(1))
    #expect(pair.peripheral.connections.count == 1)
    let reasons = pair.central.disconnections.map(\.reason) + other.disconnections.map(\.reason)
    #expect(reasons == [.connectionFailedToBeEstablished])
  }
}

@Suite struct AirConditions {
  @Test func lossIsDrawnFromTheSeedAndRunsRepeat() {
    func run(seed: UInt64) -> [Instant] {
      let pair = Pair(seed: seed)
      pair.connect()
      pair.air.setLoss(
        from: pair.peripheral.controller, to: pair.central.controller, lostPartsPerMillion: 300_000)
      for index in 0..<50 {
        pair.peripheral.send([UInt8(index)], on: pair.peripheral.handle)
        pair.run(.milliseconds(30))
      }
      return pair.central.data.map(\.instant)
    }
    #expect(run(seed: 5) == run(seed: 5))
    #expect(run(seed: 5) != run(seed: 6))
  }

  @Test func distanceWeakensTheSignalUntilTheLinkBreaks() {
    let pair = Pair()
    pair.connect()
    var strengths: [Int8] = []
    for metres in [1, 2, 10, 100] {
      pair.air.setDistance(pair.central.controller, pair.peripheral.controller, millimetres: metres * 1000)
      pair.central.send(.readRSSI(pair.central.handle))
      pair.run(.milliseconds(5))
      if case .signalStrength(_, let strength) = pair.central.answer(.readRSSI) { strengths.append(strength) }
    }
    #expect(strengths == [-40, -46, -59, -79])
    pair.air.setDistance(pair.central.controller, pair.peripheral.controller, millimetres: 2_000_000)
    pair.run(.seconds(5))
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
  }

  @Test func aBlackoutShorterThanTheSupervisionTimeoutOnlyDelays() {
    let pair = Pair()
    pair.connect()
    pair.air.blackOut(after: .milliseconds(100), for: .seconds(1))
    pair.run(.milliseconds(200))
    pair.peripheral.send([1], on: pair.peripheral.handle)
    let sent = pair.loop.now
    pair.run(.seconds(3))
    #expect(pair.central.data.map(\.octets) == [[1]])
    #expect(pair.central.data[0].instant > sent.advanced(by: .milliseconds(880)))
    #expect(pair.central.disconnections.isEmpty)
    pair.air.blackOut(for: .seconds(3))
    pair.run(.seconds(5))
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
  }

  @Test func burstsAndInterferenceSlowALinkButLoseNothing() {
    let pair = Pair()
    pair.connect()
    pair.air.setBurstLoss(
      from: pair.peripheral.controller, to: pair.central.controller,
      BurstLoss(beginPartsPerMillion: 50_000, endPartsPerMillion: 200_000))
    pair.air.setInterference(
      Interference(period: .milliseconds(20), onTime: .milliseconds(10), corruptionPartsPerMillion: 500_000))
    for index in 0..<50 {
      pair.peripheral.send([UInt8(index)], on: pair.peripheral.handle)
      pair.run(.milliseconds(60))
    }
    pair.run(.seconds(2))
    #expect(pair.central.data.map(\.octets) == (0..<50).map { [$0] })
  }

  @Test(arguments: [
    // 20 ppm declared on either side allow 40 ppm and 16 µs since the last anchor: 56 µs after 1 s, 176 µs after 4 s.
    (Int32(50), UInt16(0), true), (50, 3, false), (-50, 3, false), (40, 3, true), (500, 0, false),
  ]) func pitfall19TheReceiveWindowWidensWithTheTimeSinceTheLastAnchor(
    _ error: Int32, _ latency: UInt16, _ survives: Bool
  ) {
    var recorder = ControllerProfile.recorder
    recorder.clockAccuracyPartsPerMillion = 20
    recorder.clockErrorPartsPerMillion = error
    var phone = ControllerProfile.phone
    phone.clockAccuracyPartsPerMillion = 20
    let pair = Pair(central: phone, peripheral: recorder)
    pair.connect(Pair.timing(intervalUnits: 800, latency: latency, supervisionTimeoutUnits: 1000))
    pair.run(.seconds(120))
    #expect(pair.central.disconnections.map(\.reason) == (survives ? [] : [.connectionTimeout]))
  }
}
