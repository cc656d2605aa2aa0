import CUSB
import HCI
import Testing
import Timeline

@testable import Transports

@Suite struct TransferPolicies {
  @Test(arguments: USBWay.allCases) func goOnAfterSuccessAndStopWhenTheDeviceIsGone(_ way: USBWay) {
    var policy = TransferPolicy(way)
    #expect(policy.judge(.completed) == .take)
    #expect(policy.judge(.cancelled) == .stop)
    #expect(policy.judge(.gone) == .giveUp("unplugged"))
  }

  @Test func passADisturbanceOverButNotARowOfThem() {
    var policy = TransferPolicy(.events)
    for _ in 0..<10 {
      #expect(policy.judge(.stalled) == .clearHalt)
      #expect(policy.judge(.failed) == .again)
      #expect(policy.judge(.failed) == .again)
      #expect(policy.judge(.completed) == .take)
    }
    for _ in 0..<3 { #expect(policy.judge(.stalled) == .clearHalt) }
    #expect(policy.judge(.stalled) == .giveUp("4 transfers of events failed in a row"))
  }

  @Test func aStalledCommandIsOnlyNotAnswered() {
    var policy = TransferPolicy(.commands)
    for _ in 0..<10 { #expect(policy.judge(.stalled) == .pass) }
  }

  @Test func libusbsCodesAreTranslated() {
    #expect(USBTrouble.outcome(LIBUSB_TRANSFER_COMPLETED) == .completed)
    #expect(USBTrouble.outcome(LIBUSB_TRANSFER_STALL) == .stalled)
    #expect(USBTrouble.outcome(LIBUSB_TRANSFER_NO_DEVICE) == .gone)
    #expect(USBTrouble.outcome(LIBUSB_TRANSFER_ERROR) == .failed)
    #expect(USBTrouble.taking(LIBUSB_ERROR_ACCESS.rawValue).description.contains("ci/60-dictobench.rules"))
    #expect(USBTrouble.taking(LIBUSB_ERROR_BUSY.rawValue).description.hasPrefix("in use: another program"))
    #expect(USBTrouble.taking(LIBUSB_ERROR_NO_DEVICE.rawValue).description == "unplugged: plug it in again")
    #expect(USBTrouble.using(LIBUSB_ERROR_IO.rawValue).problem == "libusb: Input/Output Error")
  }
}

/// The link of a dongle that does what a test says.
private final class PretendedLink: USBLink {
  var onRound: (([TransferReport]) -> Void)?
  /// What was asked, in order: `events`, `commands 030c00`, `clear events`, `close`.
  var calls: [String] = []
  var trouble: AdapterTrouble?

  func submit(_ way: USBWay, _ octets: [UInt8]) throws(AdapterTrouble) {
    if let trouble { throw trouble }
    calls.append(octets.isEmpty ? "\(way)" : "\(way) \(octets)")
  }
  func clearHalt(_ way: USBWay) throws(AdapterTrouble) { calls.append("clear \(way)") }
  func close() { calls.append("close") }

  /// Transfers end, as the loop would tell.
  func end(_ reports: (USBWay, TransferOutcome, [UInt8])...) {
    onRound?(reports.map { TransferReport(way: $0.0, outcome: $0.1, octets: $0.2) })
  }

  func calls(_ text: String) -> Int { calls.count { $0 == text } }
}

@Suite struct USBPipes {
  private static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])
  private static let resetDone = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
  private static let connected = HCIPacket(.event, [0x3E, 0x01, 0x01])
  private static let disconnected = HCIPacket(.event, [0x05, 0x04, 0x00, 0x40, 0x00, 0x13])
  private static let data = HCIPacket(.acl, [0x40, 0x20, 0x02, 0x00, 0xAA, 0xBB])

  private struct Desk {
    let link = PretendedLink()
    let loop = EventLoop.wall()
    let collector = Collector()
    let pipe: USBPipe

    init(listening: Bool = true) {
      pipe = USBPipe(link, on: loop, name: "dongle")
      if listening { pipe.receiver = collector }
    }
  }

  @Test func keepSeveralTransfersWaitingOnceThereIsAReceiver() {
    let desk = Desk(listening: false)
    #expect(desk.link.calls.isEmpty)
    desk.pipe.receiver = desk.collector
    #expect(desk.link.calls("events") == 8)
    #expect(desk.link.calls("incoming") == 8)
    desk.link.end((.events, .completed, Self.resetDone.bytes), (.incoming, .completed, [0x40]))
    #expect(desk.link.calls("events") == 9)
    #expect(desk.link.calls("incoming") == 9)
    #expect(desk.collector.packets == [Self.resetDone])
  }

  @Test func sendOneAfterTheOtherOnEachWay() {
    let desk = Desk(listening: false)
    desk.pipe.send(Self.reset)
    desk.pipe.send(Self.data)
    desk.pipe.send(HCIPacket(.command, [0x09, 0x10, 0x00]))
    desk.pipe.send(HCIPacket(.synchronous, [0, 0, 0]))
    #expect(desk.link.calls == ["commands [3, 12, 0]", "outgoing [64, 32, 2, 0, 170, 187]"])
    desk.link.end((.commands, .completed, Self.reset.bytes))
    #expect(desk.link.calls.last == "commands [9, 16, 0]")
    desk.link.end((.commands, .completed, [0x09, 0x10, 0x00]), (.outgoing, .completed, Self.data.bytes))
    #expect(desk.link.calls.count == 3)
  }

