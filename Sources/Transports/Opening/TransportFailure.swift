/// Why a transport could not be opened.
public enum TransportFailure: Error, Hashable, Sendable {
  /// The host's name was not understood by the resolver, which says why.
  case unresolved(host: String, reason: String)
  /// A call of the system failed while the place was opened.
  case system(SystemCallFailure, TransportSpecification)
  /// Nobody answered, or nobody came, within the time given.
  case timedOut(TransportSpecification)
  /// Something else than a socket lies at the path, which is left alone.
  case notASocket(path: String)
  /// Another process listens at the path.
  case inUse(path: String)
  /// A server was asked of a specification that is none.
  case notAServer(TransportSpecification)
  /// The adapter that the specification names cannot be used.
  case adapter(AdapterTrouble, TransportSpecification)
}

extension TransportFailure: CustomStringConvertible {
  /// One sentence for the person who gave the specification: what is wrong and, behind its last colon or semicolon, what
  /// to do.
  public var description: String {
    switch self {
    case .unresolved(let host, let reason): "cannot resolve '\(host)': \(reason): check the host's name"
    case .system(let failure, let specification) where specification.isServer:
      "\(specification): \(failure): free that place, or name another"
    case .system(let failure, let specification):
      "\(specification): \(failure): start the other side first, or correct the place"
    case .timedOut(let specification): "\(specification): timed out: look whether the other side runs, or start it"
    case .notASocket(let path): "\(path) exists and is not a socket: name another path"
    case .inUse(let path): "another process listens at \(path): end it, or name another path"
    case .notAServer(let specification): "\(specification) is not a place to listen; use tcp-server or unix-server"
    case .adapter(let trouble, let specification): "\(specification): \(trouble)"
    }
  }
}
