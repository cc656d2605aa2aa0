import Bytes
import Crypto
import HCI
import HostStack
import Packets
import Testing

private func failed(_ reason: PairingFailureReason, byPeer: Bool = false) -> [PairingOutcome] {
  [PairingOutcome(reason: reason, byPeer: byPeer)]
}

@Suite struct Pairing {
  @Test("SM/CEN/JW/BV-05-C, SM/PER/JW/BV-02-C, SM/CEN/SCJW/BV-01-C, SM/PER/SCJW/BV-02-C", arguments: [false, true])
  func justWorks(_ secure: Bool) throws {
    var pair = HostPair.pairable(secure: secure)
    pair.ask(1, .secure(HostPair.handle))
    let peripheral = try #require(pair.bondsMade(0).first)
    let central = try #require(pair.bondsMade(1).first)
    #expect(peripheral.identity == HostPair.centralAddress)
    #expect(central.identity == HostPair.peripheralAddress)
    #expect(peripheral.secureConnections == secure)
    #expect(central.secureConnections == secure)
    #expect(peripheral.localKey == central.peerKey)
    #expect(peripheral.peerKey == central.localKey)
    #expect((peripheral.localKey == peripheral.peerKey) == secure)
    #expect(peripheral.peerIdentityResolvingKey != central.peerIdentityResolvingKey)
    #expect(pair.secured(0) == [16])
    #expect(pair.secured(1) == [16])
    #expect(pair.timers[0].isEmpty)
    #expect(pair.timers[1].isEmpty)
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
  }

  @Test("Pitfall 25: Secure Connections uses EDIV and Rand 0, legacy pairing its own", arguments: [false, true])
  func names(_ secure: Bool) throws {
    var pair = HostPair.pairable(secure: secure)
    pair.ask(1, .secure(HostPair.handle))
    for side in 0...1 {
      let key = try #require(pair.bondsMade(side).first?.localKey)
      #expect((key.encryptedDiversifier == 0 && key.randomNumber == 0) == secure)
    }
  }

