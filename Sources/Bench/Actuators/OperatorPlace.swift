/// Where an operator reads what to do, and answers.
public struct OperatorPlace: Sendable {
  /// Shows a prompt.
  public let show: @Sendable (String) -> Void
  /// Where the answers come from: standard input, or a pipe.
  public let answers: Int32

  /// A place that shows prompts by `show` and reads answers, one a line, from a descriptor that can be waited for.
  public init(answers: Int32, show: @escaping @Sendable (String) -> Void) {
    self.answers = answers
    self.show = show
  }
}
