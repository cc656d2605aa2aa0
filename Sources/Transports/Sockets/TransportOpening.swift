import Glibc
import HCI
import Timeline

/// Opens the one pipe that a specification names: connects to a place, or waits there for the first to come.
public final class TransportOpening {
  /// Time that is given to the other end unless told otherwise.
  public static let defaultPatience: Duration = .seconds(10)

  private let specification: TransportSpecification
  private let loop: EventLoop
  private let side: H4Decoder.Side
  private var completion: ((Result<SocketPipe, TransportFailure>) -> Void)?
  private var deadline: ScheduledEvent?
  private var server: TransportServer?
  private var connecting: StreamSocket?

  /// Where a server among the specifications listens, with the port that the system chose.
  public var listeningAt: TransportSpecification? { server?.specification }
  /// What to tell the person at the console when a server among the specifications is open to the network.
  public var exposure: String? { server?.exposure }

  /// Begins to open `specification`, where we are `side`; `completion` is called once, on the loop's thread and never from within this
  /// call, unless the opening is cancelled or released before.
  public init(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .host,
    patience: Duration = defaultPatience, completion: @escaping (Result<SocketPipe, TransportFailure>) -> Void
  ) throws(TransportFailure) {
    self.specification = specification
    self.loop = loop
    self.side = side
    self.completion = completion
    switch specification {
    case .usb, .hciSocket, .serial: throw .notBuiltYet(specification)
    case .tcpServer, .unixServer:
      server = try TransportServer(specification, on: loop, side: side, admitting: .once) { [weak self] pipe in
        self?.finish(.success(pipe))
      }
    case .tcpClient(let host, let port): try connect(to: .resolve(host: host, port: port))
    case .unixClient(let path): try connect(to: .unix(path: path))
    }
    deadline = loop.schedule(after: patience, .deadline) { [weak self] in
      self?.finish(.failure(.timedOut(specification)))
    }
  }

  deinit { cancel() }

  /// Gives up: nothing is opened and `completion` is not called.
  public func cancel() {
    completion = nil
    release()
  }

  /// Opens `specification` before a run begins: drives the loop until the pipe is there. The patience is counted
  /// by the loop, which must not be running already.
  public static func open(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .host,
    patience: Duration = defaultPatience, whenListening: (TransportOpening) -> Void = { _ in }
  ) throws(TransportFailure) -> SocketPipe {
    var result: Result<SocketPipe, TransportFailure>?
    let opening = try TransportOpening(specification, on: loop, side: side, patience: patience) { result = $0 }
    if specification.isServer { whenListening(opening) }
    loop.runEvents { result != nil }
    opening.cancel()
    // The loop returns without a result only when it was asked to stop.
    guard let result else { throw .timedOut(specification) }
    return try result.get()
  }

  private func connect(to address: SocketAddress) throws(TransportFailure) {
    do {
      let socket = try StreamSocket.open(family: address.family)
      connecting = socket
      // A Unix socket connects at once; the loop then finds it writable, so both ways are one.
      _ = try socket.connect(to: address)
      loop.watch(socket.descriptor, for: .writable) { [weak self] _ in self?.connected() }
    } catch {
      release()
      throw .system(error, specification)
    }
  }

  private func connected() {
    guard let socket = connecting else { return }
    loop.unwatch(socket.descriptor)
    do {
      try socket.finishConnecting()
      connecting = nil
      finish(.success(SocketPipe(adopting: socket.descriptor, on: loop, side: side)))
    } catch { finish(.failure(.system(error, specification))) }
  }

  private func finish(_ result: Result<SocketPipe, TransportFailure>) {
    let completion = completion
    self.completion = nil
    release()
    completion?(result)
  }

  private func release() {
    if let deadline { loop.cancel(deadline) }
    deadline = nil
    server?.close()
    server = nil
    if let connecting {
      loop.unwatch(connecting.descriptor)
      connecting.close()
    }
    connecting = nil
  }
}
