import Bytes
import Crypto
import HCI
import Packets
import Testing

@testable import HostStack

private func reports(_ pair: HostPair) -> [AdvertisingReport] {
  pair.all(1) { if case .advertisingReport(let report) = $0 { report } else { nil } }
}

private func connections(_ pair: HostPair, _ side: Int) -> [ConnectionInformation] {
  pair.all(side) { if case .connected(let information) = $0 { information } else { nil } }
}

private func failures(_ pair: HostPair) -> [ErrorCode] {
  pair.all(1) { if case .connectionFailed(let code) = $0 { code } else { nil } }
}

@Suite struct Discovery {
  @Test("both forms of advertising reports are taken", arguments: [false, true])
  func advertisersAreHeard(_ isExtended: Bool) {
    var quirks = ControllerPair.Quirks()
    quirks.usesExtendedEvents = isExtended
    var pair = HostPair.started(quirks: [quirks, quirks])
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [2, 1, 6], scanResponse: [2, 9, 0x44])))
    pair.ask(1, .setScanning(ScanParameters()))
    #expect(
      reports(pair) == [
        AdvertisingReport(
          address: HostPair.peripheralAddress, identity: HostPair.peripheralAddress, isScanResponse: false,
          isConnectable: true, data: [2, 1, 6], signalStrength: -50),
        AdvertisingReport(
          address: HostPair.peripheralAddress, identity: HostPair.peripheralAddress, isScanResponse: true,
          isConnectable: false, data: [2, 9, 0x44], signalStrength: nil),
      ])
    pair.ask(1, .setScanning(nil))
    #expect(!pair.controllers.sides[1].isScanning)
  }

  @Test("Pitfall 25: a resolvable private address is resolved with ah and the bond's key")
  func privateAddressesAreResolved() {
    let key = Key128(0x1122_3344_5566_7788_99AA_BBCC_DDEE_FF00)
    let address = PairingToolbox.resolvablePrivateAddress(random: 0x12_3456, key: key)
    let identity = BluetoothAddress("C0:AA:BB:CC:DD:EE")!
    let bond = Bond(
      identity: identity, localKey: nil, peerKey: nil, peerIdentityResolvingKey: key.littleEndian,
      secureConnections: false)
    var pair = HostPair.started { side, configuration in if side == 0 { configuration.ownAddress = address } }
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    pair.ask(1, .setBonds([bond]))
    pair.ask(1, .setScanning(ScanParameters()))
    #expect(reports(pair).first?.identity == identity)
    pair.ask(1, .connect(address, HostPair.parameters))
    #expect(connections(pair, 1).first?.identity == identity)
    #expect(connections(pair, 1).first?.peer == address)
    #expect(connections(pair, 1).first?.isBonded == true)
  }

  /// Parameters cannot change while the activity is on (Vol 4, Part E, 7.8.5), so a change passes through off.
  @Test func changedWishesPassThroughOff() {
    var control = ActivityControl<AdvertisingWish>()
    func wish(_ interval: UInt16) -> AdvertisingWish {
      AdvertisingWish(advertisement: Advertisement(intervalUnits: interval, data: []), ownAddressType: .random)
    }
    var command = control.want(wish(200))
    #expect(control.want(wish(300)) == nil)
    var opcodes: [Opcode] = []
    var enabled: [Bool] = []
    while let next = command {
      opcodes.append(next.opcode)
      if case .leSetAdvertisingEnable(let isOn) = next { enabled.append(isOn) }
      command = control.answered(.success).command
    }
    #expect(enabled == [true, false, true])
    #expect(opcodes.count == 9)
  }

  @Test func aRefusalIsToldAndGivenUp() {
    var quirks = ControllerPair.Quirks()
    quirks.refused = [
      Opcode.leSetAdvertisingParameters.rawValue: .invalidHCICommandParameters,
      Opcode.leSetScanEnable.rawValue: .commandDisallowed,
    ]
    var pair = HostPair.started(quirks: [quirks, quirks])
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 1, data: [])))
    pair.ask(1, .setScanning(ScanParameters()))
    #expect(pair.events[0].last == .advertisingFailed(.invalidHCICommandParameters))
    #expect(pair.events[1].last == .scanningFailed(.commandDisallowed))
  }

  @Test func dataThatDoNotFitAreRefusedAndOthersStay() {
    var pair = HostPair.started()
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: Array(repeating: 0, count: 31))))
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: Array(repeating: 0, count: 32))))
    #expect(pair.events[0].last == .advertisingFailed(.invalidHCICommandParameters))
    #expect(pair.controllers.sides[0].isAdvertising)
  }

  @Test func nothingIsPossibleBeforeTheStart() {
    var pair = HostPair()
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    pair.ask(1, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    pair.ask(1, .setScanning(ScanParameters()))
    #expect(
      pair.events[1] == [
        .connectionFailed(.commandDisallowed), .advertisingFailed(.commandDisallowed),
        .scanningFailed(.commandDisallowed),
      ])
  }
}