  @Test("the recorder's response on the air: legacy, bonding, no input, no output, key of 16 octets")
  func features() {
    var pair = HostPair.pairable()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.securityCommands(0).first?.encoded == [0x02, 0x03, 0x00, 0x01, 0x10, 0x03, 0x03])
  }

  @Test("Pitfall 25: the responder distributes its keys first", arguments: [false, true])
  func orderOfKeys(_ secure: Bool) {
    var pair = HostPair.pairable(secure: secure)
    var order: [Int] = []
    var codes: [UInt8] = []
    pair.ask(1, .secure(HostPair.handle))
    for side in 0...1 {
      let keys = pair.securityCommands(side).map(\.code).filter { (0x06...0x0A).contains($0) }
      order.append(keys.count)
      codes = keys
    }
    #expect(codes == (secure ? [0x08, 0x09] : [0x06, 0x07, 0x08, 0x09]))
    #expect(order[0] == order[1])
    // The central sends none of its keys while the peripheral's are on their way.
    var held = HostPair.pairable(secure: secure)
    held.tamper(0) { $0.code == 0x09 ? [] : nil }
    held.ask(1, .secure(HostPair.handle))
    #expect(!held.securityCommands(1).contains { (0x06...0x0A).contains($0.code) })
  }

  @Test(
    "SM/CEN/EKS/BV-01-C, SM/PER/EKS/BV-02-C, BI-02-C: the shorter key counts, and is masked",
    arguments: [
      (16, 16, 7, 16), (7, 16, 7, 7), (16, 10, 7, 10), (12, 16, 13, nil), (7, 7, 16, nil),
    ] as [(UInt8, UInt8, UInt8, UInt8?)])
  func keySizes(_ central: UInt8, _ peripheral: UInt8, _ minimum: UInt8, _ expected: UInt8?) throws {
    for secure in [false, true] {
      var pair = HostPair.pairable(secure: secure) { side, configuration in
        configuration.security.maximumKeySize = side == 0 ? peripheral : central
        if side == 0 { configuration.security.minimumKeySize = minimum }
      }
      pair.ask(1, .secure(HostPair.handle))
      guard let expected else {
        #expect(pair.pairingFailures(0) == failed(.encryptionKeySize))
        #expect(pair.pairingFailures(1) == failed(.encryptionKeySize, byPeer: true))
        continue
      }
      #expect(pair.secured(0) == [expected])
      #expect(pair.secured(1) == [expected])
      let key = try #require(pair.bondsMade(0).first?.localKey)
      #expect(key.keySize == expected)
      #expect(key.key.suffix(16 - Int(expected)).allSatisfy { $0 == 0 })
    }
  }

  @Test func withoutBondingNothingIsKept() {
    var pair = HostPair.pairable { side, configuration in configuration.security.bonding = side == 0 }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).isEmpty)
    #expect(pair.bondsMade(1).isEmpty)
    #expect(pair.secured(0) == [16])
    #expect(!pair.securityCommands(0).contains { (0x06...0x0A).contains($0.code) })
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
  }

  @Test("one side without Secure Connections makes it legacy, unless the other insists", arguments: [false, true])
  func secureConnectionsOnly(_ insists: Bool) {
    var pair = HostPair.pairable(secure: true) { side, configuration in
      if side == 1 { configuration.security.secureConnections = false }
      if side == 0 { configuration.security.secureConnectionsOnly = insists }
    }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.pairingFailures(0) == (insists ? failed(.authenticationRequirements) : []))
    #expect(pair.bondsMade(0).map(\.secureConnections) == (insists ? [] : [false]))
  }

  @Test(
    "what the application or its policy does not want",
    arguments: [
      (PairingPolicy.refuse, false), (.acceptUnlessBonded, true), (.ask, false),
    ])
  func refused(_ policy: PairingPolicy, _ isBonded: Bool) {
    var pair = HostPair.pairable { side, configuration in if side == 0 { configuration.pairingPolicy = policy } }
    pair.application = { side, event in
      guard side == 0, case .pairingRequested(let handle, let bonded, keepsKeys: true) = event else { return [] }
      return [.answerPairing(handle, accepted: bonded)]
    }
    if isBonded {
      let bond = Bond(
        identity: HostPair.centralAddress, localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil,
        secureConnections: false)
      pair.ask(0, .setBonds([bond]))
    }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.pairingFailures(0) == failed(.pairingNotSupported))
    #expect(pair.pairingFailures(1) == failed(.pairingNotSupported, byPeer: true))
    #expect(pair.timers[0].isEmpty)
    #expect(pair.timers[1].isEmpty)
  }

  @Test(arguments: [PairingPolicy.ask, .acceptUnlessBonded]) func accepted(_ policy: PairingPolicy) {
    var pair = HostPair.pairable { side, configuration in if side == 0 { configuration.pairingPolicy = policy } }
    pair.application = { side, event in
      guard side == 0, case .pairingRequested(let handle, bonded: false, keepsKeys: true) = event else { return [] }
      return [.answerPairing(handle, accepted: true)]
    }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).count == 1)
  }

  /// Nordic's Peer Manager finds out whom it knew when it has paired.
  @Test func aPrivateAddressDoesNotTellThatThereIsABond() {
    let key = Key128(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
    var pair = HostPair.pairable { side, configuration in
      guard side == 1 else { return configuration.pairingPolicy = .acceptUnlessBonded }
      configuration.ownAddress = PairingToolbox.resolvablePrivateAddress(random: 1, key: key)
      configuration.identityResolvingKey = key.littleEndian
      configuration.identityAddress = HostPair.centralAddress
    }
    let bond = Bond(
      identity: HostPair.centralAddress, localKey: nil, peerKey: nil, peerIdentityResolvingKey: key.littleEndian,
      secureConnections: false)
    pair.ask(0, .setBonds([bond]))
    pair.reconnect()
    let known = pair.all(0) { if case .connected(let information) = $0 { information.identity } else { nil } }.last
    #expect(known == HostPair.centralAddress)
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).map(\.identity) == [HostPair.centralAddress])
  }

  @Test("SM/CEN/PROT/BV-01-C, SM/PER/PROT/BV-02-C, Pitfall 25: after 30 s SMP is dead for the link", arguments: [0, 1])
  func timeout(_ silent: Int) {
    var pair = HostPair.pairable(secure: true)
    pair.tamper(silent) { $0.code == 0x04 ? [] : nil }
    pair.ask(1, .secure(HostPair.handle))
    let other = 1 - silent
    pair.fire(other, .seconds(30))
    #expect(pair.pairingFailures(other) == failed(.timeout))
    let count = pair.securityCommands(other).count
    pair.intercept = { $1 }
    pair.inject(other, .securityManager, [0x05, 0x08])
    pair.inject(other, .securityManager, [0x01, 0x03, 0x00, 0x01, 0x10, 0x03, 0x03])
    pair.ask(other, .secure(HostPair.handle))
    #expect(pair.securityCommands(other).count == count)
    // The silent side waits for its packet, which the controller never completes.
    pair.ask(other, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.connect()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(other).count == 1)
  }

  @Test func aLinkThatEndsInTheMiddleLeavesNothing() {
    for code in [UInt8(0x01), 0x02, 0x03, 0x04, 0x0C, 0x0D, 0x06, 0x08] {
      for secure in [false, true] {
        var pair = HostPair.pairable(secure: secure)
        pair.tamper(0) { $0.code == code ? [] : nil }
        pair.ask(1, .secure(HostPair.handle))
        pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
        #expect(pair.timers[0].isEmpty)
        #expect(pair.timers[1].isEmpty)
        pair.intercept = { $1 }
        pair.connect()
        pair.ask(1, .secure(HostPair.handle))
        #expect(pair.secured(0).last == 16)
        #expect(pair.secured(1).last == 16)
      }
    }
  }

  @Test("SM/PER/SCJW/BV-02-C with repeated attempts: a failure makes the next one wait, longer each time")
  func repeatedAttempts() {
    var pair = HostPair.pairable { side, configuration in
      configuration.security.limitsRepeatedAttempts = side == 0
    }
    pair.tamper(1) { $0.code == 0x04 ? SMPCommand.pairingRandom(1).encoded : nil }
    pair.ask(1, .secure(HostPair.handle))
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.pairingFailures(1).map(\.reason) == [.confirmValueFailed, .repeatedAttempts])
    #expect(pair.timers[0].map(\.duration) == [.seconds(2)])
    pair.fire(0, .seconds(2))
    pair.intercept = { $1 }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).count == 1)
  }
}

