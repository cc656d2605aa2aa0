import HCI
import System
import Timeline

/// A place where hosts or controllers come to: a listening socket that makes a ``H4Pipe`` of every client.
package final class TransportServer {
  /// How many clients may be there at a time.
  package enum Admission: Hashable, Sendable {
    /// One; whoever comes while it is there is closed at once, so that two hosts never share a controller.
    case oneAtATime
    /// One, and nobody after it.
    case once
    /// Any number.
    case many
  }

  /// Where the server listens, with the port that the system chose when 0 was asked for.
  package private(set) var specification: TransportSpecification
  /// What to tell the person at the console when others than this machine can reach the server, else `nil`.
  package private(set) var exposure: String?

  private let loop: EventLoop
  private let side: H4Decoder.Side
  private let socket: ListeningSocket
  private let admission: Admission
  private let onClient: (H4Pipe) -> Void
  private var isOpen = true
  private var clients = 0

  /// What the server asks of clients whom it does not know.
  package enum Strangers: Hashable, Sendable {
    /// They are let in, and the console is told of it.
    case allowed
    /// Nobody is let in without a key, unless only this machine reaches the server.
    case refused
  }

  /// Called when a client came that does not have the key.
  package var onRefusal: (() -> Void)?
  private let key: [UInt8]?
  private var handshakes: [Int: SecureHandshake] = [:]
  private var lastHandshake = 0

  /// Clients that may be proving at a time that they have the key.
  private static let handshakeLimit = 8

  /// Listens at `specification` and hands every client that is let in to `onClient`, on the loop's thread.
  ///
  /// `side` is what we are: a controller to which hosts come, unless told otherwise. A Unix socket gets mode 0600; one
  /// that a dead process left behind is replaced.
  package init(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .controller,
    admitting admission: Admission = .oneAtATime, strangers: Strangers = .allowed, onClient: @escaping (H4Pipe) -> Void
  ) throws(TransportFailure) {
    guard let transport = specification.transport as? any ServerTransport else { throw .notAServer(specification) }
    self.loop = loop
    self.side = side
    self.admission = admission
    self.onClient = onClient
    key = try transport.key()
    let isLocal: Bool
    (socket, self.specification, isLocal) = try transport.listen()
    if !isLocal, key == nil {
      guard strangers == .allowed else {
        socket.close()
        throw .exposed(specification)
      }
      exposure = "\(self.specification) is open to the network: whoever reaches this machine can use it"
    }
    loop.watch(socket.number, for: .readable) { [weak self] _ in self?.acceptClients() }
  }

  deinit { close() }

  /// Stops listening; clients that are there stay.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    handshakes.removeAll()
    loop.unwatch(socket.number)
    socket.close()
  }

  private func acceptClients() {
    // A failure to accept (no descriptors left, say) leaves the client waiting; the next event tries again.
    while isOpen, let client = try? socket.accept() { admit(client) }
  }

  private func admit(_ client: StreamSocket) {
    guard let key else { return admit(stream: client) }
    guard handshakes.count < Self.handshakeLimit else { return client.close() }
    lastHandshake += 1
    let number = lastHandshake
    handshakes[number] = SecureHandshake(client, .server, key: key, on: loop) { [weak self] stream in
      guard let self else { return }
      handshakes[number] = nil
      if let stream { admit(stream: stream) } else { onRefusal?() }
    }
  }

  private func admit(stream: any OctetStream) {
    guard admission == .many || clients == 0 else {
      stream.close()
      return
    }
    clients += 1
    let pipe = H4Pipe(over: stream, on: loop, side: side)
    pipe.onClose = { [weak self] in self?.clients -= 1 }
    if admission == .once { close() }
    onClient(pipe)
  }
}
