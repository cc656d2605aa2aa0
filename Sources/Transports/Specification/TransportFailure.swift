import System

/// Why a transport could not be opened.
package enum TransportFailure: Error, Hashable, Sendable {
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
  /// The file of a key that both ends share cannot be used; why.
  case badKey(path: String, reason: String)
  /// The other end does not have the same key, or does not speak TLS.
  case keyRefused(TransportSpecification)
  /// A server would let in whoever reaches this machine, where that is not wanted.
  case exposed(TransportSpecification)
  /// The adapter that the specification names cannot be used.
  case adapter(AdapterTrouble, TransportSpecification)
}

extension TransportFailure: CustomStringConvertible {
  /// One sentence for the person who gave the specification: what is wrong, and after its last colon what to do.
  package var description: String { "\(problem): \(advice)" }

  /// What is wrong.
  package var problem: String {
    switch self {
    case .unresolved(let host, let reason): "cannot resolve '\(host)' (\(reason))"
    case .system(let failure, let specification): "\(specification): \(failure)"
    case .timedOut(let specification): "\(specification): timed out"
    case .notASocket(let path): "\(path) exists and is not a socket"
    case .inUse(let path): "another process listens at \(path)"
    case .notAServer(let specification): "\(specification) is not a server"
    case .badKey(let path, let reason): "the key file \(path) \(reason)"
    case .keyRefused(let specification): "\(specification): the other end does not have this key, or does not speak TLS"
    case .exposed(let specification): "\(specification) would let in whoever reaches this machine"
    case .adapter(let trouble, let specification): "\(specification): \(trouble.problem)"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .unresolved: "check the name of the host"
    case .system(_, let specification) where specification.isServer:
      "stop the program that uses this address, or use another one"
    case .system: "start the other side first, or correct the address"
    case .timedOut: "check that the other side is running"
    case .notASocket: "use another path"
    case .inUse: "stop it, or use another path"
    case .notAServer: "use tcp-server, tls-server or unix-server"
    case .badKey: "make one with `openssl rand -hex 32`, and copy it to both machines"
    case .keyRefused: "use the same key file on both machines"
    case .exposed: "use tls-server with a key, or 127.0.0.1"
    case .adapter(let trouble, _): trouble.advice
    }
  }
}
