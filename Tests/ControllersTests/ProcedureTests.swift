import Bytes
import Controllers
import HCI
import Testing
import Timeline

private func profile(_ base: ControllerProfile, without features: LEFeatures) -> ControllerProfile {
  var profile = base
  profile.features.subtract(features)
  return profile
}

private func has(_ host: TestHost, _ event: Event) -> Bool { host.events.contains { $0.event == event } }

@Suite struct Procedures {
  @Test func featuresAndVersionsAreExchanged() {
    let pair = Pair(peripheral: profile(.recorder, without: .phy2M))
    pair.connect()
    pair.central.send(.leReadRemoteFeatures(pair.central.handle))
    pair.central.send(.readRemoteVersionInformation(pair.central.handle))
    pair.peripheral.send(.leReadRemoteFeatures(pair.peripheral.handle))
    pair.peripheral.send(.readRemoteVersionInformation(pair.peripheral.handle))
    pair.run(.milliseconds(200))
    let phone = ControllerProfile.phone.features
    #expect(
      has(pair.central, .leReadRemoteFeaturesComplete(.success, pair.central.handle, phone.subtracting(.phy2M))))
    #expect(has(pair.peripheral, .leReadRemoteFeaturesComplete(.success, pair.peripheral.handle, phone)))
    let version = RemoteVersion(version: 9, company: 0x0059, subversion: 0x0100)
    #expect(has(pair.central, .readRemoteVersionInformationComplete(.success, pair.central.handle, version)))
  }

  @Test func pitfall13AnUpdateTakesEffectAtAnInstantSixEventsAheadOnBothEnds() throws {
    let pair = Pair()
    pair.connect(Pair.timing(intervalUnits: 80))
    pair.playEveryEvent()
    let sniffer = Sniffer(pair.air)
    pair.run(.seconds(1))
    pair.central.send(.leConnectionUpdate(pair.central.handle, Pair.timing(intervalUnits: 12)))
    pair.run(.seconds(2))
    let link = LELinkParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 200)
    for host in [pair.central, pair.peripheral] {
      #expect(has(host, .leConnectionUpdateComplete(.success, host.handle, link)))
    }
    let told = try #require(
      sniffer.packets.first { $0.packet.payload == .control(0x00) }?.packet.eventCounter)
    let anchors = sniffer.anchors
    let intervals = zip(anchors, anchors.dropFirst()).map { ($1.event, $0.instant.duration(to: $1.instant)) }
    // From 100 ms down to 15 ms takes six events of 100 ms.
    let first = try #require(intervals.first { $0.1 == .milliseconds(15) })
    #expect(first.0 == told + 7)
    #expect(intervals.allSatisfy { $0.1 == (Int($0.0) >= Int(first.0) ? .milliseconds(15) : .milliseconds(100)) })
  }

  @Test func pitfall13AnInstantThatHasPassedEndsTheLink() {
    let pair = Pair()
    pair.connect()
    pair.run(.milliseconds(100))
    // The announcement is lost until its instant is over; the schedule itself does not change.
    pair.lose(true, fromCentral: true)
    pair.central.send(.leConnectionUpdate(pair.central.handle, Pair.timing(supervisionTimeoutUnits: 300)))
    pair.run(.milliseconds(200))
    pair.lose(false, fromCentral: true)
    pair.run(.seconds(4))
    #expect(pair.peripheral.disconnections.map(\.reason) == [.instantPassed])
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
  }

  @Test func aPeripheralThatMissesAnUpdateIsLost() {
    let pair = Pair()
    pair.connect()
    pair.run(.milliseconds(100))
    pair.lose(true, fromCentral: true)
    pair.central.send(.leConnectionUpdate(pair.central.handle, Pair.timing(intervalUnits: 24)))
    pair.run(.milliseconds(300))
    pair.lose(false, fromCentral: true)
    pair.run(.seconds(4))
    #expect(pair.peripheral.disconnections.map(\.reason) == [.connectionTimeout])
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
  }

  @Test(arguments: [true, false]) func aPeripheralAsksForParametersAndTheCentralsHostDecides(_ accepts: Bool) {
    let pair = Pair()
    pair.connect(Pair.timing(intervalUnits: 80))
    let timing = Pair.timing(intervalUnits: 12)
    pair.central.onEvent = { event in
      guard case .leRemoteConnectionParameterRequest(let handle, let request) = event else { return }
      #expect(request.minimumIntervalUnits == 12)
      #expect(request.supervisionTimeoutUnits == 200)
      pair.central.send(
        accepts
          ? .leRemoteConnectionParameterRequestReply(handle, timing)
          : .leRemoteConnectionParameterRequestNegativeReply(handle, reason: .unacceptableConnectionParameters))
    }
    pair.peripheral.send(.leConnectionUpdate(pair.peripheral.handle, timing))
    pair.run(.seconds(3))
    let status: ErrorCode = accepts ? .success : .unacceptableConnectionParameters
    let link = LELinkParameters(intervalUnits: accepts ? 12 : 80, latency: 0, supervisionTimeoutUnits: 200)
    #expect(has(pair.peripheral, .leConnectionUpdateComplete(status, pair.peripheral.handle, link)))
  }

  @Test func pitfall14TheTimeLimitsThePayloadAndAnotherPHYMovesTheLimit() {
    var central = ControllerProfile.phone
    central.suggestedDataLength = LEDataLength(octets: 251, microseconds: 328)
    let pair = Pair(central: central)
    pair.connect()
    pair.peripheral.send(
      .leSetDataLength(pair.peripheral.handle, LEDataLength(octets: 251, microseconds: 328)))
    pair.run(.milliseconds(200))
    let length = LEDataLength(octets: 251, microseconds: 328)
    #expect(
      pair.peripheral.events.contains {
        if case .leDataLengthChange(_, let lengths) = $0.event { lengths.transmit == length } else { false }
      })
    let payload = [UInt8](repeating: 1, count: 100)
    pair.peripheral.send(payload, on: pair.peripheral.handle)
    pair.run(.milliseconds(100))
    // 328 µs carry 27 octets at one megasymbol a second and 67 at two.
    #expect(pair.central.data.map(\.octets.count) == [27, 27, 27, 19])
    pair.central.send(.leSetPHY(pair.central.handle, PHYPreference(transmit: .le2M, receive: .le2M), options: 0))
    pair.run(.milliseconds(300))
    pair.central.forget()
    pair.peripheral.send(payload, on: ConnectionHandle(0))
    pair.run(.milliseconds(100))
    #expect(pair.central.data.map(\.octets.count) == [67, 33])
  }

  @Test(arguments: [
    (PhysicalLayers?.none, PhysicalLayer.le2M), (.some(.le1M), .le1M), (.some([.le1M, .le2M]), .le2M),
  ]) func pitfall14APHYUpdateNeedsTheSetsOfBothEnds(_ other: PhysicalLayers?, _ expected: PhysicalLayer) {
    let pair = Pair()
    pair.connect()
    pair.central.send(.leSetDefaultPHY(PHYPreference(transmit: other, receive: other)))
    pair.peripheral.send(.leSetPHY(pair.peripheral.handle, PHYPreference(transmit: .le2M, receive: .le2M), options: 0))
    pair.run(.milliseconds(400))
    #expect(
      has(
        pair.peripheral,
        .lePHYUpdateComplete(.success, pair.peripheral.handle, transmit: expected, receive: expected)))
  }

  @Test func whatTheOtherEndDoesNotKnowStaysAsItIs() {
    let pair = Pair(
      peripheral: profile(.recorder, without: [.dataPacketLengthExtension, .phy2M, .connectionParametersRequest]))
    pair.connect()
    pair.central.send(.leSetDataLength(pair.central.handle, LEDataLength(octets: 251, microseconds: 2120)))
    pair.central.send(.leSetPHY(pair.central.handle, PHYPreference(transmit: .le2M, receive: .le2M), options: 0))
    pair.central.send(.leReadRemoteFeatures(pair.central.handle))
    pair.run(.milliseconds(300))
    #expect(
      has(
        pair.central,
        .lePHYUpdateComplete(.unsupportedRemoteFeature, pair.central.handle, transmit: .le1M, receive: .le1M)))
    #expect(!pair.central.events.contains { if case .leDataLengthChange = $0.event { true } else { false } })
    pair.central.send([UInt8](repeating: 1, count: 30), on: pair.central.handle)
    pair.run(.milliseconds(100))
    #expect(pair.peripheral.data.map(\.octets.count) == [27, 3])
    pair.peripheral.send(.leConnectionUpdate(pair.peripheral.handle, Pair.timing(intervalUnits: 24)))
    pair.run(.milliseconds(5))
    #expect(pair.peripheral.status(.leConnectionUpdate) == .commandDisallowed)
  }

  @Test func aProcedureUnderWayOutlivesTheStartOfEncryption() {
    let pair = Pair()
    pair.connect()
    let key = [UInt8](1...16)
    // Both begin in the same connection event; the central's answer waits until encryption has started.
    pair.peripheral.send(.leSetPHY(pair.peripheral.handle, PHYPreference(transmit: .le2M), options: 0))
    pair.encrypt(key)
    pair.run(.milliseconds(500))
    #expect(
      has(
        pair.peripheral,
        .lePHYUpdateComplete(.success, pair.peripheral.handle, transmit: .le2M, receive: .le2M)))
    #expect(has(pair.central, .encryptionChange(.success, pair.central.handle, isEncrypted: true)))
    pair.run(.seconds(60))
    #expect(pair.central.disconnections.isEmpty)
  }

  @Test func pitfall15TheCentralsProcedureWinsACollision() {
    let pair = Pair()
    pair.connect()
    pair.central.send(.leSetPHY(pair.central.handle, PHYPreference(transmit: .le2M, receive: .le2M), options: 0))
    pair.peripheral.send(.leConnectionUpdate(pair.peripheral.handle, Pair.timing(intervalUnits: 24)))
    pair.run(.milliseconds(500))
    #expect(has(pair.central, .lePHYUpdateComplete(.success, pair.central.handle, transmit: .le2M, receive: .le2M)))
    let link = LELinkParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 200)
    #expect(
      has(
        pair.peripheral,
        .leConnectionUpdateComplete(.linkLayerProcedureCollision, pair.peripheral.handle, link)))
  }

  /// A connection update that a central begins before the instant of the peripheral's PHYs waits for it.
  @Test func pitfall15AChangeWaitsForTheInstantOfAnother() {
    let pair = Pair()
    pair.connect()
    pair.peripheral.send(.leSetPHY(pair.peripheral.handle, PHYPreference(transmit: .le2M, receive: .le2M), options: 0))
    // The central has announced the PHYs, with six events to go.
    pair.run(.milliseconds(45))
    pair.central.send(.leConnectionUpdate(pair.central.handle, Pair.timing(intervalUnits: 24)))
    pair.run(.milliseconds(700))
    let link = LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 200)
    for host in [pair.central, pair.peripheral] {
      #expect(has(host, .lePHYUpdateComplete(.success, host.handle, transmit: .le2M, receive: .le2M)))
      #expect(has(host, .leConnectionUpdateComplete(.success, host.handle, link)))
    }
    // Nothing is left under way: the peripheral's next procedure is served.
    pair.peripheral.forget()
    pair.peripheral.send(.readRemoteVersionInformation(ConnectionHandle(0)))
    pair.run(.milliseconds(200))
    let isServed = pair.peripheral.events.contains {
      if case .readRemoteVersionInformationComplete = $0.event { true } else { false }
    }
    #expect(isServed)
  }

  @Test func pitfall15AnEndRunsOneProcedureAtATime() {
    let pair = Pair()
    pair.connect()
    let sniffer = Sniffer(pair.air)
    pair.central.send(.readRemoteVersionInformation(pair.central.handle))
    pair.central.send(.leReadRemoteFeatures(pair.central.handle))
    pair.central.send(.leSetDataLength(pair.central.handle, LEDataLength(octets: 100, microseconds: 1000)))
    pair.run(.milliseconds(300))
    // Version, feature and length exchanges, each answered before the next begins.
    #expect(sniffer.controls.map(\.opcode) == [0x0C, 0x0C, 0x08, 0x09, 0x14, 0x15])
    #expect(sniffer.controls.map(\.fromCentral) == [true, false, true, false, true, false])
  }

  @Test func pitfall15AnAnswerThatDoesNotComeEndsTheLinkAfterFortySeconds() throws {
    let pair = Pair()
    pair.connect()
    let key = LEKeyOctets([UInt8](repeating: 1, count: 16))
    let begin = pair.loop.now
    // The peripheral's host never answers the request for the key.
    pair.central.send(
      .leEnableEncryption(
        LEEnableEncryption(pair.central.handle, randomNumber: 0, encryptedDiversifier: 0, longTermKey: key)))
    pair.run(.seconds(60))
    let end = try #require(pair.central.disconnections.first)
    #expect(end.reason == .linkLayerResponseTimeout)
    let elapsed = begin.duration(to: end.instant)
    #expect(elapsed > .seconds(40))
    #expect(elapsed < .milliseconds(40_100))
  }
}

