import Foundation
import Synchronization
import System
import Timeline

/// What comes from standard input: lines, or single keys where it is a terminal.
final class TerminalInput {
  /// What was typed.
  enum Input: Sendable, Equatable {
    case line(String)
    case key(Character)
  }

  /// Octets of one line; a longer one is cut.
  private static let lineLimit = 4_096

  /// Whether single keys are told.
  let hasKeys: Bool
  private let loop: EventLoop
  private let onInput: (Input) -> Void
  private var rest: [UInt8] = []
  /// Whether a whole line is awaited from a terminal, which `:` asks for.
  private var awaitsLine = false

  init(on loop: EventLoop, _ onInput: @escaping (Input) -> Void) {
    self.loop = loop
    self.onInput = onInput
    hasKeys = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && TerminalMode.takeKeys()
    loop.watch(STDIN_FILENO, for: .readable) { [weak self] _ in self?.read() }
  }

  /// Listens no more, and gives the terminal back as it was.
  func close() {
    loop.unwatch(STDIN_FILENO)
    TerminalMode.restore()
  }

  private func read() {
    let octets: [UInt8]
    do {
      guard let read = try FileDescriptor.standardInput.read(upTo: Self.lineLimit) else { return }
      octets = read
    } catch { octets = [] }
    // Nothing follows: whoever started it steers it by other ways, if at all.
    guard !octets.isEmpty else { return loop.unwatch(STDIN_FILENO) }
    for octet in octets { take(octet) }
  }

  private func take(_ octet: UInt8) {
    guard hasKeys, !awaitsLine else {
      if octet != 0x0A { return rest.count < Self.lineLimit ? rest.append(octet) : () }
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
