import Bytes
import HCI
import Packets
import Testing

@testable import HostStack

private let first = ConnectionHandle(1)
private let second = ConnectionHandle(2)

/// A scheduler with its reports written down.
private struct Scheduled {
  var scheduler: ACLScheduler
  var sent: [ACLPacket] = []
  var transmitted: [UInt32] = []

  init(dataLength: Int, packetCount: Int) {
    scheduler = ACLScheduler(dataLength: dataLength, packetCount: packetCount)
    scheduler.open(first)
    scheduler.open(second)
  }

  mutating func enqueue(_ octets: Int, _ handle: ConnectionHandle, ticket: UInt32? = nil) {
    var writer = ByteWriter()
    ACLScheduler.begin(&writer, handle, length: octets)
    writer.write((0..<octets).map { UInt8(truncatingIfNeeded: $0) })
    scheduler.enqueue(writer.bytes, for: handle, ticket.map { .transmitted(NotificationTicket($0)) } ?? .none)
    drain()
  }

  mutating func drain() {
    scheduler.drain { report in
      if case .send(let packet) = report, let data = try? ACLPacket(decoding: packet.bytes) { sent.append(data) }
    }
  }

  mutating func complete(_ count: Int, _ handle: ConnectionHandle) {
    scheduler.complete(count, for: handle) { transmitted.append($0.rawValue) }
    drain()
  }
}

@Suite struct ACLFlow {
  @Test("Pitfall 1: a disconnection gives back all credits of that link")
  func disconnectionReturnsCredits() {
    var flow = Scheduled(dataLength: 27, packetCount: 4)
    for _ in 0..<6 { flow.enqueue(10, first) }
    flow.enqueue(10, second)
    #expect(flow.sent.count == 4)
    #expect(flow.sent.allSatisfy { $0.handle == first })
    flow.scheduler.close(first)
    flow.drain()
    #expect(flow.sent.last?.handle == second)
    #expect(flow.scheduler.credits == 3)
    flow.complete(4, first)
    #expect(flow.scheduler.credits == 3)
  }

  @Test func aControllerThatReportsTooMuchGivesNoMoreThanItHas() {
    var flow = Scheduled(dataLength: 27, packetCount: 2)
    flow.enqueue(10, first)
    flow.complete(500, first)
    #expect(flow.scheduler.credits == 2)
  }

  @Test("Pitfall 4: the first fragment to the controller has PB 00, the others 01")
  func framesAreCut() {
    var flow = Scheduled(dataLength: 27, packetCount: 9)
    flow.enqueue(65, first)
    #expect(flow.sent.map(\.boundary) == [.firstFromHost, .continuing, .continuing])
    #expect(flow.sent.map(\.payload.count) == [27, 27, 11])
    #expect(flow.sent.flatMap(\.payload) == (0..<65).map { UInt8($0) })
  }

  @Test func linksTakeTurns() {
    var flow = Scheduled(dataLength: 10, packetCount: 1)
    flow.enqueue(50, first)
    flow.enqueue(20, second)
    for _ in 0..<7 {
      guard let handle = flow.sent.last?.handle else { break }
      flow.complete(1, handle)
    }
    #expect(flow.sent.map(\.handle) == [first, second, first, second, first, first, first])
  }

  @Test func transmittedMeansThatTheLastFragmentWas() {
    var flow = Scheduled(dataLength: 27, packetCount: 4)
    flow.enqueue(60, first, ticket: 1)
    flow.enqueue(10, first, ticket: 2)
    flow.complete(2, first)
    #expect(flow.transmitted == [])
    flow.complete(1, first)
    #expect(flow.transmitted == [1])
    flow.complete(1, first)
    #expect(flow.transmitted == [1, 2])
  }

  @Test func onlySoManyNotificationsWait() {
    var flow = Scheduled(dataLength: 27, packetCount: 1)
    for ticket in 0...ACLScheduler.notificationQueueLimit {
      #expect(flow.scheduler.acceptsNotification(first))
      flow.enqueue(10, first, ticket: UInt32(ticket))
    }
    #expect(!flow.scheduler.acceptsNotification(first))
    #expect(flow.scheduler.acceptsNotification(second))
    flow.complete(1, first)
    #expect(flow.scheduler.acceptsNotification(first))
  }

  @Test func aQueueKeepsItsOrderAndForgetsWhatWasTaken() {
    var queue = Queue<Int>()
    var taken: [Int] = []
    for number in 0..<500 {
      queue.append(number)
      if number % 3 != 0, let first = queue.popFirst() { taken.append(first) }
    }
    while let first = queue.popFirst() { taken.append(first) }
    #expect(taken == Array(0..<500))
    #expect(queue.isEmpty)
    #expect(queue.first == nil)
  }
}

@Suite struct FrameReassembly {
  private func frames(_ fragments: [(octets: [UInt8], isFirst: Bool)]) -> (frames: [[UInt8]], violations: Int) {
    var reassembler = FrameReassembler()
    var frames: [[UInt8]] = []
    var violations = 0
    for fragment in fragments {
      switch reassembler.take(fragment.octets, isFirst: fragment.isFirst) {
      case .incomplete: break
      case .frame(let frame): frames.append(frame)
      case .violation: violations += 1
      }
    }
    return (frames, violations)
  }

  private let frame = L2CAPFrame(.securityManager, Array(0..<65)).encoded

  @Test("Pitfall 4: a frame arrives in pieces of any size", arguments: [1, 2, 3, 5, 27, 68, 69, 251])
  func piecesMakeAFrame(_ size: Int) {
    let pieces = stride(from: 0, to: frame.count, by: size).map {
      (Array(frame[$0..<min($0 + size, frame.count)]), $0 == 0)
    }
    let result = frames(pieces + pieces)
    #expect(result.frames == [frame, frame])
    #expect(result.violations == 0)
  }

  @Test func brokenSequencesLoseOneFrameAndAreSaid() {
    let half = (Array(frame.prefix(20)), true)
    let rest = (Array(frame.dropFirst(20)), false)
    #expect(frames([rest]) == ([], 1))
    #expect(frames([half, (frame, true)]) == ([frame], 0))
    #expect(frames([half, half, rest]) == ([frame], 1))
    #expect(frames([(frame + [0], true), half, rest]) == ([frame], 1))
    #expect(frames([half, (rest.0 + [9], false), half, rest]) == ([frame], 1))
  }

  @Test func aFrameLongerThanAnyChannelTakesIsDroppedWhole() {
    let long = L2CAPFrame(.attributeProtocol, Array(repeating: 1, count: 60_000)).encoded
    let pieces = stride(from: 0, to: long.count, by: 251).map {
      (Array(long[$0..<min($0 + 251, long.count)]), $0 == 0)
    }
    #expect(frames(pieces + [(frame, true)]) == ([frame], 1))
  }

  @Test(
    "Pitfall 4: both ways of telling a beginning are taken", arguments: [1, 5, 27, nil],
    [
      PacketBoundary.firstFromController, .firstFromHost,
    ])
  func aControllerMayCutAsItLikes(_ size: Int?, _ boundary: PacketBoundary) {
    var quirks = ControllerPair.Quirks()
    quirks.upwardFragment = size
    quirks.upwardBoundary = boundary
    var pair = HostPair.connected(quirks: [quirks, quirks]) { $1.security.secureConnections = true }
    pair.ask(1, .secure(HostPair.handle))
    #expect(pair.run(.read(Served.secret)) == .success(.value([1, 2, 3])))
  }
}
