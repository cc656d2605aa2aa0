import Bytes
import Controllers
import HCI
import Testing
import Timeline

private let timing = Pair.timing()
private let absent = ConnectionHandle(0x0EFF)

@Suite struct Commands {
  /// What each command is answered in a state where it must be refused, and how.
  @Test(
    arguments: [
      (.disconnect(absent, reason: .remoteUserTerminatedConnection), .unknownConnectionIdentifier),
      (.readRSSI(absent), .unknownConnectionIdentifier),
      (.leReadRemoteFeatures(absent), .unknownConnectionIdentifier),
      (.readRemoteVersionInformation(absent), .unknownConnectionIdentifier),
      (.leConnectionUpdate(absent, timing), .unknownConnectionIdentifier),
      (.leSetDataLength(absent, LEDataLength(octets: 27, microseconds: 328)), .unknownConnectionIdentifier),
      (.leSetPHY(absent, PHYPreference(), options: 0), .unknownConnectionIdentifier),
      (.leReadPHY(absent), .unknownConnectionIdentifier),
      (.leLongTermKeyRequestNegativeReply(absent), .unknownConnectionIdentifier),
      (.leCreateConnectionCancel, .commandDisallowed),
      (.leWriteSuggestedDefaultDataLength(LEDataLength(octets: 26, microseconds: 328)), .invalidHCICommandParameters),
      (.leSetDefaultPHY(PHYPreference(transmit: .leCoded)), .unsupportedFeatureOrParameterValue),
      (.leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: 0x1F)), .invalidHCICommandParameters),
      (
        .leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: 160, channels: [])),
        .invalidHCICommandParameters
      ),
      (
        .leSetScanParameters(LEScanParameters(isActive: true, intervalUnits: 16, windowUnits: 17)),
        .invalidHCICommandParameters
      ),
      (
        // Pitfall 9: the supervision time-out is longer than (1 + latency) * interval * 2.
        .leCreateConnection(
          LECreateConnection(
            peerAddress: BluetoothAddress(1, .random),
            timing: Pair.timing(intervalUnits: 40, latency: 1, supervisionTimeoutUnits: 20))),
        .invalidHCICommandParameters
      ), (.unknown(Opcode(rawValue: 0x0C03), [1]), .invalidHCICommandParameters),
      (.unknown(Opcode(rawValue: 0xFC01), []), .unknownCommand),
    ] as [(Command, ErrorCode)])
  func aCommandThatCannotBeCarriedOutIsRefusedWithTheRightError(_ command: Command, _ error: ErrorCode) {
    let pair = Pair()
    pair.central.forget()
    pair.central.send(command)
    pair.run(.milliseconds(5))
    #expect(pair.central.events.count == 1)
    // Only who sent a vendor's command knows that its answer begins with a status.
    if case .other(let octets)? = pair.central.answer(command.opcode) {
      #expect(octets == [error.rawValue])
    } else {
      #expect((pair.central.answer(command.opcode)?.status ?? pair.central.status(command.opcode)) == error)
    }
  }

  @Test func pitfall2EveryAnswerGivesACommandCredit() {
    let pair = Pair()
    pair.central.send(.leRand)
    pair.central.send(.leReadRemoteFeatures(absent))
    pair.central.send(.unknown(Opcode(rawValue: 0xFC01), []))
    pair.run(.milliseconds(5))
    for (_, event) in pair.central.events {
      switch event {
      case .commandComplete(_, let credits, _), .commandStatus(_, let credits, _): #expect(credits == 1)
      default: Issue.record("\(event)")
      }
    }
    #expect(pair.central.events.count == 7)
  }

  @Test func pitfall3SharedBuffersAreAnsweredAsNone() {
    var profile = ControllerProfile.phone
    profile.sharesBuffers = true
    profile.bufferCount = 300
    let pair = Pair(central: profile)
    pair.central.send(.leReadBufferSize)
    pair.central.send(.readBufferSize)
    pair.run(.milliseconds(5))
    #expect(pair.central.answer(.leReadBufferSize) == .leBufferSize(LEBufferSize(octets: 0, count: 0)))
    #expect(pair.central.answer(.readBufferSize) == .bufferSize(SharedBufferSize(octets: 251, count: 300)))
  }

  @Test func pitfall5WithoutMasksNoLowEnergyEventComes() {
    let pair = Pair(setUp: false)
    pair.central.send(.leSetRandomAddress(pair.central.address))
    pair.peripheral.setUp()
    pair.peripheral.advertise()
    pair.central.scan()
    pair.run(.seconds(1))
    #expect(pair.central.reports.isEmpty)
    pair.central.send(.setEventMask(.leMeta))
    pair.run(.seconds(1))
    #expect(!pair.central.reports.isEmpty)
    pair.central.send(.leSetEventMask([]))
    pair.run(.milliseconds(10))
    pair.central.forget()
    pair.run(.seconds(1))
    #expect(pair.central.reports.isEmpty)
  }

  @Test func pitfall6ACancelledConnectionAttemptIsReportedAfterTheCommandCompletes() {
    let pair = Pair()
    pair.central.connect(to: pair.peripheral.address, timing)
    pair.run(.seconds(1))
    pair.central.forget()
    pair.central.send(.leCreateConnectionCancel)
    pair.run(.milliseconds(5))
    #expect(
      pair.central.events.map(\.event) == [
        .commandComplete(.leCreateConnectionCancel, credits: 1, .success),
        .leConnectionComplete(.failure(.unknownConnectionIdentifier)),
      ])
  }

  @Test func pitfall6TheCancelLosesTheRaceToAConnection() {
    let pair = Pair()
    pair.connect()
    pair.central.send(.leCreateConnectionCancel)
    pair.run(.milliseconds(5))
    #expect(pair.central.answer(.leCreateConnectionCancel) == .failure(.commandDisallowed))
    #expect(pair.central.connections.map(\.status) == [.success])
  }

  @Test func pitfall7TheRandomAddressIsNotChangedWhileItIsInUse() {
    let pair = Pair()
    let busy: [(start: Command, stop: Command)] = [
      (.leSetAdvertisingEnable(true), .leSetAdvertisingEnable(false)),
      (.leSetScanEnable(true, filterDuplicates: false), .leSetScanEnable(false, filterDuplicates: false)),
      (
        .leCreateConnection(LECreateConnection(peerAddress: pair.peripheral.address, timing: timing)),
        .leCreateConnectionCancel
      ),
    ]
    pair.central.send(.leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: 160)))
    for (start, stop) in busy {
      pair.central.send(start)
      pair.central.send(.leSetRandomAddress(BluetoothAddress(7, .random)))
      pair.run(.milliseconds(5))
      #expect(pair.central.answer(.leSetRandomAddress) == .failure(.commandDisallowed))
      pair.central.send(stop)
      pair.central.send(.leSetRandomAddress(BluetoothAddress(7, .random)))
      pair.run(.milliseconds(5))
      #expect(pair.central.answer(.leSetRandomAddress) == .success)
    }
  }

  @Test func pitfall7AdvertisingEndsByItselfWhenAConnectionIsMade() {
    let pair = Pair()
    pair.connect()
    let sniffer = Sniffer(pair.air)
    pair.run(.seconds(1))
    #expect(sniffer.advertising.isEmpty)
    // It is off, so its data may be set anew and it may be switched on again where another link is allowed.
    pair.peripheral.send(.leSetAdvertisingEnable(true))
    pair.run(.milliseconds(5))
    #expect(pair.peripheral.answer(.leSetAdvertisingEnable) == .failure(.connectionLimitExceeded))
  }

  @Test func theHostHearsOfEverythingHalfAMillisecondLater() {
    let pair = Pair()
    pair.central.forget()
    let sent = pair.loop.now
    pair.central.send(.leRand)
    pair.run(.milliseconds(5))
    #expect(pair.central.events.map(\.instant) == [sent.advanced(by: .milliseconds(1))])
  }

  @Test func aesIsTheFunctionOfTheSpecification() {
    let pair = Pair()
    // FIPS 197, appendix C.1, in HCI's order.
    let key = LEKeyOctets(Hexadecimal.bytes("0f0e0d0c0b0a09080706050403020100")!)
    let plaintext = LEKeyOctets(Hexadecimal.bytes("ffeeddccbbaa99887766554433221100")!)
    pair.central.send(.leEncrypt(key: key, plaintext: plaintext))
    pair.run(.milliseconds(5))
    let expected = LEKeyOctets(Hexadecimal.bytes("5ac5b47080b7cdd830047b6ad8e0c469")!)
    #expect(pair.central.answer(.leEncrypt) == .encrypted(expected))
  }

  @Test(arguments: UInt64(0)..<60) func randomCommandsAndDataNeverTrap(_ seed: UInt64) {
    let pair = Pair(seed: seed)
    pair.connect()
    let choices = ChoiceSource(seed: seed).stream("hostile host")
    let opcodes: [UInt16] = [0x0406, 0x041D, 0x0C01, 0x0C03, 0x1001, 0x1405] + (0x2001...0x2032).map { $0 }
    for _ in 0..<150 {
      let host = choices.below(2) == 0 ? pair.central : pair.peripheral
      var bytes = choices.bytes(Int(choices.below(40)))
      if choices.below(4) > 0 {
        let opcode = opcodes[Int(choices.below(UInt64(opcodes.count)))]
        bytes = [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(bytes.count)] + bytes
        if bytes.count > 4, choices.below(2) == 0 { bytes[3...4] = [UInt8(choices.below(3)), 0] }
      }
      let kind: HCIPacket.Kind = choices.below(6) == 0 ? .acl : .command
      host.controller.send(HCIPacket(kind, bytes))
      if choices.below(3) == 0 { pair.run(.microseconds(Int64(choices.below(40_000)))) }
    }
    pair.run(.seconds(60))
    pair.central.send(.reset)
    pair.run(.milliseconds(5))
    #expect(pair.central.answer(.reset) == .success)
  }
}
