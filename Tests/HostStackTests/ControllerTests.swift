import Bytes
import HCI
import Testing

@testable import HostStack

private func started(_ quirks: ControllerPair.Quirks) -> HostPair {
  var pair = HostPair()
  pair.controllers.sides[0].quirks = quirks
  pair.ask(0, .start(HostConfiguration(ownAddress: HostPair.peripheralAddress, database: database)))
  return pair
}

private func readiness(_ pair: HostPair) -> ControllerInformation? {
  pair.all(0) { if case .started(let information) = $0 { information } else { nil } }.last
}

private func failure(_ pair: HostPair) -> HostFailure? {
  pair.all(0) { if case .failed(let failure) = $0 { failure } else { nil } }.last
}

@Suite struct ControllerSetUp {
  @Test func asksWhatTheControllerIsAndUsesIt() throws {
    let information = try #require(readiness(started(.init())))
    #expect(information.aclDataLength == 27)
    #expect(information.aclPacketCount == 4)
    #expect(information.companyIdentifier == 0x0059)
    #expect(information.hciVersion == 9)
    #expect(information.publicAddress == BluetoothAddress(0x5E00_5300, .public))
  }

  @Test("Pitfall 2: credits come from every answer, also from one with opcode 0x0000")
  func creditsMayComeWithoutACommand() {
    var quirks = ControllerPair.Quirks()
    quirks.givesCreditsApart = true
    var pair = started(quirks)
    #expect(readiness(pair) != nil)
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    #expect(pair.controllers.sides[0].isAdvertising)
  }

  @Test("Pitfall 2: without a credit no command goes out")
  func noCommandWithoutCredit() {
    var queue = CommandQueue()
    queue.enqueue(.reset)
    queue.enqueue(.leRand)
    #expect(queue.next() == .reset)
    #expect(queue.next() == nil)
    #expect(queue.answered(.reset, credits: 0) == .reset)
    #expect(queue.next() == nil)
    #expect(queue.answered(.none, credits: 2) == nil)
    #expect(queue.next() == .leRand)
    #expect(queue.next() == nil)
  }

  @Test("Pitfall 3: LE buffers of size 0 mean that BR/EDR's are shared")
  func sharedBuffersAreUsed() throws {
    var quirks = ControllerPair.Quirks()
    quirks.buffers = LEBufferSize(octets: 0, count: 0)
    let information = try #require(readiness(started(quirks)))
    #expect(information.aclDataLength == 64)
    #expect(information.aclPacketCount == 3)
  }

  @Test("Pitfall 5: LE Meta is bit 61 of the event mask and has a mask of its own")
  func eventsAreSwitchedOn() throws {
    let commands = started(.init()).controllers.sides[0].commands
    let mask = try #require(commands.compactMap { if case .setEventMask(let mask) = $0 { mask } else { nil } }.first)
    #expect(mask.rawValue & 1 << 61 != 0)
    // Disconnection_Complete, Encryption_Change, Encryption_Key_Refresh_Complete.
    #expect(mask.rawValue & 1 << 4 != 0)
    #expect(mask.rawValue & 1 << 7 != 0)
    #expect(mask.rawValue & 1 << 47 != 0)
    let low = try #require(commands.compactMap { if case .leSetEventMask(let mask) = $0 { mask } else { nil } }.first)
    #expect(low.rawValue & 0b1_0111 == 0b1_0111)
  }

  @Test("Pitfall 7: the random address is set before anything could be going on")
  func theAddressIsSetWhileIdle() throws {
    var pair = HostPair()
    let configuration = HostConfiguration(ownAddress: HostPair.peripheralAddress, database: database)
    pair.ask(0, .start(configuration))
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    let opcodes = pair.controllers.sides[0].commands.map(\.opcode)
    let address = try #require(opcodes.firstIndex(of: .leSetRandomAddress))
    let advertising = try #require(opcodes.firstIndex(of: .leSetAdvertisingEnable))
    #expect(address < advertising)
    #expect(opcodes.filter { $0 == .leSetRandomAddress }.count == 1)
  }

  @Test func suggestsLongPacketsOnlyWhereTheControllerHasThem() {
    for (features, isSuggested) in [
      (LEFeatures([.encryption, .dataPacketLengthExtension]), true), ([.encryption], false),
    ] {
      var quirks = ControllerPair.Quirks()
      quirks.features = features
      let commands = started(quirks).controllers.sides[0].commands
      let expected = Command.leWriteSuggestedDefaultDataLength(LEDataLength(octets: 251, microseconds: 2_120))
      #expect(commands.contains(expected) == isSuggested)
    }
  }

