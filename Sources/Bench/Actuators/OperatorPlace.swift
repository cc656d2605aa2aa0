/// Where an operator reads what to do, and answers.
package struct OperatorPlace: Sendable {
  /// Shows a prompt.
  package let show: @Sendable (String) -> Void
  /// Where the answers come from: standard input, or a pipe.
  package let answers: Int32

  /// A place that shows prompts by `show` and reads answers, one a line, from a descriptor that can be waited for.
  package init(answers: Int32, show: @escaping @Sendable (String) -> Void) {
    self.answers = answers
    self.show = show
  }
}
