import Bytes
import Glibc
import Text
import Timeline
import Transports
import World

/// A socket below a path, at which any number of clients steer simulated recorders line by line.
public final class SteeringSocket {
  /// Octets of one line; a client that sends more without a line feed is hung up on.
  public static let lineLimit = 65_536
  private static let clientLimit = 64

  private struct Client {
    let number: Int
    let line: TextLine
    var rest: [UInt8] = []
  }

  /// Told of each line, and of the number of the client that sent it.
  public var onLine: ((Int, String) -> Void)?
  /// Told that a client has left.
  public var onLeft: ((Int) -> Void)?

  private let path: String
  private let loop: EventLoop
  private let listener: Int32
  private var clients: [Client] = []
  private var lastNumber = 0
  private var isOpen = true

  /// Listens at a path, for its owner alone. A socket that was left behind is replaced, everything else left alone.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where that cannot be.
  public init(at path: String, on loop: EventLoop) throws(ControlFailure) {
    self.path = path
    self.loop = loop
    let place = PlainText.escaped(path)
    guard var address = Self.address(path) else { throw .bench("\(place) is too long for the name of a socket") }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try Self.removeStale(path, address, kind)
    listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { throw .bench("no socket can be opened: \(SystemCallFailure("socket", errno))") }
    // Nobody can connect before the socket listens, so the mode is set in time.
    guard Self.call(&address, { bind(listener, $0, $1) }) == 0, chmod(path, 0o600) == 0, listen(listener, 16) == 0
    else {
      let failure = SystemCallFailure("bind", errno)
      _ = Glibc.close(listener)
      throw .bench("\(place) cannot be listened at: \(failure)")
    }
    loop.watch(listener, for: .readable) { [weak self] _ in self?.accept() }
  }

  deinit { close() }

  /// Sends a line to a client, if it is still there.
  public func send(_ text: String, to number: Int) {
    clients.first { $0.number == number }?.line.send(Array(text.utf8) + [0x0A])
  }

  /// Hangs up on everybody, and removes the socket.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    loop.unwatch(listener)
    _ = Glibc.close(listener)
    _ = unlink(path)
    for client in clients { client.line.close() }
    clients.removeAll()
  }

  private static func address(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard octets.count <= room, !octets.isEmpty else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
    return address
  }

  private static func call(
    _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private static func removeStale(_ path: String, _ address: sockaddr_un, _ kind: Int32) throws(ControlFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let place = PlainText.escaped(path)
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .bench("\(place) exists and is not a socket") }
    let probe = socket(AF_UNIX, kind, 0)
    defer { _ = Glibc.close(probe) }
    var address = address
    guard call(&address, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
      throw .bench("another process listens at \(place)")
    }
    _ = unlink(path)
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    guard clients.count < Self.clientLimit else {
      _ = Glibc.close(descriptor)
      return
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    lastNumber += 1
    let number = lastNumber
    let line = TextLine(adopting: descriptor, isSocket: true, on: loop)
    line.onOctets = { [weak self] octets in self?.take(octets, from: number) }
    line.onClosed = { [weak self] _ in self?.drop(number) }
    clients.append(Client(number: number, line: line))
  }

  private func take(_ octets: [UInt8], from number: Int) {
    guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
    clients[index].rest += octets
    var lines: [String] = []
    while let end = clients[index].rest.firstIndex(of: 0x0A) {
      lines.append(String(decoding: clients[index].rest[..<end], as: UTF8.self))
      clients[index].rest.removeSubrange(...end)
    }
    if clients[index].rest.count > Self.lineLimit {
      clients[index].line.close()
      drop(number)
    }
    for line in lines { onLine?(number, line) }
  }

  private func drop(_ number: Int) {
    clients.removeAll { $0.number == number }
    onLeft?(number)
  }
}