  @Test func deliverWhatLetsDataFlowBeforeTheDataAndTheEndAfterIt() {
    let desk = Desk()
    desk.link.end(
      (.incoming, .completed, Self.data.bytes), (.events, .completed, Self.connected.bytes),
      (.events, .completed, Self.disconnected.bytes), (.events, .completed, Self.resetDone.bytes))
    #expect(desk.collector.packets == [Self.connected, Self.data, Self.disconnected, Self.resetDone])
  }

  @Test func passAStrayOctetBehindAnEventOver() {
    let desk = Desk()
    desk.link.end((.events, .completed, Self.resetDone.bytes + [0x00]))
    desk.link.end((.events, .completed, Self.connected.bytes))
    // A header that is cut by the end of a transfer is none of those.
    desk.link.end((.events, .completed, [0x3E]), (.events, .completed, [0x01, 0x02]))
    #expect(desk.collector.packets == [Self.resetDone, Self.connected, HCIPacket(.event, [0x3E, 0x01, 0x02])])
  }

  @Test func recoverAHaltedEndpointAndForgetTheCutPacket() {
    let desk = Desk()
    desk.link.end((.events, .completed, Array(Self.resetDone.bytes.prefix(4))))
    desk.link.calls = []
    desk.link.end((.events, .stalled, []))
    #expect(desk.link.calls == ["clear events", "events"])
    desk.link.end((.events, .completed, Self.connected.bytes))
    #expect(desk.collector.packets == [Self.connected])
    desk.pipe.send(Self.data)
    desk.link.calls = []
    desk.link.end((.outgoing, .stalled, Self.data.bytes))
    #expect(desk.link.calls == ["clear outgoing", "outgoing [64, 32, 2, 0, 170, 187]"])
  }

  @Test func aRefusedCommandLetsTheNextOneGo() {
    let desk = Desk(listening: false)
    desk.pipe.send(HCIPacket(.command, [0x00, 0xFC, 0x00]))
    desk.pipe.send(Self.reset)
    desk.link.end((.commands, .stalled, [0x00, 0xFC, 0x00]))
    #expect(desk.link.calls.last == "commands [3, 12, 0]")
  }

  @Test func closeWhenTheyAreUnpluggedAfterDeliveringWhatCame() {
    let desk = Desk()
    desk.link.end((.events, .completed, Self.resetDone.bytes), (.incoming, .gone, []), (.events, .gone, []))
    #expect(desk.collector.packets == [Self.resetDone])
    #expect(desk.collector.closure == .failed("dongle: unplugged"))
    #expect(desk.link.calls("close") == 1)
    desk.pipe.close()
    #expect(desk.link.calls("close") == 1)
  }

  @Test func tellAFailureToSendFromTheLoopOnly() {
    let desk = Desk()
    desk.link.trouble = USBTrouble.using(LIBUSB_ERROR_NO_DEVICE.rawValue)
    desk.pipe.send(Self.reset)
    #expect(desk.collector.closure == nil)
    desk.loop.runWall { desk.collector.closure != nil }
    #expect(desk.collector.closure == .failed("dongle: unplugged"))
  }

  @Test func giveUpADeviceThatTakesNothing() {
    let desk = Desk()
    let packet = HCIPacket(.acl, [0x01, 0x20, 0xFB, 0x00] + [UInt8](repeating: 0x55, count: 251))
    for _ in 0..<2000 { desk.pipe.send(packet) }
    desk.loop.runWall { desk.collector.closure != nil }
    #expect(desk.collector.closure == .failed("dongle: takes nothing: over 262144 octets wait"))
  }

  @Test func resetAControllerThatTheyUsed() {
    let desk = Desk(listening: false)
    desk.pipe.send(HCIPacket(.command, [0x09, 0x10, 0x00]))
    desk.pipe.close()
    #expect(desk.link.calls == ["commands [9, 16, 0]", "commands [3, 12, 0]", "close"])
    let unused = Desk(listening: false)
    unused.pipe.close()
    #expect(unused.link.calls == ["close"])
  }

  @Test func refuseWhatIsNotHCI() {
    let desk = Desk()
    desk.link.end((.incoming, .completed, [0xFF, 0xFF, 0xFF, 0xFF]))
    #expect(
      desk.collector.closure
        == .failed("dongle: what it sends is not HCI: acl packet of 65535 octets, at most 4096 are accepted"))
  }

  @Test func stopWhenTheReceiverCloses() {
    let desk = Desk()
    desk.collector.onPacket = { _ in desk.pipe.close() }
    desk.link.end((.events, .completed, Self.resetDone.bytes + Self.resetDone.bytes))
    #expect(desk.collector.packets.count == 1)
    #expect(desk.collector.closure == nil)
    #expect(desk.link.calls.last == "close")
  }
}
