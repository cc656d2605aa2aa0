import CLinux
import Glibc

/// A stream socket that never blocks, over TCP or at a path.
package struct StreamSocket {
  /// The socket's descriptor, which it owns.
  package let descriptor: FileDescriptor

  /// How long a connection may be idle before its other end is asked for a sign of life, and how long each answer may take,
  /// in seconds; and the questions without an answer after which the other end is gone.
  private static let (idle, interval, probes): (Int32, Int32, Int32) = (10, 5, 3)

  /// A machine that lost its power or its network says no word. Its end is noticed within 25 s, whether we wait for it or
  /// it owes us acknowledgements.
  private init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    // Sockets at a path have no machine at their other end, and refuse what is TCP's.
    try? setOption(SOL_SOCKET, SO_KEEPALIVE)
    try? setOption(Int32(IPPROTO_TCP), TCP_KEEPIDLE, Self.idle)
    try? setOption(Int32(IPPROTO_TCP), TCP_KEEPINTVL, Self.interval)
    try? setOption(Int32(IPPROTO_TCP), TCP_KEEPCNT, Self.probes)
    try? setOption(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, (Self.idle + Self.interval * Self.probes) * 1_000)
  }

  /// A new socket for addresses of a family.
  package static func open(family: Int32) throws(SystemCallFailure) -> StreamSocket {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return StreamSocket(
      FileDescriptor(adopting: try SystemCall.checked("socket") { socket(family, kind, 0) }, isSocket: true))
  }

  /// Two sockets that are connected to each other.
  package static func pair() throws(SystemCallFailure) -> (StreamSocket, StreamSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try SystemCall.checked("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
    return (
      StreamSocket(FileDescriptor(adopting: ends[0], isSocket: true)),
      StreamSocket(FileDescriptor(adopting: ends[1], isSocket: true))
    )
  }

  private func sendSmallPacketsAtOnce() {
    // Not every stream socket is TCP. The others refuse the option, and do not need it.
    try? setOption(Int32(IPPROTO_TCP), TCP_NODELAY)
  }

  /// Lets a server be started again while connections of the last one linger.
  package func reuseAddress() throws(SystemCallFailure) { try setOption(SOL_SOCKET, SO_REUSEADDR) }

  private func setOption(_ level: Int32, _ option: Int32, _ value: Int32 = 1) throws(SystemCallFailure) {
    var value = value
    try SystemCall.checked("setsockopt") {
      setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  // MARK: Clients

  /// Begins to connect; the socket is writable when that is decided, and ``finishConnecting()`` says how.
  package func connect(to address: SocketAddress) throws(SystemCallFailure) {
    // A connection that a signal interrupted goes on by itself, so this call is not made again.
    guard address.withPointer({ Glibc.connect(descriptor.number, $0, $1) }) != 0 else { return }
    let failure = SystemCallFailure.last("connect")
    guard failure.code == .inProgress || failure.code == .interrupted else { throw failure }
  }

  /// Throws why the attempt to connect failed, if it did.
  package func finishConnecting() throws(SystemCallFailure) {
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try SystemCall.checked("getsockopt") { getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &number, &length) }
    guard number == 0 else { throw SystemCallFailure("connect", number) }
    sendSmallPacketsAtOnce()
  }

  // MARK: Servers

  /// Gives the socket its address.
  package func bind(to address: SocketAddress) throws(SystemCallFailure) {
    try SystemCall.checked("bind") { address.withPointer { Glibc.bind(descriptor.number, $0, $1) } }
  }

  /// Begins to listen; up to `backlog` clients wait until they are accepted.
  package func listen(backlog: Int32) throws(SystemCallFailure) {
    try SystemCall.checked("listen") { Glibc.listen(descriptor.number, backlog) }
  }

  /// The next client that waits; `nil` when none does.
  package func accept() throws(SystemCallFailure) -> StreamSocket? {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    do {
      let client = StreamSocket(
        FileDescriptor(
          adopting: try SystemCall.checked("accept4") { accept4(descriptor.number, nil, nil, flags) }, isSocket: true))
      client.sendSmallPacketsAtOnce()
      return client
    } catch {
      // A client that left before it was accepted does not concern the server.
      if error.isTransient || error.code == .connectionAborted { return nil }
      throw error
    }
  }

  /// The port that the system gave to a bound TCP socket; `nil` for other sockets.
  package func port() throws(SystemCallFailure) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try SystemCall.checked("getsockname") {
      withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor.number, $0, &length) }
      }
    }
    return withUnsafePointer(to: &storage) { pointer in
      switch Int32(pointer.pointee.ss_family) {
      case AF_INET:
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
      case AF_INET6:
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin6_port) }
      default: nil
      }
    }
  }

  /// Closes the socket.
  package func close() { descriptor.close() }
}