  /// A controller that swallows a command that can be missed only costs time.
  @Test(arguments: [
    Opcode.readLocalSupportedCommands, .readLocalVersionInformation, .readDeviceAddress, .leReadBufferSize,
  ])
  func passesOverWhatIsNotAnswered(_ opcode: Opcode) {
    var quirks = ControllerPair.Quirks()
    quirks.unanswered = [opcode.rawValue]
    var pair = started(quirks)
    #expect(readiness(pair) == nil)
    pair.fire(0, .seconds(2))
    #expect(readiness(pair) != nil)
    #expect(pair.timers[0].isEmpty)
  }

  /// Imitations of controllers give answers that are too short, which answer the command all the same.
  @Test(
    arguments: [
      Opcode.readLocalSupportedCommands, .readLocalVersionInformation, .readDeviceAddress,
      .leReadLocalSupportedFeatures,
      .leReadBufferSize, .reset,
    ], [0, 1, 2])
  func takesAnAnswerThatIsCutForAnAnswer(_ opcode: Opcode, _ length: Int) throws {
    var quirks = ControllerPair.Quirks()
    quirks.cutAnswers = [opcode.rawValue: length]
    let pair = started(quirks)
    if opcode == .reset, length == 0 {
      // Without a status nobody knows whether it was done, and it is needed.
      #expect(failure(pair) == .commandRefused(opcode: opcode.rawValue, .unspecifiedError))
    } else {
      let information = try #require(readiness(pair))
      #expect(information.aclDataLength == (opcode == .leReadBufferSize ? 64 : 27))
    }
    #expect(pair.timers[0].isEmpty)
  }

  @Test func isRefusedWhereThereAreNoBuffersAtAll() {
    var quirks = ControllerPair.Quirks()
    quirks.buffers = LEBufferSize(octets: 0, count: 0)
    for cut in [[:], [Opcode.readBufferSize.rawValue: 1]] {
      quirks.sharedBuffers = SharedBufferSize(octets: cut.isEmpty ? 0 : 64, count: 3)
      quirks.cutAnswers = cut
      #expect(
        failure(started(quirks))
          == .commandRefused(opcode: Opcode.readBufferSize.rawValue, .memoryCapacityExceeded))
    }
  }

  /// Intel's 7260 never gives back the credit of its first command.
  @Test(arguments: [Opcode.reset, .leReadBufferSize, .leSetRandomAddress])
  func goesOnAfterAWhileWhereACreditIsKept(_ opcode: Opcode) {
    var quirks = ControllerPair.Quirks()
    quirks.keepsCredits = [opcode.rawValue]
    var pair = started(quirks)
    if readiness(pair) == nil { pair.fire(0, .seconds(2)) }
    #expect(readiness(pair) != nil)
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    if !pair.controllers.sides[0].isAdvertising { pair.fire(0, .seconds(2)) }
    #expect(pair.controllers.sides[0].isAdvertising)
    #expect(pair.controllers.sides[0].commands.filter { $0 == .reset }.count == 1)
    #expect(pair.timers[0].isEmpty)
  }

  @Test func failuresAreSentences() {
    let sentences = [
      HostFailure.commandTimeout(opcode: Opcode.reset.rawValue), .commandRefused(opcode: 0x2001, .unknownCommand),
      .hardwareError(3), .controllerLost,
    ].map { "\($0)" }
    #expect(sentences[0] == "it did not answer the command 0x0C03 (reset)")
    #expect(sentences[1] == "it refused the command 0x2001 with error 0x01")
  }

  @Test(arguments: [Opcode.reset, .setEventMask, .leSetRandomAddress])
  func climbsTheLadderOfResetsAndGivesUp(_ opcode: Opcode) {
    var quirks = ControllerPair.Quirks()
    quirks.unanswered = [opcode.rawValue]
    var pair = started(quirks)
    for _ in 1...SetUpSequence.resetLimit {
      #expect(failure(pair) == nil)
      pair.fire(0, .seconds(2))
    }
    #expect(failure(pair) == .commandTimeout(opcode: opcode.rawValue))
    #expect(pair.controllers.sides[0].commands.filter { $0 == .reset }.count == SetUpSequence.resetLimit)
    #expect(pair.timers[0].isEmpty)
  }

  @Test func isRefusedWhereSomethingNeededIs() {
    var quirks = ControllerPair.Quirks()
    quirks.refused = [Opcode.leSetEventMask.rawValue: .unknownCommand]
    #expect(failure(started(quirks)) == .commandRefused(opcode: 0x2001, .unknownCommand))
  }

  @Test func keepsEarlyRequestsUntilItIsReady() {
    var quirks = ControllerPair.Quirks()
    quirks.unanswered = [Opcode.readDeviceAddress.rawValue]
    var pair = started(quirks)
    pair.ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [])))
    #expect(!pair.controllers.sides[0].isAdvertising)
    pair.fire(0, .seconds(2))
    #expect(pair.controllers.sides[0].isAdvertising)
  }
}

