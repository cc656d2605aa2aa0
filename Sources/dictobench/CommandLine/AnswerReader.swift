import Foundation
import System

/// Reads answers from standard input, and never waits for ever.
final class AnswerReader {
  /// Octets of one line; a longer one is cut.
  private static let lineLimit = 4_096
  /// Octets that may come without the end of a line.
  private static let inputLimit = 1 << 20
  /// Milliseconds that a person or a script may take for an answer.
  private static let humanPatience: Int32 = 1_800_000
  private static let scriptPatience: Int32 = 10_000

  private let patience: Int32
  private var rest: [UInt8] = []

  /// Returns `nil` in continuous integration, where nobody answers.
  init?() {
    guard (Environment.value("CI") ?? "").isEmpty else { return nil }
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
      let input = FileDescriptor.standardInput
      guard rest.count < Self.inputLimit, input.isReady(for: .readable, within: patience),
        let octets = try? input.read(upTo: Self.lineLimit), !octets.isEmpty
      else { return nil }
      rest += octets
    }
  }
}
