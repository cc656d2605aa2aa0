/// Where the reports of a run go, and how they are to look.
public struct ReportPlace: Sendable {
  /// The folder for files; `nil` where none is wanted.
  public var folder: ReportFolder?
  /// What standard output is asked to do.
  public var style: ConsoleStyle
  /// Whether trouble of bench and harness is written as `failure`, for readers of JUnit files that refuse `error`.
  public var writesErrorsAsFailures: Bool
  /// The value of an environment variable.
  public var environment: @Sendable (String) -> String?
  /// Writes lines to standard output; a line feed is added.
  public var say: @Sendable (String) -> Void

  public init(
    folder: ReportFolder?, style: ConsoleStyle, writesErrorsAsFailures: Bool = false,
    environment: @escaping @Sendable (String) -> String?, say: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.style = style
    self.writesErrorsAsFailures = writesErrorsAsFailures
    self.environment = environment
    self.say = say
  }
}
