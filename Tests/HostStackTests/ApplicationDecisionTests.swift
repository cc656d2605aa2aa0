import Bytes
import HCI
import Packets
import Testing

@testable import HostStack

/// What the stack leaves to the application when it is told to.
@Suite struct ApplicationDecisions {
  private static let answer = PairingAnswer(
    features: PairingFeatures(
      inputOutput: .noInputNoOutput, authentication: .bonding, initiatorKeys: .identity,
      responderKeys: [.encryption, .identity, .signing]))

  /// A pair whose peripheral asks for everything.
  private func asking(_ change: (inout HostConfiguration) -> Void = { _ in }) -> HostPair {
    HostPair.connected { side, configuration in
      configuration.security.minimumKeySize = 7
      guard side == 0 else { return }
      configuration.pairingPolicy = .negotiate
      configuration.keyPolicy = .ask
      configuration.exchangePolicy = .ask
      configuration.subscriptionPolicy = .ask
      change(&configuration)
    }
  }

  @Test("the application answers with features of its own; keys that were not asked for are left out")
  func negotiation() throws {
    var pair = asking()
    pair.application = { side, event in
      guard side == 0, case .pairingFeaturesRequested(let handle, _) = event else { return [] }
      return [.answerPairingFeatures(handle, .success(Self.answer))]
    }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.securityCommands(0).first?.encoded == [0x02, 0x03, 0x00, 0x01, 0x10, 0x02, 0x03])
    let bond = try #require(pair.bondsMade(0).first)
    #expect(bond.localKey != nil)
    #expect(bond.peerKey == nil)
    #expect(bond.peerIdentityResolvingKey != nil)
    // The link is encrypted before the keys are there, and the stack keeps no bond.
    let events: [String] = pair.all(0) { event in
      switch event {
      case .encryptedByPairing(_, keySize: 16): "encrypted"
      case .bondCreated: "bond"
      case .secured(_, identity: nil, keySize: 16): "secured"
      default: nil
      }
    }
    #expect(events == ["encrypted", "bond", "secured"])
    #expect(pair.hosts[0].knownBonds.isEmpty)
  }

  @Test("refused by the application, or because its key is to be longer") func refusal() {
    let short = PairingAnswer(
      features: PairingFeatures(
        inputOutput: .noInputNoOutput, authentication: .bonding, maximumKeySize: 10, initiatorKeys: [],
        responderKeys: []), minimumKeySize: 12)
    for (answer, reason): (Result<PairingAnswer, PairingFailureReason>, PairingFailureReason) in [
      (.failure(.passkeyEntryFailed), .passkeyEntryFailed), (.success(short), .encryptionKeySize),
    ] {
      var pair = asking()
      pair.ask(1, .secure(HostPair.handle))
      pair.ask(0, .answerPairingFeatures(HostPair.handle, answer))
      let failures = pair.all(1) { if case .pairingFailed(_, let reason, byPeer: true) = $0 { reason } else { nil } }
      #expect(failures == [reason])
    }
  }

  @Test("the application gives the key that a central names, or has none", arguments: [true, false])
  func keys(_ known: Bool) throws {
    let key = LongTermKey(
      key: (0..<16).map { UInt8($0) }, encryptedDiversifier: 0x1234, randomNumber: 77, keySize: 16)
    var pair = asking()
    let bond = Bond(
      identity: HostPair.peripheralAddress, localKey: nil, peerKey: key, peerIdentityResolvingKey: nil,
      secureConnections: false)
    pair.ask(1, .setBonds([bond]))
    pair.ask(1, .secure(HostPair.handle))
    let asked = pair.events[0].contains(
      .longTermKeyRequested(HostPair.handle, encryptedDiversifier: 0x1234, randomNumber: 77))
    #expect(asked)
    #expect(pair.all(0) { if case .secured = $0 { true } else { nil } }.isEmpty)
    pair.ask(0, .answerLongTermKey(HostPair.handle, known ? key : nil))
    let secured = pair.all(0) { if case .secured(_, identity: nil, keySize: 16) = $0 { true } else { nil } }
    #expect(secured == (known ? [true] : []))
    #expect(pair.events[0].contains(.securityFailed(HostPair.handle, .pinOrKeyMissing)) == !known)
    // A second answer is an answer to nothing.
    let count = pair.sent[0].count
    pair.ask(0, .answerLongTermKey(HostPair.handle, key))
    #expect(pair.sent[0].count == count)
  }

  @Test("the exchange of the MTU waits for the application") func exchange() {
    var pair = asking()
    #expect(pair.run(.exchangeMaximumTransmissionUnit) == nil)
    #expect(pair.events[0].contains(.maximumTransmissionUnitRequested(HostPair.handle, 247)))
    pair.ask(0, .answerMaximumTransmissionUnit(HostPair.handle, 100))
    for side in 0...1 {
      #expect(pair.events[side].contains(.maximumTransmissionUnitChanged(HostPair.handle, 100)))
    }
    let count = pair.sent[0].count
    pair.ask(0, .answerMaximumTransmissionUnit(HostPair.handle, 90))
    #expect(pair.sent[0].count == count)
  }

  @Test("who touches a subscription waits until the application has given them") func subscriptions() {
    var pair = asking()
    #expect(pair.run(.read(Served.open)) == .success(.value([84])))
    #expect(pair.run(.read(Served.longConfiguration)) == nil)
    #expect(pair.events[0].filter { $0 == .subscriptionsRequested(HostPair.handle) }.count == 1)
    let stored = StoredSubscription(handle: Served.long, subscription: .notifications)
    pair.ask(0, .setSubscriptions(HostPair.handle, [stored]))
    let values = pair.all(1) { event in
      if case .clientCompleted(_, _, .success(.value(let value))) = event { return value }
      return nil
    }
    #expect(values.last == [1, 0])
    pair.ask(0, .notify(HostPair.handle, NotificationTicket(5), Served.long, [1, 2]))
    #expect(pair.events[1].contains(.notificationReceived(HostPair.handle, Served.long, [1, 2])))
    // Known once, they are served by the stack again.
    #expect(pair.run(.subscribe(Served.longConfiguration, [])) == .success(.written))
    #expect(pair.events[0].filter { $0 == .subscriptionsRequested(HostPair.handle) }.count == 1)
  }

  @Test("one request, one response, as the application made it") func exchangeOfPDUs() {
    var pair = HostPair.connected()
    let range = HandleRange(AttributeHandle(1), AttributeHandle(3))
    guard
      case .success(.response(.findInformationResponse(let entries)))? =
        pair.run(.exchange(.findInformationRequest(range)))
    else { return #expect(Bool(false)) }
    #expect(entries.map(\.handle.rawValue) == [1, 2, 3])
    #expect(
      pair.run(.exchange(.readRequest(AttributeHandle(0x99))))
        == .failure(.refused(.invalidHandle, AttributeHandle(0x99))))
    for pdu in [ATTPDU.writeCommand(Served.command, [1]), .exchangeMTURequest(100), .confirmation] {
      #expect(pair.run(.exchange(pdu)) == .failure(.notAllowed))
    }
  }

  @Test("descriptors stand where they were put, secondary services are not found") func descriptors() {
    var characteristic = CharacteristicDefinition(
      uuid: BluetoothUUID(0x2A19), properties: [.read, .notify], reading: .open, initialValue: [1])
    characteristic.leadingDescriptors = [
      DescriptorDefinition(uuid: BluetoothUUID(0x2901), writing: .open, initialValue: [65], maximumLength: 4)
    ]
    characteristic.trailingDescriptors = [
      DescriptorDefinition(uuid: BluetoothUUID(0x2904), initialValue: [1, 2], maximumLength: 2)
    ]
    var hidden = ServiceDefinition(uuid: BluetoothUUID(0x1111), characteristics: [])
    hidden.isPrimary = false
    let service = ServiceDefinition(uuid: BluetoothUUID(0x180F), characteristics: [characteristic, characteristic])
    let served = GATTDatabase(services: [hidden, service])
    var pair = HostPair.connected { if $0 == 0 { $1.database = served } }
    #expect(pair.run(.discoverAll) == .success(.services(served.discovered)))
    let found = served.discovered[0].characteristics
    #expect(found.map(\.valueHandle.rawValue) == [4, 9])
    #expect(found.map { $0.configurationHandle?.rawValue } == [6, 11])
    #expect(served.valueHandle(of: BluetoothUUID(0x2A19)) == AttributeHandle(4))
    #expect(pair.run(.read(AttributeHandle(5))) == .success(.value([65])))
    #expect(pair.run(.read(AttributeHandle(7))) == .success(.value([1, 2])))
    #expect(pair.run(.write(AttributeHandle(5), [66, 67])) == .success(.written))
    #expect(pair.events[0].contains(.attributeWritten(HostPair.handle, AttributeHandle(5), [66, 67])))
    #expect(pair.run(.write(AttributeHandle(7), [1])) == .failure(.refused(.writeNotPermitted, AttributeHandle(7))))
  }
}
