import HCI
import System
import Timeline

/// A transport at which others come to us.
protocol ServerTransport: Transport {
  /// Begins to listen: the socket, the specification with the port that the system chose, and whether only this machine
  /// reaches it.
  func listen() throws(TransportFailure) -> (socket: ListeningSocket, place: TransportSpecification, isLocal: Bool)
  /// The key that every client must have; `nil` where whoever comes is let in.
  func key() throws(TransportFailure) -> [UInt8]?
}

extension ServerTransport {
  var isServer: Bool { true }
  func key() throws(TransportFailure) -> [UInt8]? { nil }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt { try ServerAttempt(request) }
}

/// `tcp-server:HOST:PORT`: a TCP socket on which we listen; port 0 lets the system choose.
struct TCPServer: ServerTransport {
  static let schemes = ["tcp-server"]
  static let aliases = ["server", "listen"]
  static let examples = ["127.0.0.1:9001"]

  let endpoint: SocketEndpoint

  init(_ endpoint: SocketEndpoint) { self.endpoint = endpoint }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    guard let endpoint = try SocketEndpoint(parsing: rest) else { throw Self.incomplete(scheme) }
    self.init(SocketEndpoint(anywhere: endpoint))
  }

  var rest: String { endpoint.text }

  func listen() throws(TransportFailure) -> (socket: ListeningSocket, place: TransportSpecification, isLocal: Bool) {
    let (socket, endpoint, isLocal) = try endpoint.listen(for: TransportSpecification(self))
    return (socket, .tcpServer(host: endpoint.host, port: endpoint.port), isLocal)
  }
}

/// `unix-server:PATH`: a Unix socket on which we listen, with mode 0600.
struct UnixServer: ServerTransport {
  static let schemes = ["unix-server"]
  static let examples = ["/path"]

  let path: UnixSocketPath

  init(_ path: UnixSocketPath) { self.path = path }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    self.init(try UnixSocketPath(parsing: rest))
  }

  var rest: String { path.text }
  var socketPath: String? { path.text }

  func listen() throws(TransportFailure) -> (socket: ListeningSocket, place: TransportSpecification, isLocal: Bool) {
    let place = TransportSpecification(self)
    do { return (try ListeningSocket(atPath: path.text), place, true) } catch {
      switch error {
      case .unsuitablePath: throw .system(SystemCallFailure("bind", .nameTooLong), place)
      case .notASocket: throw .notASocket(path: path.text)
      case .inUse: throw .inUse(path: path.text)
      case .system(let failure): throw .system(failure, place)
      }
    }
  }
}

extension TransportSpecification {
  /// A TCP socket on which we listen; port 0 lets the system choose.
  package static func tcpServer(host: String, port: UInt16) -> Self {
    Self(TCPServer(SocketEndpoint(host: host, port: port)))
  }

  /// A Unix socket on which we listen.
  package static func unixServer(path: String) -> Self { Self(UnixServer(UnixSocketPath(path))) }
}

/// A server that waits for its first client.
private final class ServerAttempt: OpeningAttempt {
  private let server: TransportServer

  init(_ request: OpeningRequest) throws(TransportFailure) {
    server = try TransportServer(request.specification, on: request.loop, side: request.side, admitting: .once) {
      request.finish(.success($0))
    }
  }

  var listeningAt: TransportSpecification? { server.specification }
  var exposure: String? { server.exposure }

  func cancel() { server.close() }
}
