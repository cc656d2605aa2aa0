import Text

/// Why a text is not the specification of a transport.
public enum TransportSpecificationFailure: Error, Hashable, Sendable {
  /// The word before the first colon names no transport; `nearest` is the one that was probably meant.
  case unknownScheme(String, nearest: String?)
  /// What follows the scheme does not have its form; `form` shows that by example.
  case incomplete(scheme: String, form: String)
  /// The text after the last colon is not a port, 0 to 65,535.
  case badPort(String)
  /// Port 0 was given to a client: only a server can let the system choose.
  case portZero
  /// The path does not fit into the address of a Unix socket of `limit` octets.
  case pathTooLong(String, limit: Int)
  /// The speed of a serial line is not a positive number.
  case badSpeed(String)
  /// The speed of a serial line is none that the system knows; `nearest` are the next ones below and above it.
  case unknownSpeed(UInt32, nearest: [UInt32])
  /// The whole text has more than `limit` octets.
  case tooLong(limit: Int)
}

extension TransportSpecificationFailure: CustomStringConvertible {
  /// One sentence that says what was expected.
  public var description: String {
    switch self {
    case .unknownScheme(let word, let nearest?): "unknown transport '\(word)'; did you mean '\(nearest)'?"
    case .unknownScheme(let word, nil):
      "unknown transport '\(word)'; one of " + TransportScheme.allCases.map(\.rawValue).joined(separator: ", ")
    case .incomplete(let scheme, let form): "'\(scheme)' is written like \(form)"
    case .badPort(let text): "'\(text)' is not a port; 0 to 65535"
    case .portZero: "port 0 is for servers, which let the system choose one"
    case .pathTooLong(let path, let limit): "'\(path)' is longer than the \(limit) octets a Unix socket's path may have"
    case .badSpeed(let text): "'\(text)' is not a speed in bits a second"
    case .unknownSpeed(let speed, let nearest):
      "\(speed) bits a second is no speed of serial lines; take \(nearest.map(String.init).joined(separator: " or "))"
    case .tooLong(let limit): "longer than \(limit) octets"
    }
  }
}

/// Finds the transport that a misspelt word probably meant.
enum NearestSpelling {
  /// Short names that people use for a longer one.
  private static let aliases: [(word: String, scheme: TransportScheme)] = [
    ("tcp", .tcpClient), ("client", .tcpClient), ("server", .tcpServer), ("listen", .tcpServer),
    ("hci", .hciSocket), ("socket", .hciSocket), ("tty", .serial), ("uart", .serial),
  ]

  /// Letters that may be wrong, missing or too many.
  private static let maximumDistance = 2

  static func scheme(to word: String) -> String? {
    let plain = letters(word)
    guard !plain.isEmpty, plain.count <= 32 else { return nil }
    if let alias = aliases.first(where: { letters($0.word) == plain }) { return alias.scheme.rawValue }
    let ranked = TransportScheme.allCases.map { (Spelling.distance(plain, letters($0.rawValue)), $0.rawValue) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }), best.0 <= min(maximumDistance, plain.count / 2) else {
      return nil
    }
    return best.1
  }

  /// The word in lower case and without the punctuation that is most often wrong.
  private static func letters(_ word: String) -> String { word.lowercased().filter(\.isLetter) }
}
