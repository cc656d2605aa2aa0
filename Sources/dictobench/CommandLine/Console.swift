import Foundation
import Reports

/// Where the tool speaks: results asked for go to standard output, progress and trouble to standard error.
struct Console: Sendable {
  /// What the terminal is asked to do.
  let style: ConsoleStyle
  /// Whether standard output belongs to a capture, so that results go where progress goes.
  var isOutputTaken = false

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    style = ConsoleStyle(isTerminal: isatty(2) == 1) { environment[$0] }
  }

  /// Whether words on standard error may be coloured.
  var isColoured: Bool { style.isColoured }

  /// Writes a result.
  func out(_ text: String) { write(text, to: isOutputTaken ? .standardError : .standardOutput) }

  /// Writes progress or trouble.
  func note(_ text: String) { write(text, to: .standardError) }

  /// Writes progress without ending the line.
  func progress(_ text: String) { write(text, to: .standardError, end: "") }

  private func write(_ text: String, to handle: FileHandle, end: String = "\n") {
    // A reader that went away is no reason to lose a run's reports.
    try? handle.write(contentsOf: Data((text + end).utf8))
  }
}
