import Crypto
import System
import Text

/// The file with the key that both ends of a channel have.
struct SharedKeyFile: Hashable, Sendable {
  let path: String

  /// The least octets of what the file says; shorter ones could be guessed.
  private static let least = 32
  private static let most = 4_096

  /// The key, derived from what the file says without the blanks around it.
  func key() throws(TransportFailure) -> [UInt8] {
    let octets: [UInt8]
    do { octets = try FileDescriptor.open(path, .reading).readAll(limit: Self.most + 1) } catch {
      throw .badKey(path: path, reason: "cannot be read (\(error.code))")
    }
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let words = octets.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed()
    guard (Self.least...Self.most).contains(words.count) else {
      throw .badKey(path: path, reason: "has \(words.count) characters, expected \(Self.least) to \(Self.most)")
    }
    return SHA256.digest(Array("dictobench transport".utf8) + [0] + words)
  }
}

/// What the transports of TLS have in common: `HOST:PORT,KEYFILE`.
struct SecureEndpoint: Hashable, Sendable {
  let endpoint: SocketEndpoint
  let key: SharedKeyFile

  /// Reads what follows the scheme; `nil` where it does not have its form.
  init?(parsing rest: String) throws(TransportSpecificationFailure) {
    let parts = rest.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, let endpoint = try SocketEndpoint(parsing: parts[0]) else { return nil }
    self.init(endpoint, SharedKeyFile(path: parts[1]))
  }

  init(_ endpoint: SocketEndpoint, _ key: SharedKeyFile) {
    self.endpoint = endpoint
    self.key = key
  }

  var text: String { "\(endpoint.text),\(key.path)" }
}

/// `tls-client:HOST:PORT,KEYFILE`: a listening socket on another machine, to which we connect; both ends have the key.
struct TLSClient: Transport {
  static let schemes = ["tls-client"]
  static let aliases = ["tls"]
  static let examples = ["lab2:9001,bench.key"]

  let secure: SecureEndpoint

  init(_ secure: SecureEndpoint) { self.secure = secure }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    guard let secure = try SecureEndpoint(parsing: rest) else { throw Self.incomplete(scheme) }
    guard secure.endpoint.port != 0 else { throw .portZero }
    self.init(secure)
  }

  var rest: String { secure.text }
  var listeningPlace: TransportSpecification? { TransportSpecification(TLSServer(secure)) }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    try ConnectingAttempt(request, to: secure.endpoint.resolve(), key: secure.key.key())
  }
}

/// `tls-server:HOST:PORT,KEYFILE`: a TCP socket on which we listen for whoever has the key; port 0 lets the system choose.
struct TLSServer: ServerTransport {
  static let schemes = ["tls-server"]
  static let examples = ["_:9001,bench.key"]

  let secure: SecureEndpoint

  init(_ secure: SecureEndpoint) { self.secure = secure }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    guard let secure = try SecureEndpoint(parsing: rest) else { throw Self.incomplete(scheme) }
    self.init(SecureEndpoint(SocketEndpoint(anywhere: secure.endpoint), secure.key))
  }

  var rest: String { secure.text }

  func key() throws(TransportFailure) -> [UInt8]? { try secure.key.key() }

  func listen() throws(TransportFailure) -> (socket: ListeningSocket, place: TransportSpecification, isLocal: Bool) {
    let (socket, endpoint, isLocal) = try secure.endpoint.listen(for: TransportSpecification(self))
    return (socket, TransportSpecification(TLSServer(SecureEndpoint(endpoint, secure.key))), isLocal)
  }
}
