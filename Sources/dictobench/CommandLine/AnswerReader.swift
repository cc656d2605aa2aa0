import Foundation

/// Reads answers from standard input, and never waits for ever.
final class AnswerReader {
  /// Octets of one line; a longer one is cut.
  private static let lineLimit = 4_096
  /// Milliseconds that a person or a script may take for an answer.
  private static let humanPatience: Int32 = 1_800_000
  private static let scriptPatience: Int32 = 10_000

  private let patience: Int32
  private var rest: [UInt8] = []

  /// Returns `nil` in continuous integration, where nobody answers.
  init?() {
    guard (ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty else { return nil }
    patience = isatty(STDIN_FILENO) == 1 ? Self.humanPatience : Self.scriptPatience
  }

  /// The next line without its end; `nil` when none comes.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end].prefix(Self.lineLimit)
        rest.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      var block = [UInt8](repeating: 0, count: Self.lineLimit)
      guard rest.count < 1 << 20, poll(&ready, 1, patience) > 0 else { return nil }
      let count = read(STDIN_FILENO, &block, block.count)
      guard count > 0 else { return nil }
      rest += block.prefix(count)
    }
  }
}
