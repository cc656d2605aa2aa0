import Bytes
import Crypto
import HCI
import HostStack
import Packets
import Testing

private func bonded(secure: Bool = false) -> HostPair {
  var pair = HostPair.pairable(secure: secure)
  pair.ask(1, .secure(HostPair.handle))
  return pair
}

private func subscriptions(_ pair: HostPair, since count: Int) -> [HostEvent] {
  pair.events[0].dropFirst(count).filter { if case .subscriptionChanged = $0 { true } else { false } }
}

@Suite struct Encryption {
  @Test("SM/CEN/SIP/BV-02-C: a bonded link is encrypted from the bond, not paired anew", arguments: [false, true])
  func reconnection(_ secure: Bool) {
    var pair = bonded(secure: secure)
    let commands = pair.securityCommands(1).count
    pair.reconnect()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.securityCommands(1).count == commands)
    #expect(pair.secured(0) == [16, 16])
    #expect(pair.secured(1) == [16, 16])
    #expect(
      pair.events[0].last
        == .secured(HostPair.handle, identity: HostPair.centralAddress, keySize: 16))
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
  }

  @Test("both sides can be the other role later: each has its own key in legacy pairing", arguments: [false, true])
  func exchangedRoles(_ secure: Bool) {
    var pair = bonded(secure: secure)
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.ask(1, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    pair.ask(0, .connect(HostPair.centralAddress, HostPair.parameters))
    pair.ask(0, .secure(HostPair.handle))
    #expect(pair.secured(0).count == 2)
    #expect(pair.secured(1).count == 2)
  }

  @Test("Pitfall 8: a refreshed key is told by its own event") func refresh() throws {
    var pair = bonded()
    let key = try #require(pair.bondsMade(0).first?.localKey)
    let command = Command.leEnableEncryption(
      LEEnableEncryption(
        HostPair.handle, randomNumber: key.randomNumber, encryptedDiversifier: key.encryptedDiversifier,
        longTermKey: LEKeyOctets(key.key)))
    pair.below { controllers, up in controllers.take(command.packet, from: 1, up) }
    #expect(pair.secured(0) == [16, 16])
    #expect(pair.secured(1) == [16, 16])
    #expect(
      pair.controllers.sides[0].commands.last == .leLongTermKeyRequestReply(HostPair.handle, LEKeyOctets(key.key)))
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
  }

  @Test("Pitfall 17: a missing key is told to both hosts, and the link stays") func missingKey() {
    var pair = bonded()
    pair.ask(0, .removeBonds(nil))
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
    pair.reconnect()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.securityFailures(0) == [.pinOrKeyMissing])
    #expect(pair.securityFailures(1) == [.pinOrKeyMissing])
    #expect(pair.run(.read(Served.open)) == .success(.value([84])))
    pair.ask(1, .removeBonds(HostPair.peripheralAddress))
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).count == 2)
  }

  @Test("Pitfall 17: keys that differ end the link with 0x3D") func differentKeys() throws {
    var pair = bonded()
    var bond = try #require(pair.bondsMade(0).first)
    bond.localKey?.key[0] ^= 1
    pair.ask(0, .setBonds([bond]))
    pair.reconnect()
    pair.ask(1, .secure(HostPair.handle))
    for side in 0...1 {
      #expect(pair.events[side].last == .disconnected(HostPair.handle, .connectionTerminatedDueToMICFailure))
    }
  }

  @Test("SM/PER/SIE/BV-01-C, Pitfall 25: a Security Request means pair without a bond, encrypt with one")
  func securityRequest() {
    var pair = HostPair.pairable()
    pair.application = { side, event in
      if side == 1, case .securityRequested(let handle) = event { return [.secure(handle)] }
      return []
    }
    pair.ask(0, .secure(HostPair.handle))
    #expect(pair.securityCommands(0).first == .securityRequest(.bonding))
    #expect(pair.bondsMade(0).count == 1)
    pair.application = { _, _ in [] }
    pair.reconnect()
    pair.ask(0, .secure(HostPair.handle))
    #expect(pair.secured(0).count == 2)
    #expect(pair.bondsMade(0).count == 1)
    // On an encrypted link it says so at once and asks nobody.
    let commands = pair.securityCommands(0).count
    pair.ask(0, .secure(HostPair.handle))
    #expect(pair.secured(0).count == 3)
    #expect(pair.securityCommands(0).count == commands)
  }

  @Test("Pitfall 25: keys of Secure Connections have one name, so a stranger's is not looked for among others")
  func strangers() {
    for secure in [false, true] {
      var pair = bonded(secure: secure)
      pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
      // The same phone under an address that no key resolves. The name of a legacy key tells it apart.
      let address = BluetoothAddress("C0:00:00:00:00:77")!
      pair.ask(1, .start(HostConfiguration(ownAddress: address, database: centralDatabase)))
      pair.connect()
      pair.ask(1, .secure(HostPair.handle))
      #expect(pair.securityFailures(0) == (secure ? [.pinOrKeyMissing] : []))
      #expect(pair.secured(0).count == (secure ? 1 : 2))
    }
  }

  @Test("a key shorter than wanted is not used again") func shortKey() throws {
    var pair = bonded()
    var bond = try #require(pair.bondsMade(0).first)
    bond.localKey?.keySize = 6
    pair.ask(0, .setBonds([bond]))
    pair.reconnect()
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.securityFailures(0) == [.pinOrKeyMissing])
  }

  @Test("Pitfall 25: a phone that comes back under another private address is known by its key")
  func privateAddresses() {
    let key = Key128(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
    func configuration(_ random: UInt32) -> HostConfiguration {
      var configuration = HostConfiguration(
        ownAddress: PairingToolbox.resolvablePrivateAddress(random: random, key: key), database: centralDatabase)
      configuration.identityResolvingKey = key.littleEndian
      configuration.identityAddress = HostPair.centralAddress
      return configuration
    }
    var pair = HostPair.started()
    pair.ask(1, .start(configuration(1)))
    pair.connect()
    pair.ask(1, .secure(HostPair.handle))
    let identity = pair.bondsMade(0).first?.identity
    #expect(identity == HostPair.centralAddress)
    #expect(pair.bondsMade(0).first?.peerIdentityResolvingKey == key.littleEndian)
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.ask(1, .start(configuration(2)))
    pair.connect()
    let known = pair.all(0) { if case .connected(let information) = $0 { information } else { nil } }.last
    #expect(known?.isBonded == true)
    #expect(known?.identity == identity)
    #expect(known?.peer != identity)
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.secured(0).count == 2)
  }
}

