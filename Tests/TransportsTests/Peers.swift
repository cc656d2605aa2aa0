import Glibc
import HCI
import Timeline

@testable import Transports

/// Who stands at a pipe in these tests: keeps what came.
final class Collector: PacketReceiver {
  var packets: [HCIPacket] = []
  var closure: PipeClosure?
  /// Called after every packet.
  var onPacket: ((HCIPacket) -> Void)?

  func receive(_ packet: HCIPacket) {
    packets.append(packet)
    onPacket?(packet)
  }

  func pipeClosed(_ reason: PipeClosure) { closure = reason }
}

/// A pipe, who stands at it, and its bare far end: octets without framing.
final class Line {
  let loop = EventLoop.wall()
  let pipe: H4Pipe
  let collector = Collector()
  private let descriptor: Int32

  init() {
    var pair: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    pipe = H4Pipe(adopting: pair[0], on: loop, side: .host)
    descriptor = pair[1]
  }

  /// Lets the pipe begin to read.
  func listen() { pipe.receiver = collector }

  func runUntilClosed() { loop.runWall { collector.closure != nil } }

  func write(_ octets: [UInt8]) {
    precondition(send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) == octets.count)
  }
  func hangUp() { close(descriptor) }

  /// What is there now, at most `limit` octets, without waiting.
  func read(_ limit: Int = 1 << 20) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, Int32(MSG_DONTWAIT))
    return Array(buffer.prefix(max(0, count)))
  }
}

extension EventLoop {
  /// Runs until `isDone`; the bound only ends a test that would otherwise hang.
  func runWall(until isDone: () -> Bool) {
    var isLate = false
    let bound = schedule(after: .seconds(20), .background) { isLate = true }
    runEvents { isDone() || isLate }
    cancel(bound)
  }

  /// A loop driven by the machine's clock.
  static func wall() -> EventLoop { EventLoop(driver: .wall) }
}
