import Timeline

/// The bench on which a run took place, and how its parts identified themselves.
package struct BenchRecord: Hashable, Sendable, Codable {
  /// A part of the bench.
  package struct Part: Hashable, Sendable, Codable {
    /// What it is, such as `controller's address`.
    package var name: String
    /// How it identified itself.
    package var identity: String

    package init(_ name: String, _ identity: String) {
      self.name = name
      self.identity = identity
    }
  }

  /// The bench's name; `nil` where no bench file states one.
  package var place: String?
  /// Adapters, recorders and instruments that identified themselves.
  package var parts: [Part]
  /// Runs of the bench's health scenario, in order.
  package var health: [HealthReport] = []

  /// Why nothing could be learned on the bench, or nothing any more; `nil` where it could.
  package var trouble: String?

  /// How far its recorders are from simulated ones; `nil` where its file names nothing that was measured of them.
  package var twins: [TwinDistance]?

  package init(place: String?, parts: [Part]) {
    self.place = place
    self.parts = parts
  }
}

/// One run of a bench's health scenario.
package struct HealthReport: Hashable, Sendable {
  /// When it was run.
  package enum Occasion: String, Hashable, Sendable, Codable {
    /// Before the first scenario.
    case before
    /// After the last scenario.
    case after
    /// After the bench had failed and was recovered.
    case recovery
  }

  /// When it was run.
  package var occasion: Occasion
  /// How it ended; anything but a pass counts against the bench.
  package var verdict: Verdict
  /// Path of its capture in the folder of reports.
  package var capture: String?

  package init(_ occasion: Occasion, _ verdict: Verdict, capture: String?) {
    self.occasion = occasion
    self.verdict = verdict
    self.capture = capture
  }

  /// What the capture of a health scenario is called in a merged run of which part `number`, from 1, had it: every part
  /// has captures of the same names. Without a number, which is a run of one part, the name stays.
  package static func captureName(_ name: String, ofPart number: Int?) -> String {
    guard let number else { return name }
    let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    return "\(name[..<start])part-\(number).\(name[start...])"
  }
}

/// Something that an operator was asked to do during a scenario.
public struct OperatorPrompt: Hashable, Sendable {
  /// The request.
  public var text: String
  /// When, in the time of the scenario.
  public var asked: Instant
  /// When it was answered; `nil` if it was not.
  public var answered: Instant?
  /// The answer: `done`, or the operator's words.
  public var answer: String?

  public init(_ text: String, asked: Instant, answered: Instant?, answer: String?) {
    self.text = text
    self.asked = asked
    self.answered = answered
    self.answer = answer
  }
}
