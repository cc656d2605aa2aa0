import Glibc
import HCI
import Timeline

/// A place where hosts or controllers come to: a listening socket that makes a ``H4Pipe`` of every client.
public final class TransportServer {
  /// How many clients may be there at a time.
  public enum Admission: Hashable, Sendable {
    /// One; whoever comes while it is there is closed at once, so that two hosts never share a controller.
    case oneAtATime
    /// One, and nobody after it.
    case once
    /// Any number.
    case many
  }

  /// Clients that the system lets wait until they are accepted.
  static let backlog: Int32 = 16

  /// Where the server listens, with the port that the system chose when 0 was asked for.
  public private(set) var specification: TransportSpecification
  /// What to tell the person at the console when others than this machine can reach the server, else `nil`.
  public private(set) var exposure: String?

  private let loop: EventLoop
  private let side: H4Decoder.Side
  private let socket: StreamSocket
  private let admission: Admission
  private let onClient: (H4Pipe) -> Void
  private var isOpen = true
  private var clients = 0
  private var unixPath: String?

  /// Listens at `specification` and hands every client that is let in to `onClient`, on the loop's thread.
  ///
  /// `side` is what we are: a controller to which hosts come, unless told otherwise. A Unix socket gets mode 0600; a stale one that nobody listens at is replaced.
  public init(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .controller,
    admitting admission: Admission = .oneAtATime, onClient: @escaping (H4Pipe) -> Void
  ) throws(TransportFailure) {
    let address: SocketAddress
    switch specification {
    case .tcpServer(let host, let port): address = try .resolve(host: host, port: port)
    case .unixServer(let path):
      try StaleSocket.remove(path)
      address = .unix(path: path)
      unixPath = path
    case .usb, .hciSocket, .serial, .tcpClient, .unixClient: throw .notAServer(specification)
    }
    self.loop = loop
    self.side = side
    self.admission = admission
    self.onClient = onClient
    (socket, self.specification) = try Self.listen(at: address, specification)
    if !address.isLoopback {
      exposure = "\(self.specification) is open to the network: whoever reaches this machine can use it"
    }
    loop.watch(socket.descriptor, for: .readable) { [weak self] _ in self?.acceptClients() }
  }

  deinit { close() }

  /// Stops listening; clients that are there stay.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    loop.unwatch(socket.descriptor)
    socket.close()
    if let unixPath { _ = unlink(unixPath) }
  }

  private static func listen(at address: SocketAddress, _ specification: TransportSpecification)
    throws(TransportFailure) -> (StreamSocket, TransportSpecification)
  {
    do {
      let socket = try StreamSocket.open(family: address.family)
      try prepare(socket, address, specification)
      guard case .tcpServer(let host, _) = specification else { return (socket, specification) }
      return (socket, .tcpServer(host: host, port: SocketAddress.boundPort(of: socket.descriptor)))
    } catch { throw .system(error, specification) }
  }

  private static func prepare(
    _ socket: StreamSocket, _ address: SocketAddress, _ specification: TransportSpecification
  ) throws(SystemCallFailure) {
    do throws(SystemCallFailure) {
      if case .tcpServer = specification { socket.reuseAddress() }
      try socket.bind(to: address)
      // Nobody can connect before the socket listens, so the mode is set in time.
      if case .unixServer(let path) = specification, chmod(path, 0o600) != 0 { throw .last("chmod") }
      try socket.listen(backlog: backlog)
    } catch {
      socket.close()
      throw error
    }
  }

  private func acceptClients() {
    // A failure to accept (no descriptors left, say) leaves the client waiting; the next event tries again.
    while isOpen, let client = try? socket.accept() { admit(client) }
  }

  private func admit(_ client: StreamSocket) {
    guard admission == .many || clients == 0 else {
      client.close()
      return
    }
    clients += 1
    let pipe = H4Pipe(adopting: client.descriptor, on: loop, side: side)
    pipe.onClose = { [weak self] in self?.clients -= 1 }
    if admission == .once { close() }
    onClient(pipe)
  }
}

/// A Unix socket left behind by a process that is gone.
enum StaleSocket {
  /// Removes what is left at `path`; refuses what is no socket, or one at which somebody listens.
  static func remove(_ path: String) throws(TransportFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
    do {
      let probe = try StreamSocket.open(family: AF_UNIX)
      defer { probe.close() }
      _ = try probe.connect(to: .unix(path: path))
    } catch {
      guard error.number == ECONNREFUSED else { throw .system(error, .unixServer(path: path)) }
      _ = unlink(path)
      return
    }
    throw .inUse(path: path)
  }
}
