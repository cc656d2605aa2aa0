/// Decides after each repetition of a scenario whether enough is known about its failure rate: Wald's sequential
/// probability ratio test (A. Wald, Annals of Mathematical Statistics 16 (1945), 117).
///
/// It compares two rates: `bound`, which must not be reached, and `aim`, which a good device does not exceed. A device that
/// fails at `bound` or more is called good with at most the probability `risk`; one that fails at `aim` or less is called bad
/// with at most the same probability. The limits are 1/risk and risk themselves, so Ville's inequality holds both
/// promises however many repetitions there are. Between the rates either answer may come.
///
/// Bench errors count neither for nor against the device. A second test of the same kind watches their share, and ends
/// everything when the bench fails too often to learn anything.
package struct SequentialTest: Hashable, Sendable {
  /// What shall be found out.
  package struct Question: Hashable, Sendable, Codable {
    /// The failure rate that must not be reached, in millionths.
    package var bound: Int
    /// The failure rate that a good device does not exceed, in millionths.
    package var aim: Int
    /// The highest probability of each wrong answer, in millionths.
    package var risk: Int
    /// The share of bench errors that a usable bench does not reach, in millionths.
    package var benchBound: Int
    /// No repetition begins after this many.
    package var limit: Int

    /// A question. The aim is a quarter of the bound unless stated. Returns `nil` unless 0 < aim < bound < 1,
    /// 0 < risk < 1/2, 0 < bench bound < 1, and the limit is positive.
    package init?(below bound: Int, aim: Int? = nil, risk: Int, benchBound: Int = 200_000, limit: Int = 10_000) {
      let aim = aim ?? bound / 4
      guard aim > 0, aim < bound, bound < 1_000_000, risk > 0, risk < 500_000, benchBound > 4, benchBound < 1_000_000,
        limit > 0
      else { return nil }
      self.bound = bound
      self.aim = aim
      self.risk = risk
      self.benchBound = benchBound
      self.limit = limit
    }
  }

  /// One result of a repetition.
  package enum Trial: Hashable, Sendable {
    /// The device did what it should.
    case good
    /// The device failed.
    case bad
    /// The bench failed, and nothing was learned.
    case benchError
  }

  /// What the test says.
  package enum Decision: String, Hashable, Sendable, Codable {
    /// Another repetition is needed.
    case undecided
    /// The failure rate is below the bound.
    case below
    /// The failure rate exceeds the aim.
    case above
    /// The bench fails too often.
    case benchUnusable
    /// The limit came first.
    case exhausted
  }

  /// How many times more likely the results are under the higher of two rates than under the lower one.
  private struct Ratio: Hashable, Sendable {
    private let high: Double
    private let low: Double
    private let limit: Double
    private var value = 1.0

    init(high: Int, low: Int, risk: Int) {
      self.high = Double(high) / 1_000_000
      self.low = Double(low) / 1_000_000
      limit = Double(risk) / 1_000_000
    }

    mutating func take(isHit: Bool) { value *= isHit ? high / low : (1 - high) / (1 - low) }

    var saysLow: Bool { value <= limit }
    var saysHigh: Bool { value >= 1 / limit }
  }

  /// What shall be found out.
  package let question: Question
  /// Repetitions in which the device was judged.
  package private(set) var judged = 0
  /// Those among them in which it failed.
  package private(set) var failed = 0
  /// Repetitions in which the bench failed.
  package private(set) var benchErrors = 0
  /// What the test says so far. Once it is decided, it stays.
  package private(set) var decision = Decision.undecided
  private var device: Ratio
  private var bench: Ratio

  package init(_ question: Question) {
    self.question = question
    device = Ratio(high: question.bound, low: question.aim, risk: question.risk)
    bench = Ratio(high: question.benchBound, low: question.benchBound / 4, risk: question.risk)
  }

  /// All repetitions.
  package var total: Int { judged + benchErrors }

  /// Takes the next result. Results that come after the decision change nothing.
  package mutating func take(_ trial: Trial) {
    guard decision == .undecided else { return }
    // Once the bench was found usable, its errors still count against it.
    bench.take(isHit: trial == .benchError)
    if trial == .benchError {
      benchErrors += 1
    } else {
      judged += 1
      if trial == .bad { failed += 1 }
      device.take(isHit: trial == .bad)
    }
    if device.saysLow {
      decision = .below
    } else if device.saysHigh {
      decision = .above
    } else if bench.saysHigh {
      decision = .benchUnusable
    } else if total >= question.limit {
      decision = .exhausted
    }
  }
}
