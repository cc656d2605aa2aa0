import Bytes
import Glibc
import HCI
import Text

/// A serial line in raw mode: eight bits, no parity, one stop bit, RTS and CTS (Core Specification Vol 4, Part A, 3).
///
/// The line is asked for exclusively, and gets its old settings back when it is closed.
struct SerialPort: OctetStream {
  let descriptor: Int32
  let path: String
  let speed: UInt32
  private let original: termios

  /// More than two of the longest packets: whatever was on its way when the line was opened is past by then.
  let toleratedGarbage = 4096

  /// Opens the line at `path` with so many bits a second.
  static func open(_ path: String, speed: UInt32) throws(AdapterTrouble) -> SerialPort {
    guard let code = SerialSpeed.code(of: speed) else {
      throw .unsuitable(
        "\(speed) bits a second is no speed of serial lines; take one of "
          + SerialSpeed.known.map { String($0.speed) }.joined(separator: ", "))
    }
    let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw trouble(.last("open"), path) }
    do throws(AdapterTrouble) {
      var original = termios()
      guard tcgetattr(descriptor, &original) == 0 else { throw trouble(.last("tcgetattr"), path) }
      // The line's own exclusiveness does not bind root; the lock does, among those who ask for it.
      guard ioctl(descriptor, UInt(TIOCEXCL), 0) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw trouble(.last("flock"), path)
      }
      try configure(descriptor, original, code, path, speed)
      return SerialPort(descriptor: descriptor, path: path, speed: speed, original: original)
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
  }

  private init(descriptor: Int32, path: String, speed: UInt32, original: termios) {
    self.descriptor = descriptor
    self.path = path
    self.speed = speed
    self.original = original
  }

  private static func configure(
    _ descriptor: Int32, _ original: termios, _ code: speed_t, _ path: String, _ speed: UInt32
  ) throws(AdapterTrouble) {
    var settings = original
    cfmakeraw(&settings)
    settings.c_cflag &= ~tcflag_t(CSTOPB)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD) | CRTSCTS
    // At least one octet, so that a read of none means that the line is gone.
    withUnsafeMutableBytes(of: &settings.c_cc) { controls in
      controls[Int(VMIN)] = 1
      controls[Int(VTIME)] = 0
    }
    guard cfsetspeed(&settings, code) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw trouble(.last("tcsetattr"), path)
    }
    // The system calls it success when only some of the settings were taken.
    var taken = termios()
    guard tcgetattr(descriptor, &taken) == 0, cfgetospeed(&taken) == code else {
      throw .unsuitable("the line cannot do \(speed) bits a second: take another speed")
    }
    // What an earlier host left unread belongs to nobody.
    tcflush(descriptor, TCIOFLUSH)
  }

  /// How a user gets at serial lines.
  static let groupHint =
    "serial lines belong to the group dialout; join it (`sudo adduser $USER dialout`) and log in again"

  /// What a failure to open the line means.
  static func trouble(_ failure: SystemCallFailure, _ path: String) -> AdapterTrouble {
    switch failure.number {
    case ENOENT, ENXIO, ENODEV:
      .absent(
        "no serial line is there",
        present: SystemTree.machine.names(byIdentity).map { PlainText.escaped("\(byIdentity)/\($0)") })
    case EACCES, EPERM:
      .permissionDenied(groupHint)
    case EBUSY, EWOULDBLOCK: .busy("another program has opened the line; `fuser \(PlainText.escaped(path))` names it")
    case ENOTTY, EINVAL, EISDIR:
      .unsuitable("this is no serial line: check the port, `ls -l /dev/serial/by-id` shows what is there")
    default: .system(failure)
    }
  }

  /// Where the system names lines by what they are, whichever number they got.
  private static let byIdentity = "/dev/serial/by-id"

  func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    let failure = SystemCallFailure.last("read")
    if failure.isTransient { return nil }
    throw failure
  }

  func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int {
    let count = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    let failure = SystemCallFailure.last("write")
    if failure.isTransient { return 0 }
    throw failure
  }

  func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure {
    switch failure?.number {
    case nil, EIO, ENXIO, ENODEV: .failed("\(PlainText.escaped(path)) is gone: unplugged")
    default: .failed("\(PlainText.escaped(path)): \(failure.map(\.description) ?? "")")
    }
  }

  func sentence(forGarbage violation: H4Violation?) -> String {
    guard let violation else {
      return "nothing that came over \(toleratedGarbage) octets was H4: "
        + "\(speed) bits a second is the wrong speed, or no HCI controller is there"
    }
    return "the line lost octets (\(violation.sentence)): check that RTS and CTS are wired, or take a lower speed"
  }

  func sayFarewell() {
    _ = try? write(Command.reset.packet.framed[...])
    // Twenty milliseconds are enough for four octets, unless the other end holds the line up.
    var left: Int32 = 1
    for _ in 0..<20 where left > 0 && ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0 && left > 0 { poll(nil, 0, 1) }
  }

  func close() {
    // A line whose other end does not take octets would hold the closing up for half a minute.
    tcflush(descriptor, TCIOFLUSH)
    var settings = original
    tcsetattr(descriptor, TCSANOW, &settings)
    _ = ioctl(descriptor, UInt(TIOCNXCL), 0)
    _ = Glibc.close(descriptor)
  }
}

/// The speeds that the system has a code for.
enum SerialSpeed {
  static let known: [(speed: UInt32, code: speed_t)] = [
    (9600, speed_t(B9600)), (19200, speed_t(B19200)), (38400, speed_t(B38400)), (57600, speed_t(B57600)),
    (115_200, speed_t(B115200)), (230_400, speed_t(B230400)), (460_800, speed_t(B460800)),
    (500_000, speed_t(B500000)), (576_000, speed_t(B576000)), (921_600, speed_t(B921600)),
    (1_000_000, speed_t(B1000000)), (1_152_000, speed_t(B1152000)), (1_500_000, speed_t(B1500000)),
    (2_000_000, speed_t(B2000000)), (2_500_000, speed_t(B2500000)), (3_000_000, speed_t(B3000000)),
    (3_500_000, speed_t(B3500000)), (4_000_000, speed_t(B4000000)),
  ]

  /// The next speeds below and above one that is unknown.
  static func nearest(to speed: UInt32) -> [UInt32] {
    [known.last { $0.speed < speed }, known.first { $0.speed > speed }].compactMap(\.?.speed)
  }

  static func code(of speed: UInt32) -> speed_t? { known.first { $0.speed == speed }?.code }
}
