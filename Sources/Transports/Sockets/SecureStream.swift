import Crypto
import HCI
import System

/// A socket over which both ends speak TLS with a key that they share.
final class SecureStream: OctetStream {
  /// Octets that wait for a peer which does not read; beyond them nothing more is taken.
  private static let unsentLimit = 65_536
  private static let readSize = 16_384

  private let socket: StreamSocket
  private let channel: SecureChannel
  private var unsent: [UInt8] = []
  private var received = [UInt8](repeating: 0, count: SecureStream.readSize)
  private var hasEnded = false
  /// Whether octets that came may hold more than was read of them.
  private(set) var hasMore = false

  /// Takes over a socket and the channel that was agreed on it.
  init(_ socket: StreamSocket, _ channel: SecureChannel) {
    self.socket = socket
    self.channel = channel
  }

  var descriptor: FileDescriptor { socket.descriptor }
  var toleratedGarbage: Int { 0 }

  func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? {
    hasMore = false
    do throws(SecureChannel.Failure) {
      var count = try channel.read(into: &buffer)
      if count == nil {
        guard let arrived = arrivals() else { return nil }
        channel.receive(received[..<arrived])
        // Without a farewell before it, the end may have been cut off by somebody else.
        if arrived == 0 { return 0 }
        count = try channel.read(into: &buffer)
      }
      if count == 0 { hasEnded = true }
      hasMore = (count ?? 0) > 0 && channel.hasInput
      return count
    } catch { throw Self.protocolError }
  }

  /// Octets that came; 0 at the end, also at one that a failure made, `nil` when none are there.
  private func arrivals() -> Int? {
    do { return try socket.descriptor.read(into: &received) } catch { return 0 }
  }

  private static let protocolError = SystemCallFailure("SSL_read", .protocolError)

  func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int {
    guard try flush() || unsent.count < Self.unsentLimit else { return 0 }
    do { try channel.write(octets) } catch { throw Self.protocolError }
    _ = try flush()
    return octets.count
  }

  func flush() throws(SystemCallFailure) -> Bool {
    unsent += channel.takeOutput()
    while !unsent.isEmpty {
      let count = try socket.descriptor.write(unsent[...])
      if count == 0 { return false }
      unsent.removeFirst(count)
    }
    return true
  }

  func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure {
    if failure == nil, !hasEnded { return .failed("the connection was cut off") }
    return socket.closure(after: failure, isBetweenPackets: isBetweenPackets)
  }

  func sentence(forGarbage violation: H4Violation?) -> String { socket.sentence(forGarbage: violation) }

  func sayFarewell() {}

  func close() {
    channel.end()
    // Whoever does not take the farewell sees the end of the connection.
    _ = try? flush()
    socket.close()
  }
}
