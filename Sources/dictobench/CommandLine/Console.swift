import Text
import Bytes
import Reports
import Synchronization
import System

/// Where the tool speaks: results go to standard output, progress and trouble to standard error.
struct Console: Sendable {
  /// What standard error, where progress and trouble go, can show.
  let style: ConsoleStyle
  /// What standard output can show.
  private let standardOutputStyle: ConsoleStyle
  /// Whether a capture uses standard output, so that results go where progress goes.
  var isOutputTaken = false

  init() {
    func style(of stream: FileDescriptor) -> ConsoleStyle {
      ConsoleStyle(isTerminal: stream.isTerminal, columns: stream.terminalColumns, Environment.value)
    }
    self.style = style(of: .standardError)
    standardOutputStyle = style(of: .standardOutput)
  }

  /// What the stream can show to which results are written.
  var outputStyle: ConsoleStyle { isOutputTaken ? style : standardOutputStyle }

  /// Whether words on standard error may be coloured.
  var isColoured: Bool { style.isColoured }

  /// Writes a result.
  func out(_ text: String) { write(text, to: isOutputTaken ? .standardError : .standardOutput) }

  /// Writes progress or trouble.
  func note(_ text: String) { write(text, to: .standardError) }

  /// Writes why the command failed, after the tool's name. The sentence may quote arguments, files and devices: its
  /// lines are escaped.
  func complain(_ sentence: String) {
    let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
    note("dictobench: " + lines.map { PlainText.escaped($0) }.joined(separator: "\n"))
  }

  /// Writes progress without ending the line.
  func progress(_ text: String) { write(text, to: .standardError, end: "") }

  /// Why a result could not be written; `nil` where everything was. A reader that went away does not count: it has what it
  /// wanted, and must not cost a run its reports.
  static var trouble: String? { lost.withLock { $0 } }

  private static let lost = Mutex<String?>(nil)

  private func write(_ text: String, to stream: FileDescriptor, end: String = "\n") {
    var rest = Array((text + end).utf8)[...]
    do throws(SystemCallFailure) {
      while !rest.isEmpty {
        let count = try stream.write(rest)
        if count == 0 { _ = stream.isReady(for: .writable, within: Self.patience) }
        rest = rest.dropFirst(count)
      }
    } catch {
      guard error.code != .brokenPipe, stream.number == FileDescriptor.standardOutput.number else { return }
      Self.lost.withLock { $0 = "\(error.code)" }
    }
  }

  /// Milliseconds between two looks at a stream that takes nothing.
  private static let patience: Int32 = 1_000
}
