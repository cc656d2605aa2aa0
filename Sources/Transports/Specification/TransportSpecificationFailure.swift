/// Why a text is not the specification of a transport.
package enum TransportSpecificationFailure: Error, Hashable, Sendable {
  /// The word before the first colon does not name a transport; `nearest` is the one that was probably meant, `known` are
  /// all of them.
  case unknownScheme(String, nearest: String?, known: [String])
  /// What follows the scheme does not have its form; `form` shows that by example.
  case incomplete(scheme: String, form: String)
  /// The text after the last colon is not a port, 0 to 65,535.
  case badPort(String)
  /// Port 0 was given to a client: only a server can let the system choose.
  case portZero
  /// The path has more than the `limit` octets of a Unix socket's address.
  case pathTooLong(String, limit: Int)
  /// The speed of a serial line is not a positive number.
  case badSpeed(String)
  /// The system does not know this speed of a serial line; `nearest` are the next ones below and above it.
  case unknownSpeed(UInt32, nearest: [UInt32])
  /// The whole text has more than `limit` octets.
  case tooLong(limit: Int)
}

extension TransportSpecificationFailure: CustomStringConvertible {
  /// One sentence that says what was expected.
  package var description: String {
    switch self {
    case .unknownScheme(let word, let nearest?, _): "unknown transport '\(word)'; did you mean '\(nearest)'?"
    case .unknownScheme(let word, nil, let known):
      "unknown transport '\(word)'; use one of \(known.joined(separator: ", "))"
    case .incomplete(let scheme, let form): "'\(scheme)' is written like \(form)"
    case .badPort(let text): "'\(text)' is not a port number from 0 to 65535"
    case .portZero: "port 0 is only for servers, where the system chooses a free port"
    case .pathTooLong(let path, let limit):
      "'\(path)' is longer than \(limit) bytes, the limit for the path of a Unix socket"
    case .badSpeed(let text): "'\(text)' is not a speed in bits per second"
    case .unknownSpeed(let speed, let nearest):
      "\(speed) bits per second is not a speed of serial lines; use \(nearest.map(String.init).joined(separator: " or "))"
    case .tooLong(let limit): "the transport is longer than \(limit) bytes"
    }
  }
}
