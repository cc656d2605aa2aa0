import Foundation
import Synchronization
import System
import Timeline

/// Reads standard input: lines, or single keys if it is a terminal.
final class TerminalInput {
  /// Something that was typed.
  enum Input: Sendable, Equatable {
    case line(String)
    case key(Character)
    /// A line came that is longer than ``lineLimit``; nothing more is read.
    case endless
  }

  /// Octets of one line; whoever sends more without an end of the line sends no lines.
  static let lineLimit = 4_096

  /// Whether single keys are reported.
  let hasKeys: Bool
  private let loop: EventLoop
  private let onInput: (Input) -> Void
  private var rest: [UInt8] = []
  /// What was read, and is not taken yet.
  private var unread: ArraySlice<UInt8> = []
  private var isPaused = false
  private var isStopped = false
  /// Whether the terminal is to give a whole line, which `:` begins.
  private var awaitsLine = false

  init(on loop: EventLoop, _ onInput: @escaping (Input) -> Void) {
    self.loop = loop
    self.onInput = onInput
    hasKeys = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && TerminalMode.takeKeys()
    watch()
  }

  /// Stops reading, and restores the terminal.
  func close() {
    stop()
    TerminalMode.restore()
  }

  /// Reads nothing more.
  func stop() {
    isStopped = true
    unread = []
    loop.unwatch(STDIN_FILENO)
  }

  /// Reads nothing until ``resume()``, so that whoever writes has to wait.
  func pause() {
    isPaused = true
    loop.unwatch(STDIN_FILENO)
  }

  /// Reads on after ``pause()``.
  func resume() {
    guard isPaused, !isStopped else { return }
    isPaused = false
    loop.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      takeUnread()
      if !isPaused, !isStopped { watch() }
    }
  }

  private func watch() {
    loop.watch(STDIN_FILENO, for: .readable) { [weak self] _ in self?.read() }
  }

  private func read() {
    let octets: [UInt8]
    do {
      guard let read = try FileDescriptor.standardInput.read(upTo: Self.lineLimit) else { return }
      octets = read
    } catch { octets = [] }
    // End of input: the recorders may still be steered at the socket.
    guard !octets.isEmpty else { return stop() }
    unread += octets
    takeUnread()
  }

  private func takeUnread() {
    while !isPaused, !isStopped, let octet = unread.popFirst() { take(octet) }
  }

  private func take(_ octet: UInt8) {
    guard hasKeys, !awaitsLine else {
      if octet != 0x0A {
        rest.append(octet)
        guard rest.count > Self.lineLimit else { return }
        rest.removeAll()
        stop()
        return onInput(.endless)
      }
      let line = String(decoding: rest, as: UTF8.self)
      rest.removeAll()
      if awaitsLine {
        awaitsLine = false
        _ = TerminalMode.takeKeys()
      }
      return onInput(.line(line))
    }
    guard octet == UInt8(ascii: ":") else { return onInput(.key(Character(UnicodeScalar(octet)))) }
    awaitsLine = true
    TerminalMode.restore()
    onInput(.key(":"))
  }
}

/// How the terminal of standard input behaves. It is given back as it was, whatever ends the tool but SIGKILL.
enum TerminalMode {
  private static let original = Mutex<TerminalSettings?>(nil)

  /// Lets keys be read one by one and unseen; interrupts stay. Whether that can be done.
  static func takeKeys() -> Bool {
    original.withLock { original in
      guard var settings = try? TerminalSettings(of: .standardInput) else { return false }
      if original == nil { original = settings }
      settings.takeSingleKeys()
      return (try? settings.apply(to: .standardInput)) != nil
    }
  }

  /// Gives the terminal back as it was.
  static func restore() {
    original.withLock { original in
      // A terminal that is gone needs nothing back.
      try? original?.apply(to: .standardInput)
      original = nil
    }
  }
}