@Suite struct ControllerTrouble {
  private func ends(_ pair: HostPair) -> [ErrorCode] {
    pair.all(0) { if case .disconnected(_, let code) = $0 { code } else { nil } }
  }

  @Test func losingTheControllerEndsEveryLinkInWord() {
    var pair = HostPair.connected()
    pair.give(0, .controllerLost)
    #expect(ends(pair) == [.hardwareFailure])
    #expect(failure(pair) == .controllerLost)
    #expect(pair.timers[0].isEmpty)
    pair.give(0, .controllerLost)
    #expect(ends(pair).count == 1)
  }

  @Test func aHardwareErrorEndsEveryLinkInWord() {
    var pair = HostPair.connected()
    pair.give(0, .packet(Event.hardwareError(0x42).packet))
    #expect(ends(pair) == [.hardwareFailure])
    #expect(failure(pair) == .hardwareError(0x42))
  }

  @Test func anEssentialCommandWithoutAnswerIsTheEnd() {
    var pair = HostPair.connected()
    pair.controllers.sides[0].quirks.unanswered = [Opcode.disconnect.rawValue]
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.fire(0, .seconds(2))
    #expect(failure(pair) == .commandTimeout(opcode: Opcode.disconnect.rawValue))
    #expect(ends(pair) == [.hardwareFailure])
  }

  /// Bumble's controller answers Read_RSSI with a bare error and LE_Set_PHY not at all.
  @Test func wishesMayComeToNothing() {
    var pair = HostPair.connected()
    pair.controllers.sides[0].quirks.refused = [Opcode.readRSSI.rawValue: .unknownCommand]
    pair.controllers.sides[0].quirks.unanswered = [Opcode.leSetPHY.rawValue]
    pair.ask(0, .setPHY(HostPair.handle, .le2M))
    pair.ask(0, .readSignalStrength(HostPair.handle))
    pair.fire(0, .seconds(2))
    #expect(pair.events[0].last == .signalStrength(HostPair.handle, nil))
    #expect(failure(pair) == nil)
    pair.controllers.sides[0].quirks = .init()
    pair.ask(0, .readSignalStrength(HostPair.handle))
    #expect(pair.events[0].last == .signalStrength(HostPair.handle, -50))
  }

  @Test func startingAgainEndsWhatWentOn() {
    var pair = HostPair.connected()
    pair.ask(0, .start(HostConfiguration(ownAddress: HostPair.peripheralAddress, database: database)))
    #expect(ends(pair) == [.connectionTerminatedByLocalHost])
    #expect(pair.all(0) { if case .started = $0 { true } else { nil } }.count == 2)
  }

  @Test func eventsThatCannotBeReadAreSaidAndPassedOver() {
    var pair = HostPair.connected()
    var random = RandomOctets(seed: 5)
    for _ in 0..<3_000 {
      var octets = random.bytes(Int(random.next() % 30))
      if octets.count >= 2 {
        octets[0] = [0x05, 0x08, 0x0E, 0x0F, 0x13, 0x30, 0x3E][Int(random.next() % 7)]
        octets[1] = UInt8(octets.count - 2)
      }
      // No honest controller ends the link in this test.
      if octets.first == 0x05 { continue }
      pair.give(0, .packet(HCIPacket(.event, octets)))
      pair.give(0, .packet(HCIPacket(.acl, random.bytes(Int(random.next() % 12)))))
    }
    #expect(pair.all(0) { if case .protocolViolation(nil, _) = $0 { true } else { nil } }.count > 100)
    #expect(failure(pair) == nil)
  }
}