/// A change to one command of one side, and what the other side makes of it.
private struct Tampering: Sendable {
  var name: String
  var secure: Bool
  /// Who is tampered with.
  var side: Int
  var code: UInt8
  var change: @Sendable (SMPCommand) -> [UInt8]
  var reason: PairingFailureReason

  init(
    _ name: String, secure: Bool, side: Int, code: UInt8, _ reason: PairingFailureReason,
    _ change: @escaping @Sendable (SMPCommand) -> [UInt8]
  ) {
    (self.name, self.secure, self.side, self.code) = (name, secure, side, code)
    (self.reason, self.change) = (reason, change)
  }
}

private let flip: @Sendable (SMPCommand) -> [UInt8] = { command in
  var octets = command.encoded
  octets[octets.count - 1] ^= 1
  return octets
}

private let tamperings: [Tampering] = [
  Tampering("SM/CEN/JW/BI-01-C confirm value", secure: false, side: 0, code: 0x03, .confirmValueFailed, flip),
  Tampering("random value of the initiator", secure: false, side: 1, code: 0x04, .confirmValueFailed, flip),
  Tampering("random value of the responder", secure: false, side: 0, code: 0x04, .confirmValueFailed, flip),
  Tampering("SC confirm value", secure: true, side: 0, code: 0x03, .confirmValueFailed, flip),
  Tampering("SC nonce of the responder", secure: true, side: 0, code: 0x04, .confirmValueFailed, flip),
  Tampering("SC nonce of the initiator", secure: true, side: 1, code: 0x04, .dhKeyCheckFailed, flip),
  Tampering("SM/PER/SCJW/BI-02-C check value", secure: true, side: 1, code: 0x0D, .dhKeyCheckFailed, flip),
  Tampering("SM/CEN/SCJW/BI-01-C check value", secure: true, side: 0, code: 0x0D, .dhKeyCheckFailed, flip),
  Tampering("Pitfall 25: a point off the curve", secure: true, side: 1, code: 0x0C, .invalidParameters, flip),
  Tampering("Pitfall 25: a point off the curve", secure: true, side: 0, code: 0x0C, .invalidParameters, flip),
  Tampering("a key of 17 octets", secure: false, side: 1, code: 0x01, .invalidParameters) { _ in
    [0x01, 0x03, 0x00, 0x01, 0x11, 0x03, 0x03]
  },
  Tampering("a key of 6 octets", secure: false, side: 0, code: 0x02, .invalidParameters) { _ in
    [0x02, 0x03, 0x00, 0x01, 0x06, 0x03, 0x03]
  },
  Tampering("more keys than were asked for", secure: false, side: 0, code: 0x02, .invalidParameters) { _ in
    [0x02, 0x03, 0x00, 0x01, 0x10, 0x07, 0x03]
  },
  Tampering("a reserved capability", secure: false, side: 1, code: 0x01, .invalidParameters) { _ in
    [0x01, 0x05, 0x00, 0x01, 0x10, 0x03, 0x03]
  },
  Tampering("out-of-band data under SC", secure: true, side: 1, code: 0x01, .outOfBandNotAvailable) { _ in
    [0x01, 0x03, 0x01, 0x09, 0x10, 0x03, 0x03]
  },
  Tampering("a cut command", secure: false, side: 1, code: 0x03, .invalidParameters) { Array($0.encoded.dropLast()) },
  Tampering("an unknown command", secure: false, side: 1, code: 0x03, .commandNotSupported) { _ in [0x0F, 1] },
  Tampering("a keypress", secure: false, side: 0, code: 0x03, .commandNotSupported) { _ in [0x0E, 1] },
  Tampering("a command out of turn", secure: false, side: 1, code: 0x03, .unspecifiedReason) { _ in
    SMPCommand.pairingRandom(5).encoded
  },
  Tampering("a second request", secure: false, side: 1, code: 0x03, .unspecifiedReason) { _ in
    [0x01, 0x03, 0x00, 0x01, 0x10, 0x03, 0x03]
  },
  Tampering("a request by the responder", secure: false, side: 0, code: 0x02, .commandNotSupported) { _ in
    [0x01, 0x03, 0x00, 0x01, 0x10, 0x03, 0x03]
  },
  Tampering("a key of another kind first", secure: false, side: 0, code: 0x06, .unspecifiedReason) { _ in
    SMPCommand.identityInformation(1).encoded
  },
  Tampering("a name without its key", secure: false, side: 0, code: 0x06, .unspecifiedReason) { _ in
    SMPCommand.centralIdentification(encryptedDiversifier: 1, randomNumber: 2).encoded
  },
  Tampering("an address without its key", secure: true, side: 0, code: 0x08, .unspecifiedReason) { _ in
    SMPCommand.identityAddressInformation(HostPair.peripheralAddress).encoded
  },
  Tampering("an identity of zeros", secure: true, side: 1, code: 0x09, .unspecifiedReason) { _ in
    SMPCommand.identityAddressInformation(BluetoothAddress(0, .public)).encoded
  },
  Tampering("a private address as identity", secure: true, side: 1, code: 0x09, .unspecifiedReason) { _ in
    SMPCommand.identityAddressInformation(BluetoothAddress(0x4000_0000_0001, .random)).encoded
  },
  Tampering("a signature key that was not agreed", secure: true, side: 1, code: 0x08, .unspecifiedReason) { _ in
    SMPCommand.signingInformation(1).encoded
  },
]

