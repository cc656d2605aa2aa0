/// Where the reports of a run go, and how they are to look.
package struct ReportPlace: Sendable {
  /// The folder for files; `nil` where none is wanted.
  package var folder: ReportFolder?
  /// The folder for files as it is found from the folder of the project that is tested, for readers of links.
  package var attachmentFolder: String
  /// The absolute path of the folder of that project; `nil` where it is unknown.
  package var projectFolder: String?
  /// The path of a file that a scenario names, as it is found from that folder; absolute for one that is elsewhere.
  package var pathInProject: @Sendable (String) -> String = { $0 }
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

  /// The link from a page, in a folder directly below that of the reports, to a file that a scenario names; `nil` where
  /// whoever has the page need not have the file. Pages in the project move with it: they link to its files only, and along
  /// the folders. Pages elsewhere stay on this machine.
  func link(to file: String) -> String? {
    let path = pathInProject(file)
    if attachmentFolder.hasPrefix("/") {
      if path.hasPrefix("/") { return "file://" + path }
      return projectFolder.map { "file://\($0)/\(path)" }
    }
    let parts = attachmentFolder.split(separator: "/").filter { $0 != "." }
    guard !path.hasPrefix("/"), !parts.contains("..") else { return nil }
    return String(repeating: "../", count: parts.count + 1) + path
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
