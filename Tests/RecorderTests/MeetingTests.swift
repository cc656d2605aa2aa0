import Bytes
import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

/// What a phone and a recorder owe each other besides records: time, security, bonds.
@Suite struct MeetingTests {
  private static func characteristic(_ uuid: BluetoothUUID, _ handle: UInt16) -> DiscoveredCharacteristic {
    DiscoveredCharacteristic(
      uuid: uuid, handle: AttributeHandle(handle - 1), valueHandle: AttributeHandle(handle), properties: .read)
  }

  private static func services(_ characteristics: [DiscoveredCharacteristic]) -> ClientResult {
    .services([
      DiscoveredService(
        uuid: DictofunUUID.currentTimeService, handle: AttributeHandle(9), endHandle: AttributeHandle(20),
        characteristics: characteristics)
    ])
  }

  /// Lets the phone answer what the recorder's time client asks.
  private static func serveTime(
    _ bench: inout RecorderBench, _ value: [UInt8], meanwhile: (inout RecorderBench) -> Void = { _ in }
  ) {
    guard
      case .client(_, let discovery, .discoverService(DictofunUUID.currentTimeService)) = bench.requests.last(
        where: { if case .client(_, _, .discoverService) = $0 { true } else { false } })
    else {
      Issue.record("the recorder did not look for the Current Time Service")
      return
    }
    bench.hear(
      .clientCompleted(
        RecorderBench.link, discovery, .success(services([characteristic(DictofunUUID.currentTime, 11)]))))
    guard case .client(_, let read, .read(AttributeHandle(rawValue: 11))) = bench.requests.last else {
      Issue.record("the recorder did not read the time")
      return
    }
    meanwhile(&bench)
    bench.hear(.clientCompleted(RecorderBench.link, read, .success(.value(value))))
  }

  @Test func clockIsSetAtEveryMeeting() throws {
    var bench = RecorderBench.connected()
    for text in ["2024-12-31 23:59:58", "2024-02-29 08:00:00"] {
      let time = try #require(CivilTime(text))
      Self.serveTime(&bench, CurrentTime(time, fractions256: 200).encoded)
      #expect(bench.recorder.body.clock.time(at: bench.now) == time)
      bench.disconnect()
      bench.run(for: .seconds(2))
      #expect(bench.recorder.body.clock.time(at: bench.now) == time.adding(seconds: 2))
      bench.connect()
    }
  }

  @Test func timeThatArrivesWhenTheButtonIsDownIsNotOldAtTheRelease() throws {
    var bench = RecorderBench.connected()
    let time = try #require(CivilTime("2024-12-31 23:59:58"))
    Self.serveTime(&bench, CurrentTime(time).encoded) { bench in
      bench.endsLinks = false
      bench.act(.pressButton)
      bench.run(for: .seconds(1))
    }
    bench.disconnect()
    bench.run(for: .seconds(20))
    bench.act(.releaseButton)
    bench.run(for: .seconds(2))
    #expect(bench.recorder.body.clock.time(at: bench.now) == time.adding(seconds: 22))
  }

  /// A month or a day of 0 is unknown (Current Time Service 1.1, 3.1.2.1), and there is no month 13.
  @Test(
    arguments: [
      [], [1, 2, 3], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xE8, 7, 13, 1, 0, 0, 0, 0, 0, 0],
      [0xE8, 7, 0, 1, 12, 0, 0, 0, 0, 0], [0xE8, 7, 1, 0, 12, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func timeThatIsNoTimeIsNotTaken(value: [UInt8]) {
    var bench = RecorderBench.connected()
    Self.serveTime(&bench, value)
    #expect(bench.plainEvents.contains(.timeIgnored))
    #expect(bench.recorder.body.clock.time(at: .zero) == RecorderConfiguration.defaultClock)
  }

  @Test func firstCharacteristicOfTheServiceIsReadAsNordicsLoopDoes() {
    var bench = RecorderBench.connected()
    let token = ClientToken(1)
    let local = Self.characteristic(BluetoothUUID(0x2A0F), 11)
    bench.hear(
      .clientCompleted(
        RecorderBench.link, token, .success(Self.services([local, Self.characteristic(DictofunUUID.currentTime, 13)]))))
    #expect(
      bench.count { if case .client(_, _, .read(AttributeHandle(rawValue: 11))) = $0 { true } else { false } } == 1)
    let before = bench.requests.count
    bench.hear(.clientCompleted(RecorderBench.link, token, .success(Self.services([local]))))
    #expect(bench.requests.count == before, "without Current Time nothing is read")
  }

  @Test(arguments: [(true, false, 1), (true, true, 0), (false, false, 0)])
  func bondedPhoneIsAskedForEncryptionAfterASecond(isBonded: Bool, isSecured: Bool, count: Int) {
    var bench = RecorderBench.serving()
    bench.connect(isBonded: isBonded, isSecured: isSecured)
    func asked() -> Int { bench.count { if case .secure = $0 { true } else { false } } }
    bench.run(for: .milliseconds(999))
    #expect(asked() == 0)
    bench.run(for: .milliseconds(2))
    #expect(asked() == count)
  }

  @Test func failedSecurityEndsTheLink() {
    var bench = RecorderBench.serving()
    bench.connect(isSecured: false)
    bench.hear(.pairingFailed(RecorderBench.link, .confirmValueFailed, byPeer: false))
    #expect(bench.plainEvents.contains(.disconnected(.remoteUserTerminatedConnection)))
    #expect(bench.recorder.softDevice.isAdvertising)
  }

  @Test func bondsOutliveAPowerCutAndNotAnUnpairing() {
    var bench = RecorderBench.connected()
    let bond = Bond(
      identity: RecorderBench.phone, localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil,
      secureConnections: false)
    bench.hear(.bondCreated(RecorderBench.link, bond))
    bench.act(.cutPower)
    bench.act(.holdRail)
    bench.run(for: .seconds(1))
    #expect(bench.count { if case .setBonds([bond]) = $0 { true } else { false } } == 1)
    bench.connect(isBonded: true)
    bench.hear(.attributeWritten(RecorderBench.link, AttributeHandle(DictofunHandle.pairing), [0x01]))
    #expect(bench.recorder.body.bonds == [bond])
    bench.hear(.attributeWritten(RecorderBench.link, AttributeHandle(DictofunHandle.pairing), [0xAD]))
    #expect(bench.recorder.body.bonds.isEmpty)
    #expect(bench.count { if case .removeBonds(RecorderBench.phone) = $0 { true } else { false } } == 1)
    #expect(bench.recorder.softDevice.link != nil, "the link stays")
  }
}