@Suite struct PairingUnderAttack {
  @Test(arguments: tamperings.indices) func isFoundAndToldAndCanBeTriedAgain(_ index: Int) {
    let tampering = tamperings[index]
    var pair = HostPair.pairable(secure: tampering.secure)
    pair.tamper(tampering.side) { $0.code == tampering.code ? tampering.change($0) : nil }
    pair.ask(1, .secure(HostPair.handle))
    let finder = 1 - tampering.side
    // A request that cannot be read begins nothing, and who has sent its last key has done with pairing.
    let isBegun = tampering.code != 0x01 || tampering.reason != .invalidParameters || pair.pairingFailures(finder) != []
    #expect(pair.pairingFailures(finder) == (isBegun ? failed(tampering.reason) : []), "\(tampering.name)")
    let isDone = pair.bondsMade(tampering.side).count == 1
    #expect(
      pair.pairingFailures(tampering.side) == (isDone ? [] : failed(tampering.reason, byPeer: true)),
      "\(tampering.name)")
    #expect(pair.securityCommands(finder).last == .pairingFailed(tampering.reason), "\(tampering.name)")
    #expect(pair.bondsMade(finder).isEmpty)
    #expect(pair.timers[0].isEmpty)
    #expect(pair.timers[1].isEmpty)
    guard pair.secured(0).isEmpty, !pair.controllers.sides[0].isEncrypted else { return }
    pair.intercept = { $1 }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).count == 1, "\(tampering.name)")
    #expect(pair.bondsMade(1).count == 1, "\(tampering.name)")
  }

  @Test("a public key thrown back at its owner is refused") func reflection() {
    var pair = HostPair.pairable(secure: true)
    pair.tamper(0) { $0.code == 0x0C || $0.code == 0x03 ? [] : nil }
    pair.ask(1, .secure(HostPair.handle))
    guard case .pairingPublicKey(let octets)? = pair.securityCommands(1).last else {
      Issue.record("no public key")
      return
    }
    pair.inject(1, .securityManager, SMPCommand.pairingPublicKey(octets).encoded)
    #expect(pair.pairingFailures(1) == failed(.invalidParameters))
  }

  @Test("c1 and f6 take the addresses of this connection: another address is found", arguments: [false, true])
  func addresses(_ secure: Bool) {
    var pair = HostPair.pairable(secure: secure)
    pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    // The peripheral's controller tells another peer than the one that connected.
    pair.controllers.sides[1].randomAddress = BluetoothAddress("C0:00:00:00:00:99")!
    pair.connect()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.pairingFailures(0).map(\.reason) == [secure ? .dhKeyCheckFailed : .confirmValueFailed])
  }

  @Test(
    "commands without a pairing are answered or passed over",
    arguments: [
      ([0x03] + [UInt8](repeating: 1, count: 16), nil), ([0x0E, 0x01], [0x05, 0x07]), ([0x77], [0x05, 0x07]),
      ([], [0x05, 0x0A]), ([0x05, 0x08], nil), ([0x0B, 0x01], [0x05, 0x07]),
    ] as [([UInt8], [UInt8]?)])
  func alone(_ octets: [UInt8], _ expected: [UInt8]?) {
    var pair = HostPair.pairable()
    pair.inject(0, .securityManager, octets)
    #expect(pair.securityCommands(0).map(\.encoded) == expected.map { [$0] } ?? [])
    #expect(pair.pairingFailures(0).isEmpty)
  }
}
