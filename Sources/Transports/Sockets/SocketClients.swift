import HCI
import System
import Timeline

/// `tcp-client:HOST:PORT`: a listening TCP socket somewhere else, to which we connect.
struct TCPClient: Transport {
  static let schemes = ["tcp-client"]
  static let aliases = ["tcp", "client"]
  static let examples = ["127.0.0.1:9001"]

  let endpoint: SocketEndpoint

  init(_ endpoint: SocketEndpoint) { self.endpoint = endpoint }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    guard let endpoint = try SocketEndpoint(parsing: rest) else { throw Self.incomplete(scheme) }
    guard endpoint.port != 0 else { throw .portZero }
    self.init(endpoint)
  }

  var rest: String { endpoint.text }
  var listeningPlace: TransportSpecification? { TransportSpecification(TCPServer(endpoint)) }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    try ConnectingAttempt(request, to: endpoint.resolve())
  }
}

/// `unix:PATH`: a listening Unix socket, to which we connect.
struct UnixClient: Transport {
  static let schemes = ["unix", "unix-client"]
  static let examples = ["/path"]

  let path: UnixSocketPath

  init(_ path: UnixSocketPath) { self.path = path }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    self.init(try UnixSocketPath(parsing: rest))
  }

  var rest: String { path.text }
  var listeningPlace: TransportSpecification? { TransportSpecification(UnixServer(path)) }
  var socketPath: String? { path.text }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    guard let address = SocketAddress.unix(path: path.text) else {
      throw .system(SystemCallFailure("connect", .nameTooLong), request.specification)
    }
    return try ConnectingAttempt(request, to: address)
  }
}

extension TransportSpecification {
  /// A listening TCP socket somewhere else, to which we connect.
  package static func tcpClient(host: String, port: UInt16) -> Self {
    Self(TCPClient(SocketEndpoint(host: host, port: port)))
  }

  /// A listening Unix socket, to which we connect.
  package static func unixClient(path: String) -> Self { Self(UnixClient(UnixSocketPath(path))) }
}

/// A connection that is being made.
final class ConnectingAttempt: OpeningAttempt {
  private let request: OpeningRequest
  /// The key that the other end has too; `nil` for a plain connection.
  private let key: [UInt8]?
  private var socket: StreamSocket?
  private var handshake: SecureHandshake?

  init(_ request: OpeningRequest, to address: SocketAddress, key: [UInt8]? = nil) throws(TransportFailure) {
    self.request = request
    self.key = key
    do {
      let socket = try StreamSocket.open(family: address.family)
      self.socket = socket
      try socket.connect(to: address)
      request.loop.watch(socket.descriptor.number, for: .writable) { [weak self] _ in self?.connected() }
    } catch { throw .system(error, request.specification) }
  }

  private func connected() {
    guard let socket else { return }
    request.loop.unwatch(socket.descriptor.number)
    do {
      try socket.finishConnecting()
      self.socket = nil
      if let key { return agree(on: key, over: socket) }
      request.finish(.success(H4Pipe(over: socket, on: request.loop, side: request.side)))
    } catch { request.finish(.failure(.system(error, request.specification))) }
  }

  private func agree(on key: [UInt8], over socket: StreamSocket) {
    handshake = SecureHandshake(socket, .client, key: key, on: request.loop) { [request] stream in
      guard let stream else { return request.finish(.failure(.keyRefused(request.specification))) }
      request.finish(.success(H4Pipe(over: stream, on: request.loop, side: request.side)))
    }
  }

  func cancel() {
    handshake?.cancel()
    handshake = nil
    guard let socket else { return }
    request.loop.unwatch(socket.descriptor.number)
    socket.close()
    self.socket = nil
  }
}
