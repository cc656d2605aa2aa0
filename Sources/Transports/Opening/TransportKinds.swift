/// The transports that there are.
enum TransportKinds {
  /// One line for each kind.
  static let all: [any Transport.Type] = [
    USBTransport.self, UserChannelTransport.self, TCPClient.self, TCPServer.self, UnixClient.self, UnixServer.self,
    TLSClient.self, TLSServer.self, SerialTransport.self,
  ]

  /// All words that may stand before the colon.
  static var schemes: [String] { all.flatMap { $0.schemes } }
}

extension TransportSpecification {
  /// Reads a specification such as `tcp-server:127.0.0.1:0`; `_` as the host of a server means every interface.
  package init(parsing text: String) throws(TransportSpecificationFailure) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    let scheme = String(text[..<colon])
    guard let kind = TransportKinds.all.first(where: { $0.schemes.contains(scheme) }) else {
      throw .unknownScheme(scheme, nearest: NearestSpelling.scheme(to: scheme), known: TransportKinds.schemes)
    }
    let rest = colon == text.endIndex ? "" : String(text[text.index(after: colon)...])
    guard !rest.isEmpty else { throw kind.incomplete(scheme) }
    self.init(try kind.init(parsing: rest, after: scheme))
  }
}