@Suite struct Connecting {
  @Test("plain and enhanced Connection_Complete are taken", arguments: [false, true])
  func bothEndsLearnOfTheConnection(_ isEnhanced: Bool) {
    var quirks = ControllerPair.Quirks()
    quirks.usesExtendedEvents = isEnhanced
    let pair = HostPair.connected(quirks: [quirks, quirks])
    #expect(connections(pair, 0).map(\.isCentral) == [false])
    #expect(connections(pair, 0).map(\.peer) == [HostPair.centralAddress])
    #expect(connections(pair, 1).map(\.isCentral) == [true])
    #expect(connections(pair, 1).map(\.parameters) == [HostPair.parameters])
  }

  @Test("Pitfall 7: advertising ends by itself when a connection is made")
  func advertisingEndsWithAConnection() {
    var pair = HostPair.connected()
    let enables = pair.controllers.sides[0].commands.filter { $0.opcode == .leSetAdvertisingEnable }
    #expect(enables == [.leSetAdvertisingEnable(true)])
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.connect()
    #expect(connections(pair, 1).count == 2)
  }

  @Test("Pitfall 6: a cancelled attempt ends in a Connection_Complete with 0x02")
  func cancelling() {
    var pair = HostPair.started()
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    pair.ask(1, .cancelConnect)
    #expect(failures(pair) == [.unknownConnectionIdentifier])
    #expect(pair.timers[1].isEmpty)
    pair.connect()
    #expect(connections(pair, 1).count == 1)
  }

  @Test("Pitfall 6: cancelling can lose the race to a real connection")
  func cancellingTooLate() {
    var pair = HostPair.started()
    // The connection is made while the cancel command is on its way.
    pair.intercept = { side, packet in
      side == 1 && (try? Command(decoding: packet.bytes)) == .leCreateConnectionCancel ? nil : packet
    }
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    pair.ask(1, .cancelConnect)
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    pair.give(
      1, .packet(Event.commandComplete(.leCreateConnectionCancel, credits: 1, .failure(.commandDisallowed)).packet))
    #expect(connections(pair, 1).count == 1)
    #expect(failures(pair).isEmpty)
    #expect(pair.timers[1].isEmpty)
  }

  /// Bumble's controller says nothing after a cancellation and goes on connecting.
  @Test func aCancellationWithoutWordEndsAndALateConnectionIsEnded() {
    var pair = HostPair.started()
    pair.intercept = { side, packet in
      side == 1 && (try? Command(decoding: packet.bytes)) == .leCreateConnectionCancel ? nil : packet
    }
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    pair.ask(1, .cancelConnect)
    pair.give(1, .packet(Event.commandComplete(.leCreateConnectionCancel, credits: 1, .success).packet))
    pair.fire(1, .seconds(2))
    #expect(failures(pair) == [.unknownConnectionIdentifier])
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    #expect(connections(pair, 1).isEmpty)
    #expect(pair.all(0) { if case .disconnected = $0 { true } else { nil } }.count == 1)
  }

  @Test func oneAttemptAtATime() {
    var pair = HostPair.started()
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    #expect(failures(pair) == [.commandDisallowed])
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    #expect(connections(pair, 1).count == 1)
  }

  @Test func aRefusedAttemptFailsAtOnce() {
    var quirks = ControllerPair.Quirks()
    quirks.refused = [Opcode.leCreateConnection.rawValue: .connectionAlreadyExists]
    var pair = HostPair.started(quirks: [.init(), quirks])
    pair.ask(1, .connect(HostPair.peripheralAddress, HostPair.parameters))
    #expect(failures(pair) == [.connectionAlreadyExists])
  }

  /// Only seven reasons may be given to HCI (7.1.6); any other would be refused and the link stay.
  @Test(arguments: [(0x13, 0x13), (0x3B, 0x3B), (0x16, 0x13), (0x08, 0x13)] as [(UInt8, UInt8)])
  func bothEndsLearnOfTheEnd(_ asked: UInt8, _ told: UInt8) {
    var pair = HostPair.connected()
    pair.ask(1, .disconnect(HostPair.handle, ErrorCode(rawValue: asked)))
    pair.ask(1, .disconnect(HostPair.handle, ErrorCode(rawValue: asked)))
    #expect(pair.events[1].last == .disconnected(HostPair.handle, .connectionTerminatedByLocalHost))
    #expect(pair.events[0].last == .disconnected(HostPair.handle, ErrorCode(rawValue: told)))
    #expect(pair.controllers.sides[1].commands.filter { $0.opcode == .disconnect }.count == 1)
  }

  @Test func dataLengthAndPHYAreAskedForAndTold() {
    var pair = HostPair.connected()
    pair.ask(0, .setDataLength(HostPair.handle, octets: 251))
    pair.ask(1, .setPHY(HostPair.handle, .le2M))
    #expect(pair.events[1].contains(.dataLengthChanged(HostPair.handle, transmit: 251, receive: 251)))
    #expect(pair.events[0].last == .phyChanged(HostPair.handle, transmit: .le2M, receive: .le2M))
    #expect(
      pair.controllers.sides[0].commands.contains(
        .leSetDataLength(HostPair.handle, LEDataLength(octets: 251, microseconds: 2_120))))
  }
}
