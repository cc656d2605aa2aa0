import Glibc
import HCI
import System
import Testing
import Timeline

@testable import Transports

@Suite struct H4Pipes {
  static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])
  static let resetDone = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
  static let data = HCIPacket(.acl, [0x01, 0x20, 0x03, 0x00, 0xAA, 0xBB, 0xCC])

  @Test(arguments: [1, 2, 5, 1000]) func putPacketsTogetherFromPiecesOfAnySize(_ size: Int) throws {
    let line = try Line()
    line.listen()
    let sent = [Self.resetDone, Self.data, Self.resetDone]
    var rest = sent.flatMap { [$0.kind.rawValue] + $0.bytes }[...]
    func drip() {
      line.write(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      if !rest.isEmpty { line.loop.schedule(after: .microseconds(1)) { drip() } }
    }
    drip()
    line.loop.runWall { line.collector.packets.count == sent.count || line.collector.closure != nil }
    #expect(line.collector.packets == sent)
    line.hangUp()
    line.runUntilClosed()
    #expect(line.collector.closure == .closedByPeer)
  }

  @Test func keepWhatComesBeforeAReceiverIsSet() throws {
    let line = try Line()
    line.write([4] + Self.resetDone.bytes)
    line.hangUp()
    line.listen()
    line.runUntilClosed()
    #expect(line.collector.packets == [Self.resetDone])
  }

  @Test func writePacketsInOrderWithTheirIndicator() throws {
    let line = try Line()
    line.pipe.send(Self.reset)
    line.pipe.send(Self.data)
    #expect(line.read() == [1] + Self.reset.bytes + [2] + Self.data.bytes)
    line.pipe.close()
    line.pipe.send(Self.reset)
    #expect(line.read().isEmpty)
  }

  @Test func waitForAPeerThatReadsSlowlyAndLoseNothing() throws {
    let line = try Line()
    line.listen()
    let packet = HCIPacket(.acl, [0x01, 0x20, 0xFB, 0x00] + [UInt8](repeating: 0x55, count: 251))
    // More than the system's own buffer, less than what the pipe lets wait.
    let count = 1000
    for _ in 0..<count { line.pipe.send(packet) }
    var read: [UInt8] = []
    func drain() {
      read += line.read(3000)
      if read.count < count * 256 { line.loop.schedule(after: .microseconds(1)) { drain() } }
    }
    drain()
    line.loop.runWall { read.count == count * 256 || line.collector.closure != nil }
    #expect(line.collector.closure == nil)
    #expect(read == (0..<count).flatMap { _ in [2] + packet.bytes })
  }

  @Test func giveUpAPeerThatDoesNotReadAtAll() throws {
    let line = try Line()
    line.listen()
    let packet = HCIPacket(.acl, [0x01, 0x20, 0xFB, 0x00] + [UInt8](repeating: 0x55, count: 251))
    for _ in 0..<8192 { line.pipe.send(packet) }
    // Told from the loop, never from within the call that sent too much.
    #expect(line.collector.closure == nil)
    line.runUntilClosed()
    #expect(line.collector.closure == .failed("the other end does not read: over 262144 octets wait"))
    line.hangUp()
  }

  static let broken: [([UInt8], String)] = [
    ([0x7F, 1, 2, 3], "no packet begins with 0x7f"),
    ([2, 0x01, 0x20, 0xFF, 0xFF, 0], "65535 octets"),
    ([4, 0x0E, 0x04, 0x01], "within a packet"),
    ([1, 0x03], "within a packet"),
  ]

  @Test(arguments: broken) func closeWithAReasonWhenTheOctetsMakeNoPackets(_ octets: [UInt8], _ words: String) throws {
    let line = try Line()
    line.listen()
    line.write([4] + Self.resetDone.bytes + octets)
    line.hangUp()
    line.runUntilClosed()
    #expect(line.collector.packets == [Self.resetDone])
    guard case .failed(let reason)? = line.collector.closure else {
      Issue.record("closed as \(String(describing: line.collector.closure))")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  @Test func stopDeliveringWhenTheReceiverCloses() throws {
    let line = try Line()
    line.listen()
    line.collector.onPacket = { _ in line.pipe.close() }
    line.write([4] + Self.resetDone.bytes + [4] + Self.resetDone.bytes)
    line.loop.runWall { !line.collector.packets.isEmpty }
    #expect(line.collector.packets.count == 1)
    #expect(line.collector.closure == nil)
  }

  /// A stream that takes so many octets and keeps what was asked of it.
  private final class ShortStream: OctetStream {
    let descriptor: FileDescriptor
    let toleratedGarbage = 0
    var room: Int
    var calls: [String] = []

    init(room: Int) throws {
      self.room = room
      descriptor = try FileDescriptor.pipe().writing
    }

    func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? { nil }
    func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int {
      let count = min(room, octets.count)
      room -= count
      return count
    }
    func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure { .closedByPeer }
    func sentence(forGarbage violation: H4Violation?) -> String { "" }
    func sayFarewell() { calls.append("farewell") }
    func close() {
      calls.append("close")
      descriptor.close()
    }
  }

  @Test(arguments: [
    (packets: 0, room: 100, calls: ["close"]), (1, 100, ["farewell", "close"]),
    // Within a packet a farewell would only be taken for its rest.
    (1, 3, ["close"]),
  ]) func sayFarewellWhenTheyWereUsed(_ packets: Int, _ room: Int, _ calls: [String]) throws {
    let stream = try ShortStream(room: room)
    let pipe = H4Pipe(over: stream, on: EventLoop.wall(), side: .host)
    for _ in 0..<packets { pipe.send(Self.reset) }
    pipe.close()
    #expect(stream.calls == calls)
  }
}
