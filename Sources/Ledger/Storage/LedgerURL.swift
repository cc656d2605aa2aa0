/// The place where a ledger is kept. Nothing but the URL decides which database it is.
package enum LedgerURL: Hashable, Sendable, CustomStringConvertible {
  /// An SQLite file at a path.
  case file(String)
  /// A PostgreSQL server, as libpq understands the URL.
  case server(String)

  /// Reads `path`, `sqlite:///path`, or `postgresql://…`.
  ///
  /// - Throws: ``LedgerFailure/address(_:)`` for another scheme and for an empty path.
  package init(_ text: String) throws(LedgerFailure) {
    if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
      self = .server(text)
    } else if text.hasPrefix("sqlite://") {
      let path = String(text.dropFirst("sqlite://".count))
      guard path.hasPrefix("/"), path.count > 1 else { throw .address(text) }
      self = .file(path)
    } else {
      guard !text.isEmpty, !text.contains("://"), !text.utf8.contains(0) else { throw .address(text) }
      self = .file(text)
    }
  }

  /// The address for messages. A password in it is not shown.
  package var description: String {
    switch self {
    case .file(let path): path
    case .server(let url): Self.withoutPassword(url)
    }
  }

  private static func withoutPassword(_ url: String) -> String {
    var text = url
    // The host follows the last `@`, because a password may contain one.
    if let start = url.range(of: "://")?.upperBound {
      let authority = url[start...].prefix { $0 != "/" && $0 != "?" }
      if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
        text = url[..<colon] + ":…" + url[at...]
      }
    }
    guard let name = text.range(of: "password=") else { return text }
    let rest = text[name.upperBound...].drop { $0 != "&" }
    return text[..<name.upperBound] + "…" + rest
  }
}

extension String {
  /// The first place of a text in this one; `nil` where it is not there.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
