import Bytes
import HCI
import Packets
import Testing

@testable import HostStack

private func failure(_ pair: HostPair, _ side: Int) -> HostFailure? {
  pair.all(side) { if case .failed(let failure) = $0 { failure } else { nil } }.last
}

/// A controller that swallows one event, of one kind, is found by what cannot be without it.
@Suite struct LostEvents {
  /// Told twice, or the end of the first was lost and the second is another's: the peer of neither is to blame.
  @Test(arguments: [0, 1], [HostPair.peripheralAddress, BluetoothAddress("C0:00:00:00:00:09")!])
  func aConnectionByAHandleInUseIsTheControllersFault(_ side: Int, _ peer: BluetoothAddress) {
    var pair = HostPair.connected()
    let connection = LEConnectionComplete(
      handle: HostPair.handle, role: side == 1 ? .central : .peripheral, peerAddress: peer,
      link: LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 200))
    pair.below { $1(side, Event.leConnectionComplete(connection).packet) }
    #expect(failure(pair, side) == .handleInUse(HostPair.handle))
    #expect(pair.all(side) { if case .connected = $0 { true } else { nil } }.count == 1)
  }

  @Test func aCancelledAttemptThatIsNoneWasAConnection() {
    var pair = HostPair.started()
    pair.lose(.leMeta, by: 1)
    pair.connect()
    pair.ask(1, .cancelConnect)
    #expect(failure(pair, 1) == nil)
    pair.fire(1, .seconds(2))
    #expect(failure(pair, 1) == .eventLost(.connectionComplete))
  }

  @Test func anEventThatComesLateIsNotLost() {
    var pair = HostPair.started()
    pair.lose(.leMeta, by: 1)
    pair.connect()
    pair.ask(1, .cancelConnect)
    pair.deliverLost()
    #expect(pair.timers[1].isEmpty)
    #expect(pair.all(1) { if case .connected = $0 { true } else { nil } }.count == 1)
  }

  @Test("Data of a link that nobody was told of", arguments: [0, 1])
  func strayData(_ side: Int) {
    var pair = HostPair.started()
    pair.lose(.leMeta, by: side)
    pair.connect()
    pair.ask(1 - side, side == 0 ? .client(HostPair.handle, ClientToken(1), .discoverAll) : .secure(HostPair.handle))
    #expect(failure(pair, side) == nil)
    pair.fire(side, .seconds(1))
    #expect(failure(pair, side) == .eventLost(.connectionComplete))
  }

  @Test func dataMayOvertakeTheEvent() {
    var pair = HostPair.started()
    pair.lose(.leMeta, by: 0)
    pair.connect()
    pair.ask(1, .client(HostPair.handle, ClientToken(1), .discoverAll))
    pair.deliverLost()
    pair.fire(0, .seconds(1))
    #expect(failure(pair, 0) == nil)
  }

  @Test func theLastDataOfALinkMayComeAfterItsEnd() {
    var pair = HostPair.connected()
    pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.inject(0, .attributeProtocol, [0x02, 0xF7, 0x00])
    pair.fire(0, .seconds(1))
    #expect(failure(pair, 0) == nil)
    pair.inject(0, .attributeProtocol, [0x02, 0xF7, 0x00])
    pair.fire(0, .seconds(1))
    #expect(failure(pair, 0) == .eventLost(.connectionComplete))
  }

  @Test func anEndIsWaitedForAsLongAsThePeerMayTake() {
    var pair = HostPair.connected()
    pair.lose(.disconnectionComplete, by: 1)
    pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.fire(1, .seconds(2) + .milliseconds(10 * Int(HostPair.parameters.supervisionTimeoutUnits)))
    #expect(failure(pair, 1) == .eventLost(.disconnectionComplete))
  }

  @Test func anEndBeforeItsCommandIsFoundByTheRefusal() {
    var pair = HostPair.connected()
    pair.lose(.disconnectionComplete, by: 1)
    pair.ask(0, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.controllers.sides[1].quirks.refused = [Opcode.disconnect.rawValue: .unknownConnectionIdentifier]
    pair.ask(1, .disconnect(HostPair.handle, .remoteUserTerminatedConnection))
    pair.fire(1, .seconds(2))
    #expect(failure(pair, 1) == .eventLost(.disconnectionComplete))
  }

  @Test("Encryption that was not told of", arguments: [true, false])
  func encryption(isSecure: Bool) {
    var pair = HostPair.connected { $1.security.secureConnections = isSecure }
    pair.lose(.encryptionChange, by: 1)
    pair.ask(1, .secure(HostPair.handle))
    #expect(failure(pair, 1) == nil)
    pair.fire(1, .seconds(20) + .milliseconds(10 * Int(HostPair.parameters.supervisionTimeoutUnits)))
    #expect(failure(pair, 1) == .eventLost(.encryptionChange))
  }

  /// The link layer ends a link whose peripheral does not give its key after 40 s.
  @Test func aKeyThatIsNeverGivenIsLeftToTheLinkLayer() throws {
    var pair = HostPair.connected()
    pair.ask(1, .secure(HostPair.handle))
    pair.reconnect()
    // The peripheral's host is not told of the request for its key.
    pair.lose(.leMeta, by: 0)
    pair.ask(1, .secure(HostPair.handle))
    let supervision = Duration.milliseconds(10 * Int(HostPair.parameters.supervisionTimeoutUnits))
    let wait = try #require(pair.timers[1].first { $0.token.kind == TimerKind.encryption.rawValue })
    #expect(wait.duration > .seconds(40) + supervision)
    pair.fire(1, wait.duration)
    #expect(failure(pair, 1) == .eventLost(.encryptionChange))
  }

  @Test func keysMayOvertakeTheEvent() {
    var pair = HostPair.connected()
    pair.lose(.encryptionChange, by: 1)
    pair.ask(1, .secure(HostPair.handle))
    pair.deliverLost()
    for side in 0...1 {
      #expect(pair.all(side) { if case .bondCreated = $0 { true } else { nil } }.count == 1)
    }
  }

  @Test func aPeripheralThatGaveTheKeyIsToldInTime() {
    var pair = HostPair.connected()
    pair.lose(.encryptionChange, by: 0)
    pair.ask(1, .secure(HostPair.handle))
    pair.fire(0, .seconds(20) + .milliseconds(10 * Int(HostPair.parameters.supervisionTimeoutUnits)))
    #expect(failure(pair, 0) == .eventLost(.encryptionChange))
  }
}
