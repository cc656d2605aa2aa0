import Timeline

/// What happened in one step.
public struct StepReport: Hashable, Sendable {
  /// The step as it is written, on one line.
  public var sentence: String
  /// The file it is written in.
  public var file: String
  /// Line in that file, from 1.
  public var line: Int
  /// When it began, in the time of the run.
  public var began: Instant
  /// When it ended.
  public var ended: Instant
  /// How it ended.
  public var outcome: StepOutcome
  /// What was asked of whoever looks at the phone, and answered; `nil` where nothing was.
  public var answer: Answer?

  /// A question about what a phone shows, and its answer.
  public struct Answer: Hashable, Sendable {
    /// The question.
    public var question: String
    /// What it was taken for.
    public var isYes: Bool
    /// The answer as it was typed.
    public var text: String
    /// Seconds since 1970-01-01 00:00:00 UTC at which it was given, by the machine's clock.
    public var answeredAt: Int64

    public init(question: String, isYes: Bool, text: String, answeredAt: Int64) {
      self.question = question
      self.isYes = isYes
      self.text = text
      self.answeredAt = answeredAt
    }
  }

  public init(sentence: String, file: String, line: Int, began: Instant, ended: Instant, outcome: StepOutcome) {
    self.sentence = sentence
    self.file = file
    self.line = line
    self.began = began
    self.ended = ended
    self.outcome = outcome
  }
}
