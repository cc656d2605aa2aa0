import System

/// A host and a port, as specifications write them: `HOST:PORT`, where a host with colons stands in brackets.
struct SocketEndpoint: Hashable, Sendable {
  let host: String
  let port: UInt16

  /// Reads an endpoint; `nil` where the text does not have its form.
  init?(parsing text: String) throws(TransportSpecificationFailure) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
    if isBracketed { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
    guard let port = UInt16(decimal: digits) else { throw .badPort(String(digits)) }
    self.init(host: String(host), port: port)
  }

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The host that means every interface, as it is written and as the resolver wants it.
  private static let everywhere = (written: "_", address: "0.0.0.0")

  /// The endpoint of a server, where `_` as the host means every interface.
  init(anywhere written: SocketEndpoint) {
    let isEverywhere = written.host == Self.everywhere.written
    self.init(host: isEverywhere ? Self.everywhere.address : written.host, port: written.port)
  }

  /// Listens there: the socket, the endpoint with the port that the system chose, and whether only this machine reaches it.
  func listen(
    for specification: TransportSpecification
  ) throws(TransportFailure) -> (socket: ListeningSocket, endpoint: SocketEndpoint, isLocal: Bool) {
    let address = try resolve()
    do {
      let socket = try ListeningSocket(at: address)
      return (socket, SocketEndpoint(host: host, port: try socket.port() ?? port), address.isLoopback)
    } catch { throw .system(error, specification) }
  }

  /// The endpoint as it is written.
  var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// The first address of the host.
  func resolve() throws(TransportFailure) -> SocketAddress {
    do { return try .resolve(host: host, port: port) } catch {
      throw .unresolved(host: error.host, reason: error.reason)
    }
  }
}

/// The path of a Unix socket as specifications write it.
struct UnixSocketPath: Hashable, Sendable {
  let text: String

  /// Reads a path.
  init(parsing text: String) throws(TransportSpecificationFailure) {
    guard text.utf8.count <= SocketAddress.maximumPathLength else {
      throw .pathTooLong(text, limit: SocketAddress.maximumPathLength)
    }
    self.text = text
  }

  /// A path from elsewhere, which is checked when it is used.
  init(_ text: String) { self.text = text }
}