@Suite struct LinkEncryptionProcedures {
  private func enable(_ pair: Pair, _ key: [UInt8]) {
    pair.central.send(
      .leEnableEncryption(
        LEEnableEncryption(
          pair.central.handle, randomNumber: 7, encryptedDiversifier: 9, longTermKey: LEKeyOctets(key))))
  }

  private let key = [UInt8](1...16)

  @Test func pitfall16DataPausesTheStartIsPartlyInClearAndEmptyPacketsHaveNoCheck() {
    let pair = Pair()
    pair.connect()
    let sniffer = Sniffer(pair.air)
    pair.peripheral.onEvent = { event in
      guard case .leLongTermKeyRequest(let handle, _, _) = event else { return }
      // Data that comes while encryption is started waits until it is.
      pair.peripheral.send([1], on: handle)
      pair.central.send([2], on: pair.central.handle)
      pair.peripheral.send(.leLongTermKeyRequestReply(handle, LEKeyOctets(key)))
    }
    enable(pair, key)
    pair.run(.milliseconds(400))
    // ENC_REQ, ENC_RSP and START_ENC_REQ in clear, both START_ENC_RSP encrypted.
    #expect(sniffer.controls.map(\.opcode) == [0x03, 0x04, 0x05, 0x06, 0x06])
    #expect(sniffer.controls.map(\.isEncrypted) == [false, false, false, true, true])
    let data = sniffer.packets.filter { if case .data = $0.packet.payload { true } else { false } }
    #expect(data.count == 2)
    #expect(data.allSatisfy { $0.packet.isEncrypted })
    #expect(sniffer.packets.allSatisfy { $0.packet.payload != .empty || !$0.packet.isEncrypted })
    // One octet and its integrity check: 15 octets at 8 µs.
    #expect(data.map(\.observation.microseconds) == [120, 120])
    #expect(pair.central.data.map(\.octets) == [[1]])
    #expect(pair.peripheral.data.map(\.octets) == [[2]])
  }

