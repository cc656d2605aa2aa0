import Crypto
import System
import Timeline

/// Agrees with the other end of a socket on a channel of TLS, on the loop.
final class SecureHandshake {
  private let socket: StreamSocket
  private let channel: SecureChannel
  private let loop: EventLoop
  private var completion: ((SecureStream?) -> Void)?
  private var unsent: [UInt8] = []
  private var received = [UInt8](repeating: 0, count: 4_096)
  private var deadline: ScheduledEvent?

  /// How long the other end may take.
  private static let patience = Duration.seconds(10)

  /// Begins on a socket, which it takes over. `completion` is called once, never from within this call: with the stream,
  /// or with `nil` where the other end does not have the key, does not speak TLS, or is too slow.
  init(
    _ socket: StreamSocket, _ side: SecureChannel.Side, key: [UInt8], on loop: EventLoop,
    completion: @escaping (SecureStream?) -> Void
  ) {
    self.socket = socket
    self.loop = loop
    self.completion = completion
    channel = SecureChannel(side, key: key)
    deadline = loop.schedule(after: Self.patience, .deadline) { [weak self] in self?.finish(false) }
    // The first words of a client go out as soon as the socket takes them.
    watch([.readable, .writable])
  }

  deinit { cancel() }

  /// Gives up.
  func cancel() {
    guard completion != nil else { return }
    completion = nil
    release()
    socket.close()
  }

  private func watch(_ interest: DescriptorInterest) {
    loop.watch(socket.descriptor.number, for: interest) { [weak self] ready in self?.handle(ready) }
  }

  private func release() {
    if let deadline { loop.cancel(deadline) }
    deadline = nil
    loop.unwatch(socket.descriptor.number)
  }

  private func handle(_ ready: DescriptorInterest) {
    do throws(SystemCallFailure) {
      if ready.contains(.readable), let count = try socket.descriptor.read(into: &received) {
        if count == 0 { return finish(false) }
        channel.receive(received[..<count])
      }
      let isComplete: Bool
      do { isComplete = try channel.shakeHands() } catch {
        // The other end learns why.
        try flush()
        return finish(false)
      }
      try flush()
      if isComplete, unsent.isEmpty { return finish(true) }
      watch(unsent.isEmpty ? .readable : [.readable, .writable])
    } catch { finish(false) }
  }

  private func flush() throws(SystemCallFailure) {
    unsent += channel.takeOutput()
    while !unsent.isEmpty {
      let count = try socket.descriptor.write(unsent[...])
      if count == 0 { return }
      unsent.removeFirst(count)
    }
  }

  private func finish(_ isComplete: Bool) {
    guard let completion else { return }
    self.completion = nil
    release()
    if !isComplete { socket.close() }
    completion(isComplete ? SecureStream(socket, channel) : nil)
  }
}
