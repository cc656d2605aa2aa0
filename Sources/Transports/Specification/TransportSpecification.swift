/// The way to a controller or a host, written as one word: `tcp-client:127.0.0.1:9001`, `unix:/run/controller`.
///
/// The names and forms are the ones that Bumble made common, so that one word means the same to both tools.
package struct TransportSpecification: Hashable, Sendable {
  let transport: any Transport

  init(_ transport: any Transport) { self.transport = transport }

  /// The most octets of a whole specification.
  package static let maximumLength = 1024

  /// Whether we wait at this place for somebody to come, rather than go there.
  package var isServer: Bool { transport.isServer }

  /// Where somebody must listen so that this specification reaches them; `nil` for adapters and servers.
  package var listeningPlace: TransportSpecification? { transport.listeningPlace }

  /// The path of a Unix socket; `nil` for everything else.
  package var socketPath: String? { transport.socketPath }

  package static func == (left: Self, right: Self) -> Bool {
    AnyHashable(left.transport) == AnyHashable(right.transport)
  }

  package func hash(into hasher: inout Hasher) { transport.hash(into: &hasher) }
}

extension TransportSpecification: CustomStringConvertible {
  /// The specification as it is written.
  package var description: String { "\(type(of: transport).schemes[0]):\(transport.rest)" }
}

extension FixedWidthInteger {
  /// A number in plain decimal digits, without sign, blank or separator.
  init?(decimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text, radix: 10)
  }

  /// A number in plain hexadecimal digits.
  init?(hexadecimal text: some StringProtocol) {
    guard !text.hasPrefix("+"), !text.hasPrefix("-") else { return nil }
    self.init(text, radix: 16)
  }
}
