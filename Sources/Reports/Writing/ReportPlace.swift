/// Where the reports of a run go, and how they are to look.
package struct ReportPlace: Sendable {
  /// The folder for files; `nil` where none is wanted.
  package var folder: ReportFolder?
  /// The folder for files as it is found from the folder of the project that is tested, for readers of links.
  package var attachmentFolder: String
  /// Whether what happens in scenarios is logged as it happens; a run that was merged has no log.
  package var hasLog = true
  /// Whether the console gets no more than the answer and what is said of requirements.
  package var isQuiet = false
  /// What standard output is asked to do.
  package var style: ConsoleStyle
  /// Whether trouble of bench and harness is written as `failure`, for readers of JUnit files that refuse `error`.
  package var writesErrorsAsFailures: Bool
  /// The value of an environment variable.
  package var environment: @Sendable (String) -> String?
  /// Writes lines to standard output; a line feed is added.
  package var say: @Sendable (String) -> Void
  /// Which scenarios get a trace page.
  package var pages = Pages.none

  /// Which scenarios get a trace page.
  package enum Pages: String, CaseIterable, Sendable {
    /// Those that neither passed nor failed as declared.
    case failed
    /// Every one.
    case all
    /// None.
    case none
  }

  /// What stands before the path of a file of the project to make a link of it, seen from the folder of trace pages.
  var filePrefix: String? {
    if attachmentFolder.hasPrefix("/") {
      return environment("PWD").map { $0.hasPrefix("/") ? "file://\($0)/" : nil } ?? nil
    }
    let parts = attachmentFolder.split(separator: "/").filter { $0 != "." }
    guard !parts.contains("..") else { return nil }
    return String(repeating: "../", count: parts.count + 1)
  }

  package init(
    folder: ReportFolder?, attachmentFolder: String? = nil, style: ConsoleStyle, writesErrorsAsFailures: Bool = false,
    environment: @escaping @Sendable (String) -> String?, say: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.attachmentFolder = attachmentFolder ?? folder?.path ?? "."
    self.style = style
    self.writesErrorsAsFailures = writesErrorsAsFailures
    self.environment = environment
    self.say = say
  }
}
