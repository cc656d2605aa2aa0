import Glibc

/// Why nobody can listen at a path.
package enum SocketPathFailure: Error, Hashable, Sendable {
  /// The path is empty, or longer than an address of a socket can hold.
  case unsuitablePath
  /// Something that is not a socket is at the path; it is left alone.
  case notASocket
  /// Another process listens there.
  case inUse
  /// A system call failed.
  case system(SystemCallFailure)
}

/// A socket at which clients come, over TCP or at a path.
package struct ListeningSocket {
  /// Clients that the system lets wait until they are accepted.
  package static let backlog: Int32 = 16

  private let socket: StreamSocket
  private let path: String?

  /// Listens at an address of TCP.
  package init(at address: SocketAddress) throws(SystemCallFailure) {
    socket = try StreamSocket.open(family: address.family)
    path = nil
    try socket.reuseAddress()
    try socket.bind(to: address)
    try socket.listen(backlog: Self.backlog)
  }

  /// Listens at a path that only its owner can use. A socket that a dead process left there is replaced; everything else
  /// is left alone.
  package init(atPath path: String) throws(SocketPathFailure) {
    guard let address = SocketAddress.unix(path: path) else { throw .unsuitablePath }
    try Self.removeStale(path, address)
    self.path = path
    do throws(SystemCallFailure) {
      socket = try StreamSocket.open(family: address.family)
      try socket.bind(to: address)
      // Nobody can connect before the socket listens, so the mode is set in time.
      try FileSystem.setMode(0o600, of: path)
      try socket.listen(backlog: Self.backlog)
    } catch { throw .system(error) }
  }

  private static func removeStale(_ path: String, _ address: SocketAddress) throws(SocketPathFailure) {
    let kind: FileSystem.Kind?
    do { kind = try FileSystem.kind(of: path) } catch { throw .system(error) }
    guard let kind else { return }
    guard kind == .socket else { throw .notASocket }
    do throws(SystemCallFailure) {
      let probe = try StreamSocket.open(family: address.family)
      try probe.connect(to: address)
    } catch {
      guard error.code == .connectionRefused else { throw .system(error) }
      do { try FileSystem.remove(path) } catch { throw .system(error) }
      return
    }
    throw .inUse
  }

  /// What the event loop watches.
  package var number: Int32 { socket.descriptor.number }

  /// The TCP port; `nil` for a path.
  package func port() throws(SystemCallFailure) -> UInt16? { try socket.port() }

  /// The next client that waits; `nil` when none does.
  package func accept() throws(SystemCallFailure) -> StreamSocket? { try socket.accept() }

  /// Stops listening, and removes the path.
  package func close() {
    guard socket.descriptor.isOpen else { return }
    socket.close()
    // Whoever removed it before us has done what is wanted.
    if let path { try? FileSystem.remove(path) }
  }
}
