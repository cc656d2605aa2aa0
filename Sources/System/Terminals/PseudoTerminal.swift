import Glibc

/// A serial line without hardware (`pty(7)`): the end at which an instrument stands, and the path at which a client opens
/// the other one.
package final class PseudoTerminal {
  /// The instrument's end, which never blocks.
  package let descriptor: FileDescriptor
  /// Where a client opens its end.
  package let path: String
  /// The client's end, kept open so that a client that leaves does not end the line.
  private var keeper: FileDescriptor?

  /// `TIOCSPTLCK` and `TIOCGPTN` (ioctl_tty(2)), whose macros Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Makes one in raw mode.
  package init() throws(SystemCallFailure) {
    descriptor = try .open("/dev/ptmx", .readingAndWriting, [.noControllingTerminal, .nonBlocking])
    var isLocked: Int32 = 0
    try descriptor.control("TIOCSPTLCK", Self.setLock, &isLocked)
    var number: UInt32 = 0
    try descriptor.control("TIOCGPTN", Self.getNumber, &number)
    path = "\(Self.folder)/\(number)"
    let keeper = try FileDescriptor.open(path, .readingAndWriting, .noControllingTerminal)
    self.keeper = keeper
    var settings = try TerminalSettings(of: keeper)
    settings.makeRaw()
    try settings.apply(to: keeper)
  }

  private static let folder = "/dev/pts"

  /// Whether a path is that of a client's end, of this terminal or another one.
  package static func isPath(_ path: String) -> Bool { path.hasPrefix(folder + "/") }

  /// Closes both ends.
  package func close() {
    keeper = nil
    descriptor.close()
  }
}