  @Test func pitfall17DifferentKeysEndTheLinkAtOnceWithoutATerminate() throws {
    let pair = Pair()
    pair.connect()
    let sniffer = Sniffer(pair.air)
    pair.peripheral.onEvent = { event in
      guard case .leLongTermKeyRequest(let handle, _, _) = event else { return }
      pair.peripheral.send(.leLongTermKeyRequestReply(handle, LEKeyOctets(key.reversed())))
    }
    enable(pair, key)
    pair.run(.seconds(4))
    #expect(pair.peripheral.disconnections.map(\.reason) == [.connectionTerminatedDueToMICFailure])
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTimeout])
    #expect(!sniffer.controls.contains { $0.opcode == 0x02 })
  }

  @Test func pitfall17AMissingKeyIsRefusedAndTheLinkStays() {
    let pair = Pair()
    pair.connect()
    pair.peripheral.onEvent = { event in
      guard case .leLongTermKeyRequest(let handle, _, _) = event else { return }
      pair.peripheral.send(.leLongTermKeyRequestNegativeReply(handle))
    }
    enable(pair, key)
    pair.run(.milliseconds(500))
    let refused = Event.encryptionChange(.pinOrKeyMissing, pair.central.handle, isEncrypted: false)
    #expect(pair.central.events.contains { $0.event == refused })
    pair.central.send([3], on: pair.central.handle)
    pair.run(.milliseconds(100))
    #expect(pair.peripheral.data.map(\.octets) == [[3]])
    #expect(pair.central.disconnections.isEmpty)
  }

  @Test func pitfall8EncryptingAgainReportsARefreshedKey() {
    let pair = Pair()
    pair.connect()
    pair.encrypt(key)
    pair.central.forget()
    let handle = ConnectionHandle(0)
    pair.peripheral.onEvent = { event in
      guard case .leLongTermKeyRequest(let handle, _, _) = event else { return }
      pair.peripheral.send(.leLongTermKeyRequestReply(handle, LEKeyOctets(key)))
    }
    let sniffer = Sniffer(pair.air)
    pair.central.send(
      .leEnableEncryption(
        LEEnableEncryption(handle, randomNumber: 7, encryptedDiversifier: 9, longTermKey: LEKeyOctets(key))))
    pair.run(.milliseconds(500))
    #expect(pair.central.events.contains { $0.event == .encryptionKeyRefreshComplete(.success, handle) })
    #expect(!pair.central.events.contains { if case .encryptionChange = $0.event { true } else { false } })
    #expect(sniffer.controls.map(\.opcode) == [0x0A, 0x0B, 0x0B, 0x03, 0x04, 0x05, 0x06, 0x06])
    #expect(
      sniffer.controls.map(\.isEncrypted) == [true, true, false, false, false, false, true, true])
    pair.peripheral.send([9], on: handle)
    pair.run(.milliseconds(100))
    #expect(pair.central.data.map(\.octets) == [[9]])
  }

  @Test func encryptionHoldsUnderLoss() {
    let pair = Pair(seed: 11)
    pair.connect()
    for (from, to) in [(pair.central, pair.peripheral), (pair.peripheral, pair.central)] {
      pair.air.setLoss(
        from: from.controller, to: to.controller, lostPartsPerMillion: 150_000, corruptedPartsPerMillion: 150_000)
    }
    pair.encrypt(key)
    for index in 0..<100 {
      pair.central.send([UInt8(index)], on: pair.central.handle)
      pair.peripheral.send([UInt8(index)], on: pair.peripheral.handle)
      pair.run(.milliseconds(40))
    }
    pair.run(.seconds(2))
    #expect(pair.central.data.map(\.octets) == (0..<100).map { [$0] })
    #expect(pair.peripheral.data.map(\.octets) == (0..<100).map { [$0] })
    #expect(pair.central.disconnections.isEmpty)
    #expect(pair.peripheral.disconnections.isEmpty)
  }

  @Test func onlyTheCentralStartsEncryption() {
    let pair = Pair()
    pair.connect()
    pair.peripheral.send(
      .leEnableEncryption(
        LEEnableEncryption(
          pair.peripheral.handle, randomNumber: 0, encryptedDiversifier: 0, longTermKey: LEKeyOctets(key))))
    pair.run(.milliseconds(10))
    #expect(pair.peripheral.status(.leEnableEncryption) == .commandDisallowed)
  }
}
