import Bytes
import Glibc
import Text
import Timeline
import Transports
import World

/// Where an instrument is reached, in labgrid's words (doc/configuration.rst of labgrid).
public enum LineResource: Hashable, Sendable {
  /// `RawSerialPort`: a device file, and bits a second.
  case rawSerialPort(port: String, speed: Int)
  /// `USBSerialPort`: found by udev's properties, and bits a second.
  case usbSerialPort(USBMatch, speed: Int)
  /// `NetworkSerialPort` with the protocol `raw`: a TCP port.
  case networkSerialPort(host: String, port: Int)

  /// udev's properties by which a USB device is found.
  public struct USBMatch: Hashable, Sendable {
    /// `ID_PATH`: the place it is plugged in at.
    public var path: String?
    /// `ID_SERIAL_SHORT`: its serial number.
    public var serial: String?
  }

  /// What messages call it.
  public var description: String {
    switch self {
    case .rawSerialPort(let port, _): PlainText.escaped(port)
    case .usbSerialPort(let match, _): PlainText.escaped(match.serial ?? match.path ?? "")
    case .networkSerialPort(let host, let port): PlainText.escaped(host) + ":\(port)"
    }
  }

  /// Opens it.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with one sentence on what to do.
  public func open(on loop: EventLoop) throws(ControlFailure) -> TextLine {
    switch self {
    case .rawSerialPort(let port, let speed): return try SerialLine.open(port, speed: speed, on: loop)
    case .usbSerialPort(let match, let speed):
      return try SerialLine.open(try SerialLine.find(match), speed: speed, on: loop)
    case .networkSerialPort(let host, let port): return try Self.connect(host, port, on: loop)
    }
  }

  /// Begins to connect; a failure is told as the end of the line.
  private static func connect(_ host: String, _ port: Int, on loop: EventLoop) throws(ControlFailure) -> TextLine {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard status == 0, let first = list?.pointee else {
      throw .bench("\(PlainText.escaped(host)) is not found (\(String(cString: gai_strerror(status)))): check its name")
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(first.ai_family, kind, 0)
    guard descriptor >= 0 else { throw .bench("no socket can be opened: \(SystemCallFailure("socket", errno))") }
    guard Glibc.connect(descriptor, first.ai_addr, first.ai_addrlen) == 0 || errno == EINPROGRESS else {
      let failure = SystemCallFailure("connect", errno)
      _ = Glibc.close(descriptor)
      throw .bench("\(PlainText.escaped(host)):\(port) does not answer (\(failure)): check its power and its cable")
    }
    return TextLine(adopting: descriptor, isSocket: true, isConnecting: true, on: loop)
  }
}

/// Serial lines without flow control, eight bits, no parity, one stop bit.
enum SerialLine {
  /// The speeds that instruments use; the others are a mistake.
  static let speeds: [(speed: Int, code: speed_t)] = [
    (9_600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)), (57_600, speed_t(B57600)),
    (115_200, speed_t(B115200)), (230_400, speed_t(B230400)), (460_800, speed_t(B460800)),
    (921_600, speed_t(B921600)),
  ]

  /// Opens a line for ourselves alone.
  static func open(_ path: String, speed: Int, on loop: EventLoop) throws(ControlFailure) -> TextLine {
    let name = PlainText.escaped(path)
    guard let code = speeds.first(where: { $0.speed == speed })?.code else {
      throw .bench("\(speed) is no speed of serial lines: take one of \(speeds.map { "\($0.speed)" })")
    }
    let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .bench(trouble(errno, name)) }
    // Other users of the line, labgrid's among them, lock it in the same way.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = Glibc.close(descriptor)
      throw .bench("\(name) is in use by another program: end that, `fuser \(name)` names it")
    }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      _ = Glibc.close(descriptor)
      throw .bench("\(name) is no serial line: check the port of the bench file")
    }
    cfmakeraw(&settings)
    settings.c_cflag &= ~(tcflag_t(CSTOPB) | CRTSCTS)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    guard cfsetspeed(&settings, code) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      _ = Glibc.close(descriptor)
      throw .bench("\(name) cannot do \(speed) bits a second: check the speed of the bench file")
    }
    tcflush(descriptor, TCIOFLUSH)
    return TextLine(adopting: descriptor, isSocket: false, on: loop)
  }

  private static func trouble(_ number: Int32, _ name: String) -> String {
    switch number {
    case ENOENT, ENODEV, ENXIO: "\(name) is not there: plug it in, or correct the port of the bench file"
    case EACCES, EPERM: "\(name) may not be opened: join the group that owns it, mostly dialout, and log in again"
    case EBUSY: "\(name) is in use by another program: end that, `fuser \(name)` names it"
    default: "\(name) cannot be opened: \(SystemCallFailure("open", number))"
    }
  }

  /// The device file of a USB line, by the links that udev makes below `/dev/serial`.
  static func find(_ match: LineResource.USBMatch, below root: String = "/dev/serial") throws(ControlFailure) -> String
  {
    let (folder, wanted) = match.serial.map { ("by-id", $0) } ?? ("by-path", match.path ?? "")
    let found = names(in: "\(root)/\(folder)").filter { name in
      // usb-Vendor_Model_SERIAL-if00 and pci-0000:05:00.0-usb-0:3.1:1.0
      match.serial == nil ? name.hasPrefix(wanted + ":") : name.contains("_\(wanted)-")
    }
    guard found.count == 1 else {
      let name = PlainText.escaped(wanted)
      throw .bench(
        found.isEmpty
          ? "no USB serial line \(name) is plugged in: plug it in, or correct its match in the bench file"
          : "\(found.count) USB serial lines match \(name): state a longer match in the bench file")
    }
    return "\(root)/\(folder)/\(found[0])"
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted()
  }
}
