import Glibc

/// How a terminal or serial line behaves (`termios(3)`).
package struct TerminalSettings: Sendable {
  private var raw = termios()

  /// Reads the settings of a terminal. Fails with ``Errno/notATerminal`` for anything else.
  package init(of descriptor: FileDescriptor) throws(SystemCallFailure) {
    try SystemCall.checked("tcgetattr") { tcgetattr(descriptor.number, &raw) }
  }

  /// Gives a terminal these settings.
  package func apply(to descriptor: FileDescriptor) throws(SystemCallFailure) {
    var settings = raw
    try SystemCall.checked("tcsetattr") { tcsetattr(descriptor.number, TCSANOW, &settings) }
  }

  /// Octets pass unchanged and one by one: eight bits, no parity, one stop bit, no modem lines. A read waits for at least
  /// one octet, so that a read of none means that the line is gone.
  package mutating func makeRaw() {
    cfmakeraw(&raw)
    raw.c_cflag &= ~tcflag_t(CSTOPB)
    raw.c_cflag |= tcflag_t(CLOCAL | CREAD)
    withUnsafeMutableBytes(of: &raw.c_cc) { controls in
      controls[Int(VMIN)] = 1
      controls[Int(VTIME)] = 0
    }
  }

  /// Keys are told one by one and are not echoed; interrupts stay.
  package mutating func takeSingleKeys() { raw.c_lflag &= ~tcflag_t(ICANON | ECHO) }

  /// Whether RTS and CTS hold the other side up.
  package var hasFlowControl: Bool {
    get { raw.c_cflag & CRTSCTS != 0 }
    set { raw.c_cflag = newValue ? raw.c_cflag | CRTSCTS : raw.c_cflag & ~CRTSCTS }
  }

  /// The speed of the line; `nil` for one that is not in ``SerialSpeed/all``.
  package var speed: SerialSpeed? {
    let settings = raw
    return withUnsafePointer(to: settings) { pointer in SerialSpeed.all.first { $0.code == cfgetospeed(pointer) } }
  }

  /// Sets the speed in both directions.
  package mutating func setSpeed(_ speed: SerialSpeed) throws(SystemCallFailure) {
    try SystemCall.checked("cfsetspeed") { cfsetspeed(&raw, speed.code) }
  }
}

extension FileDescriptor {
  /// Characters of a line of the terminal (`TIOCGWINSZ`); `nil` for anything else, and for a terminal that does not know.
  package var terminalColumns: Int? {
    var size = winsize()
    guard (try? control("TIOCGWINSZ", UInt(TIOCGWINSZ), &size)) != nil, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Drops what was typed into a terminal and not read yet.
  package func discardInput() throws(SystemCallFailure) {
    try SystemCall.checked("tcflush") { tcflush(number, TCIFLUSH) }
  }

  /// Drops what a line has received and not read, and what it was given and has not sent.
  func discardBothWays() throws(SystemCallFailure) {
    try SystemCall.checked("tcflush") { tcflush(number, TCIOFLUSH) }
  }
}
