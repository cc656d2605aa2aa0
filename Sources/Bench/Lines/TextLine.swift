import System
import Timeline

/// Octets to and from an open descriptor on the loop: a serial line, a socket, or a pseudo-terminal.
package final class TextLine {
  /// Told of what comes.
  package var onOctets: (([UInt8]) -> Void)?
  /// Told once when the other end is gone; why.
  package var onClosed: ((String) -> Void)?

  /// Octets that may wait for an instrument that does not read.
  private static let unsentLimit = 65_536
  private static let readSize = 4_096

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  /// A connection that is still being made: nothing is read or written before.
  private var connecting: StreamSocket?
  /// Gives the line back.
  private let release: () -> Void
  private var unsent: [UInt8] = []
  private var isClosed = false

  /// Takes over a socket, which may still be connecting, and closes it in the end.
  package convenience init(over socket: StreamSocket, isConnecting: Bool = false, on loop: EventLoop) {
    self.init(socket.descriptor, isConnecting ? socket : nil, on: loop) { socket.close() }
  }

  /// Takes over a serial line, which gets its settings back and is closed in the end.
  package convenience init(over line: SerialLine, on loop: EventLoop) {
    self.init(line.descriptor, nil, on: loop) { line.close() }
  }

  /// Takes over the instrument's end of a pseudo-terminal, and closes it in the end.
  package convenience init(over terminal: PseudoTerminal, on loop: EventLoop) {
    self.init(terminal.descriptor, nil, on: loop) { terminal.close() }
  }

  private init(
    _ descriptor: FileDescriptor, _ connecting: StreamSocket?, on loop: EventLoop, release: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.connecting = connecting
    self.loop = loop
    self.release = release
    watch()
  }

  deinit { close() }

  /// Sends octets; what the system does not take at once waits.
  package func send(_ octets: [UInt8]) {
    guard !isClosed else { return }
    unsent += octets
    if unsent.count > Self.unsentLimit {
      finish("it does not read what it is sent")
    } else {
      flush()
    }
  }

  /// Gives the descriptor back; nobody is told.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.unwatch(descriptor.number)
    release()
  }

  private func watch() {
    guard !isClosed else { return }
    var interest: DescriptorInterest = connecting == nil ? .readable : []
    if connecting != nil || !unsent.isEmpty { interest.insert(.writable) }
    loop.watch(descriptor.number, for: interest) { [weak self] ready in self?.handle(ready) }
  }

  private func handle(_ ready: DescriptorInterest) {
    if let connecting {
      do { try connecting.finishConnecting() } catch { return finish(error.description) }
      self.connecting = nil
    }
    if ready.contains(.writable) { flush() }
    if ready.contains(.readable), !isClosed { read() }
  }

  private func flush() {
    guard connecting == nil, !isClosed else { return }
    do {
      while !unsent.isEmpty {
        let count = try descriptor.write(unsent[...])
        if count == 0 { break }
        unsent.removeFirst(count)
      }
    } catch { return finish(error.description) }
    watch()
  }

  private func read() {
    do {
      guard let octets = try descriptor.read(upTo: Self.readSize) else { return }
      if octets.isEmpty { finish(Self.hungUp) } else { onOctets?(octets) }
    } catch {
      // A pseudo-terminal whose other end is closed reports EIO, and so does a USB line that is pulled out.
      finish(error.code == .inputOutput ? Self.hungUp : error.description)
    }
  }

  private static let hungUp = "it hung up"

  /// The other end is never told of from within ``send(_:)``.
  private func finish(_ reason: String) {
    guard !isClosed else { return }
    close()
    loop.schedule(after: .zero) { [onClosed] in onClosed?(reason) }
  }
}
