import Glibc
import Timeline
import Transports

/// Octets to and from an open descriptor on the loop: a serial line, a socket, or a pseudo-terminal.
public final class TextLine {
  /// Told of what comes.
  public var onOctets: (([UInt8]) -> Void)?
  /// Told once when the other end is gone; why.
  public var onClosed: ((String) -> Void)?

  /// Octets that may wait for an instrument that does not read.
  private static let unsentLimit = 65_536
  private static let readSize = 4_096

  private let descriptor: Int32
  private let loop: EventLoop
  private let isSocket: Bool
  /// A connection that is still being made: nothing is read or written before.
  private var isConnecting: Bool
  private var unsent: [UInt8] = []
  private var isClosed = false

  /// Takes over a descriptor that never blocks, and closes it in the end.
  public init(adopting descriptor: Int32, isSocket: Bool, isConnecting: Bool = false, on loop: EventLoop) {
    self.descriptor = descriptor
    self.isSocket = isSocket
    self.isConnecting = isConnecting
    self.loop = loop
    watch()
  }

  deinit { close() }

  /// Sends octets; what the system does not take at once waits.
  public func send(_ octets: [UInt8]) {
    guard !isClosed else { return }
    unsent += octets
    if unsent.count > Self.unsentLimit {
      finish("it does not read what it is sent")
    } else {
      flush()
    }
  }

  /// Gives the descriptor back; nobody is told.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.unwatch(descriptor)
    _ = Glibc.close(descriptor)
  }

  private func watch() {
    guard !isClosed else { return }
    var interest: DescriptorInterest = isConnecting ? [] : .readable
    if isConnecting || !unsent.isEmpty { interest.insert(.writable) }
    loop.watch(descriptor, for: interest) { [weak self] ready in self?.handle(ready) }
  }

  private func handle(_ ready: DescriptorInterest) {
    if isConnecting {
      var number: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      _ = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
      guard number == 0 else { return finish(SystemCallFailure("connect", number).description) }
      isConnecting = false
    }
    if ready.contains(.writable) { flush() }
    if ready.contains(.readable), !isClosed { read() }
  }

  private func flush() {
    guard !isConnecting, !isClosed else { return }
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        isSocket
          ? Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          : Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        guard errno == EAGAIN || errno == EINTR else { return finish(SystemCallFailure("write", errno).description) }
        break
      }
      unsent.removeFirst(count)
    }
    watch()
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: Self.readSize)
    let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      onOctets?(Array(block.prefix(count)))
    } else if count == 0 {
      finish("it hung up")
    } else if errno != EAGAIN, errno != EINTR {
      // A pseudo-terminal whose other end is closed says EIO, and so does a USB line that is pulled out.
      finish(errno == EIO ? "it hung up" : SystemCallFailure("read", errno).description)
    }
  }

  /// The other end is never told of from within ``send(_:)``.
  private func finish(_ reason: String) {
    guard !isClosed else { return }
    close()
    loop.schedule(after: .zero) { [onClosed] in onClosed?(reason) }
  }
}
