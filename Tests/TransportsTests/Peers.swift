import Glibc
import HCI
import System
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
  private let far: StreamSocket
  private var descriptor: Int32 { far.descriptor.number }

  init() throws {
    let (near, far) = try StreamSocket.pair()
    pipe = H4Pipe(over: near, on: loop, side: .host)
    self.far = far
  }

  /// Lets the pipe begin to read.
  func listen() { pipe.receiver = collector }

  func runUntilClosed() { loop.runWall { collector.closure != nil } }

  func write(_ octets: [UInt8]) {
    precondition(send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) == octets.count)
  }
  func hangUp() { far.close() }

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
