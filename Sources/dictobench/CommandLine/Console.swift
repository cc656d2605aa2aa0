import Text
import Bytes
import Foundation
import Reports
import System

/// Where the tool speaks: results go to standard output, progress and trouble to standard error.
struct Console: Sendable {
  /// What standard error, where progress and trouble go, can show.
  let style: ConsoleStyle
  /// What standard output can show.
  private let standardOutputStyle: ConsoleStyle
  /// Whether a capture uses standard output, so that results go where progress goes.
  var isOutputTaken = false

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func style(of stream: FileDescriptor) -> ConsoleStyle {
      ConsoleStyle(isTerminal: stream.isTerminal, columns: stream.terminalColumns) { environment[$0] }
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

  private func write(_ text: String, to handle: FileHandle, end: String = "\n") {
    // A reader that went away must not cost a run its reports.
    try? handle.write(contentsOf: Data((text + end).utf8))
  }
}
