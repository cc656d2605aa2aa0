import Glibc

/// The descriptor of a non-blocking stream socket and the calls used on it; owns the descriptor until it is closed.
struct StreamSocket {
  let descriptor: Int32

  /// A new socket of an address family, non-blocking and closed on `exec`.
  static func open(family: Int32) throws(SystemCallFailure) -> StreamSocket {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw .last("socket") }
    return StreamSocket(descriptor: descriptor)
  }

  /// Makes a descriptor from elsewhere non-blocking and, when it is TCP, quick to send small packets.
  func prepare() {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var one: Int32 = 1
    // Not every stream socket is TCP; the option is refused by the others, and that is all right.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Begins to connect; done at once or, as mostly with TCP, when the socket becomes writable.
  func connect(to address: SocketAddress) throws(SystemCallFailure) -> Bool {
    if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 { return true }
    guard errno == EINPROGRESS else { throw .last("connect") }
    return false
  }

  /// How an attempt to connect that had to wait came out.
  func finishConnecting() throws(SystemCallFailure) {
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else { throw .last("getsockopt") }
    guard number == 0 else { throw SystemCallFailure("connect", number) }
  }

  func bind(to address: SocketAddress) throws(SystemCallFailure) {
    guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else { throw .last("bind") }
  }

  func listen(backlog: Int32) throws(SystemCallFailure) {
    guard Glibc.listen(descriptor, backlog) == 0 else { throw .last("listen") }
  }

  /// Lets a server be started again while connections of the last one linger.
  func reuseAddress() {
    var one: Int32 = 1
    _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next client that waits, if there is one.
  func accept() throws(SystemCallFailure) -> StreamSocket? {
    let client = Glibc.accept(descriptor, nil, nil)
    if client >= 0 {
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      return StreamSocket(descriptor: client)
    }
    let failure = SystemCallFailure.last("accept")
    // A client that left before it was accepted is not a trouble of the server.
    if failure.isTransient || failure.number == ECONNABORTED { return nil }
    throw failure
  }

  /// Reads what is there, up to the size of `buffer`: the number of octets, 0 at the end, `nil` when none are there.
  func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? {
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count >= 0 { return count }
    let failure = SystemCallFailure.last("recv")
    if failure.isTransient { return nil }
    throw failure
  }

  /// Writes as much of `octets` as the system takes now, without a signal when the other end is gone.
  func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int {
    let count = octets.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    if count >= 0 { return count }
    let failure = SystemCallFailure.last("send")
    if failure.isTransient { return 0 }
    throw failure
  }

  func close() { _ = Glibc.close(descriptor) }
}
