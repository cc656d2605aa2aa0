import Bytes
import Glibc
import Text
import Timeline
import Transports
import World

/// The instrument's end of a line, for simulators: a pseudo-terminal under the name of the serial port, or a TCP port.
public final class LineServer {
  /// Told of what the client sends.
  public var onOctets: (([UInt8]) -> Void)?

  private let loop: EventLoop
  private var line: TextLine?
  /// The client's end of the pseudo-terminal, kept open so that a client that leaves does not end it.
  private var terminal: Int32?
  private var link: String?
  private var listener: Int32?

  /// Offers a line where a bench file says that an instrument is.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where something else is there already.
  public init(at resource: LineResource, on loop: EventLoop) throws(ControlFailure) {
    self.loop = loop
    switch resource {
    case .rawSerialPort(let port, _): try openTerminal(at: port)
    case .networkSerialPort(let host, let port): try listen(host, port)
    case .usbSerialPort: throw .bench("a USB device cannot be simulated: state a `RawSerialPort` with a path in /tmp")
    }
  }

  deinit { close() }

  /// Sends octets to the client, if one is there.
  public func send(_ octets: [UInt8]) { line?.send(octets) }

  /// Hangs up on the client.
  public func hangUp() {
    line?.close()
    line = nil
  }

  /// Ends the line and removes its name.
  public func close() {
    hangUp()
    if let terminal { _ = Glibc.close(terminal) }
    if let link { _ = unlink(link) }
    if let listener {
      loop.unwatch(listener)
      _ = Glibc.close(listener)
    }
    (terminal, link, listener) = (nil, nil, nil)
  }

  // MARK: A pseudo-terminal

  /// `TIOCSPTLCK` and `TIOCGPTN` (ioctl_tty(2)), whose macros Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private func openTerminal(at path: String) throws(ControlFailure) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
      throw .bench("no pseudo-terminal can be opened: \(SystemCallFailure("ptmx", errno))")
    }
    line = adopt(master, isSocket: false)
    let slave = "/dev/pts/\(number)"
    let terminal = open(slave, O_RDWR | O_NOCTTY | O_CLOEXEC)
    self.terminal = terminal
    var settings = termios()
    guard terminal >= 0, tcgetattr(terminal, &settings) == 0 else {
      throw .bench("no pseudo-terminal can be opened: \(SystemCallFailure("open", errno))")
    }
    cfmakeraw(&settings)
    tcsetattr(terminal, TCSANOW, &settings)
    try Self.makeLink(path, to: slave)
    link = path
  }

  /// Puts the terminal's name at the port's path; what a simulator left there is replaced, everything else is left alone.
  private static func makeLink(_ path: String, to slave: String) throws(ControlFailure) {
    var target = [UInt8](repeating: 0, count: 128)
    let count = target.withUnsafeMutableBytes { $0.baseAddress.map { readlink(path, $0, 128) } ?? -1 }
    if count > 0, String(decoding: target.prefix(count), as: UTF8.self).hasPrefix("/dev/pts/") { _ = unlink(path) }
    guard symlink(slave, path) == 0 else {
      throw .bench("\(PlainText.escaped(path)) cannot be made: \(SystemCallFailure("symlink", errno))")
    }
  }

  // MARK: A TCP port

  private func listen(_ host: String, _ port: Int) throws(ControlFailure) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    // A simulator is for this machine alone.
    guard host == "127.0.0.1" || host == "localhost" else {
      throw .bench("\(PlainText.escaped(host)) is not this machine: state 127.0.0.1 for an instrument to simulate")
    }
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = socket(AF_INET, kind, 0)
    self.listener = listener
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0, Glibc.listen(listener, 4) == 0 else {
      throw .bench("port \(port) cannot be listened at: \(SystemCallFailure("bind", errno))")
    }
    loop.watch(listener, for: .readable) { [weak self] _ in self?.accept() }
  }

  /// The port that the system chose when 0 was asked for; `nil` for a pseudo-terminal.
  public var port: Int? {
    guard let listener else { return nil }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  private func accept() {
    guard let listener else { return }
    let client = Glibc.accept(listener, nil, nil)
    guard client >= 0 else { return }
    _ = fcntl(client, F_SETFL, fcntl(client, F_GETFL) | O_NONBLOCK)
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    // The newest client is the one: an instrument has one panel.
    line?.close()
    line = adopt(client, isSocket: true)
  }

  private func adopt(_ descriptor: Int32, isSocket: Bool) -> TextLine {
    let line = TextLine(adopting: descriptor, isSocket: isSocket, on: loop)
    line.onOctets = { [weak self] in self?.onOctets?($0) }
    return line
  }
}
