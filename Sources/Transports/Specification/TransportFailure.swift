import System

/// Why a transport could not be opened.
public enum TransportFailure: Error, Hashable, Sendable {
  /// The host's name was not understood by the resolver, which says why.
  case unresolved(host: String, reason: String)
  /// A system call failed while the place was opened.
  case system(SystemCallFailure, TransportSpecification)
  /// Nobody answered, or nobody came, within the time given.
  case timedOut(TransportSpecification)
  /// What is at the path is not a socket; it is left alone.
  case notASocket(path: String)
  /// Another process listens at the path.
  case inUse(path: String)
  /// A server was asked for, but the specification is not one of a server.
  case notAServer(TransportSpecification)
  /// The adapter that the specification names cannot be used.
  case adapter(AdapterTrouble, TransportSpecification)
}

extension TransportFailure: CustomStringConvertible {
  /// One sentence for the person who gave the specification: what is wrong and, after its last colon or semicolon, what to
  /// do.
  public var description: String {
    switch self {
    case .unresolved(let host, let reason): "cannot resolve '\(host)' (\(reason)): check the name of the host"
    case .system(let failure, let specification) where specification.isServer:
      "\(specification): \(failure): stop the program that uses this address, or use another one"
    case .system(let failure, let specification):
      "\(specification): \(failure): start the other side first, or correct the address"
    case .timedOut(let specification): "\(specification): timed out: check that the other side is running"
    case .notASocket(let path): "\(path) exists and is not a socket: use another path"
    case .inUse(let path): "another process listens at \(path): stop it, or use another path"
    case .notAServer(let specification): "\(specification) is not a server; use tcp-server or unix-server"
    case .adapter(let trouble, let specification): "\(specification): \(trouble)"
    }
  }
}
