import Foundation

/// Where the tool speaks: results asked for go to standard output, progress and trouble to standard error.
struct Console: Sendable {
  /// Whether standard error may be coloured and rewritten in place.
  let isAnimated: Bool
  /// Whether colours may be used on standard error.
  let isColoured: Bool

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
    let isTerminal = isatty(2) == 1 && environment["TERM"] != "dumb"
    isAnimated = isTerminal && !isSet("CI")
    isColoured =
      !isSet("NO_COLOR") && (isTerminal || isSet("FORCE_COLOR") || isSet("CLICOLOR_FORCE"))
  }

  /// Writes a result.
  func out(_ text: String) { write(text, to: .standardOutput) }

  /// Writes progress or trouble.
  func note(_ text: String) { write(text, to: .standardError) }

  /// Writes progress without ending the line.
  func progress(_ text: String) { write(text, to: .standardError, end: "") }

  private func write(_ text: String, to handle: FileHandle, end: String = "\n") {
    // A reader that went away is no reason to lose a run's reports.
    try? handle.write(contentsOf: Data((text + end).utf8))
  }
}
