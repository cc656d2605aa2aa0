import Glibc

/// Why a serial line could not be opened.
package enum SerialLineFailure: Error, Hashable, Sendable {
  /// Another program has opened or locked the line.
  case inUse
  /// What is at the path is not a serial line.
  case notALine
  /// The system does not have this speed, or the line cannot do it.
  case unknownSpeed(UInt32)
  /// The line took another speed than the one asked for.
  case speedRefused(UInt32)
  /// A system call failed.
  case system(SystemCallFailure)
}

/// A serial line in raw mode that belongs to this program alone, and gets its former settings back when it is closed.
package final class SerialLine {
  /// The line's descriptor, which never blocks.
  package let descriptor: FileDescriptor
  private let original: TerminalSettings

  /// Opens the line at `path`; `flowControl` says whether RTS and CTS are used.
  package init(_ path: String, bitsPerSecond: UInt32, flowControl: Bool) throws(SerialLineFailure) {
    guard let speed = SerialSpeed(bitsPerSecond) else { throw .unknownSpeed(bitsPerSecond) }
    do throws(SystemCallFailure) {
      descriptor = try .open(path, .readingAndWriting, [.noControllingTerminal, .nonBlocking])
      original = try TerminalSettings(of: descriptor)
    } catch { throw Self.meaning(of: error) }
    do throws(SystemCallFailure) {
      // The line's own exclusiveness does not bind root. The lock does, among those who ask for it, labgrid among them.
      try descriptor.lock()
      try descriptor.control("TIOCEXCL", UInt(TIOCEXCL))
      var settings = original
      settings.makeRaw()
      settings.hasFlowControl = flowControl
      try settings.setSpeed(speed)
      try settings.apply(to: descriptor)
      // The system calls it success when only some of the settings were taken.
      let isTaken = try TerminalSettings(of: descriptor).speed == speed
      // What an earlier user left unread belongs to nobody.
      try descriptor.discardBothWays()
      guard !isTaken else { return }
    } catch {
      close()
      throw Self.meaning(of: error)
    }
    close()
    throw .speedRefused(bitsPerSecond)
  }

  deinit { close() }

  private static func meaning(of failure: SystemCallFailure) -> SerialLineFailure {
    switch failure.code {
    case .busy, .wouldBlock: .inUse
    case .notATerminal, .invalidArgument, .isDirectory: .notALine
    default: .system(failure)
    }
  }

  /// Waits until what was written has left, at most `milliseconds`.
  package func drain(milliseconds: Int) {
    for _ in 0..<milliseconds {
      var unsent: Int32 = 0
      guard (try? descriptor.control("TIOCOUTQ", UInt(TIOCOUTQ), &unsent)) != nil, unsent > 0 else { return }
      poll(nil, 0, 1)
    }
  }

  /// Gives the line its former settings back, and closes it. A line that was pulled out has no settings any more, so
  /// nothing is checked here.
  package func close() {
    guard descriptor.isOpen else { return }
    // A line whose other end does not take octets would hold closing up for half a minute.
    try? descriptor.discardBothWays()
    try? original.apply(to: descriptor)
    try? descriptor.control("TIOCNXCL", UInt(TIOCNXCL))
    descriptor.close()
  }
}
