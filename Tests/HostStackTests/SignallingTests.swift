import Bytes
import HCI
import HostStack
import Packets
import Testing

private let wished = ConnectionParameters(
  minimumIntervalUnits: 12, maximumIntervalUnits: 20, latency: 0, supervisionTimeoutUnits: 200)
private let granted = ConnectionParameters(intervalUnits: 20, supervisionTimeoutUnits: 200)

private func pair(_ policy: ParameterUpdatePolicy) -> HostPair {
  HostPair.connected { $1.parameterUpdatePolicy = policy }
}

/// Commands that a side's host has put on the signalling channel.
private func signalled(_ pair: HostPair, _ side: Int) -> [SignallingCommand.Content] {
  pair.sent[side].filter { $0.kind == .acl }.compactMap { packet in
    guard let data = try? ACLPacket(decoding: packet.bytes), let frame = try? L2CAPFrame(decoding: data.payload),
      frame.channel == .signalling
    else { return nil }
    return try? SignallingCommand(decoding: frame.payload).content
  }
}

@Suite struct Signalling {
  @Test("Pitfall 20: the peripheral asks, the central grants and updates")
  func accepted() {
    var pair = pair(.accept)
    pair.ask(0, .updateParameters(HostPair.handle, wished))
    #expect(pair.events[0].last == .parametersUpdated(HostPair.handle, granted))
    #expect(pair.events[1].last == .parametersUpdated(HostPair.handle, granted))
    #expect(pair.timers[0].isEmpty)
  }

  @Test func rejected() {
    var pair = pair(.reject)
    pair.ask(0, .updateParameters(HostPair.handle, wished))
    #expect(pair.events[0].last == .parameterUpdateFailed(HostPair.handle, .unacceptableConnectionParameters))
    #expect(signalled(pair, 1) == [.parameterUpdateResponse(accepted: false)])
  }

  @Test func notAnswered() {
    var pair = pair(.ignore)
    pair.ask(0, .updateParameters(HostPair.handle, wished))
    pair.fire(0, .seconds(30))
    #expect(pair.events[0].last == .parameterUpdateFailed(HostPair.handle, .unspecifiedError))
  }

  @Test(arguments: [true, false]) func leftToTheApplication(_ isAccepted: Bool) {
    var pair = pair(.ask)
    pair.application = { side, event in
      guard case .parameterUpdateRequested(let handle, wished, let identifier) = event, side == 1 else { return [] }
      return [
        .answerParameterUpdate(handle, identifier: identifier &+ 1, accepted: !isAccepted),
        .answerParameterUpdate(handle, identifier: identifier, accepted: isAccepted),
      ]
    }
    pair.ask(0, .updateParameters(HostPair.handle, wished))
    #expect(signalled(pair, 1) == [.parameterUpdateResponse(accepted: isAccepted)])
    #expect(pair.events[0].contains(.parametersUpdated(HostPair.handle, granted)) == isAccepted)
  }

  @Test("Pitfall 9: a request that breaks the rule of the supervision time-out is rejected")
  func impossibleParametersAreRejected() {
    var pair = pair(.accept)
    let impossible = ConnectionParameters(intervalUnits: 3_200, latency: 10, supervisionTimeoutUnits: 100)
    pair.ask(0, .updateParameters(HostPair.handle, impossible))
    #expect(signalled(pair, 1) == [.parameterUpdateResponse(accepted: false)])
    #expect(pair.events[0].last == .parameterUpdateFailed(HostPair.handle, .unacceptableConnectionParameters))
  }

  @Test("Pitfall 20: identifiers are not 0 and change")
  func identifiersChange() {
    var pair = pair(.ignore)
    var seen: Set<UInt8> = []
    for _ in 0..<300 {
      pair.ask(0, .updateParameters(HostPair.handle, wished))
      if let packet = pair.sent[0].last { seen.insert(packet.bytes[9]) }
    }
    #expect(seen == Set(1...255))
    #expect(pair.timers[0].count == 1)
  }

  @Test(
    "Pitfall 20: what a side does not take gets a Command Reject",
    arguments: [
      (0, "12 05 0800 0c00 1400 0000 c800", true), (1, "14 05 0200 0102", true), (1, "12 05 0300 0c0014", true),
      (1, "16 05 0000 16 06 0000", true), (1, "12 00 0800 0c00 1400 0000 c800", false), (1, "13 05 0200 0000", false),
      (1, "", false), (1, "12", false), (1, "01 05 0200 0000", false), (1, "01 05 0100 00", false),
    ] as [(Int, String, Bool)])
  func otherCommandsAreRejected(_ side: Int, _ text: String, _ isRejected: Bool) throws {
    var pair = pair(.accept)
    pair.inject(side, .signalling, try #require(Hexadecimal.bytes(text)))
    #expect(signalled(pair, side) == (isRejected ? [.commandReject(.notUnderstood)] : []))
  }

  @Test func aCentralThatDoesNotKnowTheRequestIsTold() {
    var pair = pair(.ignore)
    pair.ask(0, .updateParameters(HostPair.handle, wished))
    pair.inject(0, .signalling, [0x01, 0x01, 2, 0, 0, 0])
    #expect(pair.events[0].last == .parameterUpdateFailed(HostPair.handle, .unsupportedRemoteFeature))
  }

  @Test func theCentralUpdatesAtOnce() {
    var pair = pair(.accept)
    pair.ask(1, .updateParameters(HostPair.handle, wished))
    #expect(pair.events[0].last == .parametersUpdated(HostPair.handle, granted))
    #expect(signalled(pair, 1).isEmpty)
  }

  @Test func unknownChannelsAreSaidAndPassedOver() {
    var pair = pair(.accept)
    pair.inject(0, ChannelIdentifier(rawValue: 0x0040), [1, 2, 3])
    guard case .protocolViolation(HostPair.handle, _)? = pair.events[0].last else {
      Issue.record("no word of the channel")
      return
    }
  }
}