@Suite struct Permissions {
  @Test("Pitfall 23: 0x05 where no key exists, 0x0F where one exists but the link is clear")
  func errorsOfLackingSecurity() {
    var pair = HostPair.pairable()
    #expect(pair.run(.read(Served.secret)) == .failure(.refused(.insufficientAuthentication, Served.secret)))
    #expect(pair.run(.write(Served.secret, [1])) == .failure(.refused(.insufficientAuthentication, Served.secret)))
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.run(.write(Served.secret, [1])) == .success(.written))
    pair.reconnect()
    #expect(pair.run(.read(Served.secret)) == .failure(.refused(.insufficientEncryption, Served.secret)))
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.run(.read(Served.secret)) == .success(.value([1])))
  }

  @Test("Pitfall 24: subscriptions are kept for a bonded client and come back with its key")
  func subscriptionsOfBondedClients() {
    var pair = bonded()
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    let stored = pair.all(0) { if case .bondUpdated(let bond) = $0 { bond } else { nil } }.last
    #expect(stored?.subscriptions == [StoredSubscription(handle: Served.long, subscription: .notifications)])
    pair.reconnect()
    #expect(
      pair.run(.readByType(BluetoothUUID(0x2902), Served.long, .last))
        == .success(
          .values([
            AttributeValue(Served.longConfiguration, [0, 0])
          ])))
    let before = pair.events[0].count
    pair.ask(1, .secure(HostPair.handle))
    #expect(
      subscriptions(pair, since: before) == [
        .subscriptionChanged(HostPair.handle, Served.long, .notifications, .restored)
      ])
    pair.ask(0, .notify(HostPair.handle, NotificationTicket(1), Served.long, [5]))
    #expect(pair.events[1].last == .notificationReceived(HostPair.handle, Served.long, [5]))
  }

  @Test("Pitfall 24: subscriptions of others are zero on every connection")
  func subscriptionsOfOthers() {
    var pair = HostPair.pairable()
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    pair.reconnect()
    pair.ask(0, .notify(HostPair.handle, NotificationTicket(1), Served.long, [5]))
    #expect(pair.events[0].last == .notificationRefused(HostPair.handle, NotificationTicket(1), .notEnabled))
    #expect(pair.all(0) { if case .bondUpdated = $0 { true } else { nil } }.isEmpty)
  }

  @Test("Pitfall 24: what was subscribed to before pairing belongs to the bond, and a new choice wins over the old")
  func newerChoices() {
    var pair = HostPair.pairable()
    _ = pair.run(.subscribe(Served.longConfiguration, .notifications))
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.bondsMade(0).first?.subscriptions.map(\.handle) == [Served.long])
    pair.reconnect()
    _ = pair.run(.subscribe(Served.longConfiguration, []))
    let before = pair.events[0].count
    pair.ask(1, .secure(HostPair.handle))
    #expect(subscriptions(pair, since: before).isEmpty)
    #expect(pair.hosts[0].knownBonds.first?.subscriptions == [])
  }

  @Test func keysDoNotShow() throws {
    let bond = try #require(bonded().bondsMade(0).first)
    let key = try #require(bond.localKey)
    for text in [
      "\(bond)", String(reflecting: bond), "\(HostEvent.bondUpdated(bond))", "\(key)", String(reflecting: key),
    ] {
      #expect(!text.contains("\(key.key[0]), \(key.key[1])"))
      #expect(!text.contains(Hexadecimal.string(key.key)))
    }
    var dumped = ""
    dump(bond, to: &dumped)
    dump(key, to: &dumped)
    var configuration = HostConfiguration(ownAddress: HostPair.centralAddress, database: centralDatabase)
    configuration.identityResolvingKey = key.key
    dump(configuration, to: &dumped)
    #expect(!"\(HostRequest.start(configuration))".contains("\(key.key[0]), \(key.key[1])"))
    #expect(!dumped.contains("- \(key.key[0])\n"))
  }
}
