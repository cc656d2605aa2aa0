import Timeline

/// What a run before real things stood on: the bench, and what its parts said of themselves.
public struct BenchRecord: Hashable, Sendable, Codable {
  /// A part of the bench.
  public struct Part: Hashable, Sendable, Codable {
    /// What it is, such as `controller's address`.
    public var name: String
    /// What it said of itself.
    public var identity: String

    public init(_ name: String, _ identity: String) {
      self.name = name
      self.identity = identity
    }
  }

  /// The bench's name; `nil` where no bench file states one.
  public var place: String?
  /// Adapters, recorders and instruments, as far as they told anything.
  public var parts: [Part]
  /// Runs of the bench's health scenario, in order.
  public var health: [HealthReport] = []

  public init(place: String?, parts: [Part]) {
    self.place = place
    self.parts = parts
  }
}

/// One run of a bench's health scenario.
public struct HealthReport: Hashable, Sendable {
  /// When it was run.
  public enum Occasion: String, Hashable, Sendable, Codable {
    /// Before the first scenario.
    case before
    /// After the last scenario.
    case after
    /// After the bench had failed and was brought back.
    case recovery
  }

  /// When it was run.
  public var occasion: Occasion
  /// What came of it: whatever is no pass speaks against the bench.
  public var verdict: Verdict
  /// Path of its capture in the folder of reports.
  public var capture: String?

  public init(_ occasion: Occasion, _ verdict: Verdict, capture: String?) {
    self.occasion = occasion
    self.verdict = verdict
    self.capture = capture
  }
}

/// Something that an operator was asked for in the middle of a scenario.
public struct OperatorPrompt: Hashable, Sendable {
  /// What was asked for.
  public var text: String
  /// When, in the time of the scenario.
  public var asked: Instant
  /// When it was answered; `nil` where nobody did.
  public var answered: Instant?
  /// What was answered: `done`, or what the operator said.
  public var answer: String?

  public init(_ text: String, asked: Instant, answered: Instant?, answer: String?) {
    self.text = text
    self.asked = asked
    self.answered = answered
    self.answer = answer
  }
}
