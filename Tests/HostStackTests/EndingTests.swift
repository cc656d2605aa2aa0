import Bytes
import HCI
import Testing

@testable import HostStack

/// A pair whose central pairs over a controller that holds its reports back.
private func connected() -> HostPair {
  var slow = ControllerPair.Quirks()
  slow.holdsCompletions = true
  return .connected(quirks: [slow, slow])
}

private func disconnects(_ pair: HostPair, _ side: Int) -> Int {
  pair.controllers.sides[side].commands.filter { if case .disconnect = $0 { true } else { false } }.count
}

private let reason = ErrorCode.remoteUserTerminatedConnection

@Suite struct Endings {
  @Test("A link is ended after what was sent on it: commands overtake data on USB", arguments: [0, 1])
  func theLastFramesGoFirst(_ side: Int) {
    var pair = connected()
    pair.sendSomething(side)
    pair.ask(side, .disconnect(HostPair.handle, reason))
    pair.ask(side, .disconnect(HostPair.handle, reason))
    #expect(disconnects(pair, side) == 0)
    pair.below { $0.complete(side, $1) }
    #expect(disconnects(pair, side) == 1)
    #expect(pair.events[side].last == .disconnected(HostPair.handle, .connectionTerminatedByLocalHost))
    #expect(pair.timers[side].isEmpty)
  }

  @Test func aControllerThatReportsNothingHoldsItASecond() {
    var pair = connected()
    pair.sendSomething(1)
    pair.ask(1, .disconnect(HostPair.handle, reason))
    pair.fire(1, .seconds(1))
    #expect(disconnects(pair, 1) == 1)
    #expect(pair.events[1].last == .disconnected(HostPair.handle, .connectionTerminatedByLocalHost))
  }

  @Test func anIdleLinkIsEndedAtOnce() {
    var pair = HostPair.connected()
    pair.ask(1, .disconnect(HostPair.handle, reason))
    #expect(disconnects(pair, 1) == 1)
    #expect(pair.timers[1].isEmpty)
  }

  @Test func nothingMoreIsSentMeanwhile() {
    var pair = connected()
    pair.sendSomething(1)
    pair.ask(1, .disconnect(HostPair.handle, reason))
    let sent = pair.sent[1].count
    pair.ask(1, .client(HostPair.handle, ClientToken(2), .discoverAll))
    #expect(pair.sent[1].count == sent)
  }

  @Test func aRefusalLeavesTheLinkInUse() {
    var pair = connected()
    pair.controllers.sides[1].quirks.refused = [Opcode.disconnect.rawValue: .commandDisallowed]
    pair.sendSomething(1)
    pair.ask(1, .disconnect(HostPair.handle, reason))
    pair.below { $0.complete(1, $1) }
    #expect(disconnects(pair, 1) == 1)
    pair.controllers.sides[1].quirks = .init()
    pair.ask(1, .disconnect(HostPair.handle, reason))
    #expect(disconnects(pair, 1) == 2)
    #expect(pair.events[1].last == .disconnected(HostPair.handle, .connectionTerminatedByLocalHost))
  }
}

extension HostPair {
  /// Lets a side hand a frame to its controller, which has not sent it as far as it says.
  fileprivate mutating func sendSomething(_ side: Int) {
    let before = sent[side].count
    ask(side, side == 1 ? .client(Self.handle, ClientToken(1), .exchangeMaximumTransmissionUnit) : .secure(Self.handle))
    #expect(sent[side].dropFirst(before).map(\.kind) == [.acl])
  }
}
