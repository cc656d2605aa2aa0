import Timeline

/// The record of one step.
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
  /// References to the clauses that the step's assertion shows where it holds, and violates where it does not.
  public var shows: [String] = []
  /// Whether that assertion was decided: a step that was skipped, or failed for another reason, says nothing.
  public var isDecided = true
  /// What decided the assertion, in words: the values that a verb found, the event that was waited for, or that none came.
  /// May hold what a device said. `nil` where nothing was looked at.
  public var observed: String?
  /// The question put to the person who looks at the phone, with its answer; `nil` for other steps.
  public var answer: Answer?

  /// Who saw what the step asserts, where the sensors of a bench did; none for other steps.
  public var seenBy: [String] = []

  /// A question about what a phone shows, and its answer.
  public struct Answer: Hashable, Sendable {
    /// The question.
    public var question: String
    /// Whether the answer was understood as yes.
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
