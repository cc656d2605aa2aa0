import Testing

@testable import Verdicts

/// A named sequence of numbers that looks like chance (SplitMix64).
private struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// Whether something of this probability, in millionths, happens.
  mutating func happens(_ millionths: Int) -> Bool {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % 1_000_000) < millionths
  }
}

@Suite struct SequentialTests {
  private static let question = SequentialTest.Question(below: 100_000, aim: 25_000, risk: 50_000, limit: 5_000)
  private static let campaigns = 10_000

  private struct Tally {
    var decisions: [SequentialTest.Decision: Int] = [:]
    var runs = 0
    subscript(decision: SequentialTest.Decision) -> Int { decisions[decision] ?? 0 }
  }

  /// Performs campaigns with a device that fails at one rate, on a bench that fails at another.
  private static func campaigns(
    failing rate: Int, bench: Int = 0, seed: UInt64
  ) throws -> Tally {
    let question = try #require(question)
    var (chance, tally) = (Chance(seed), Tally())
    for _ in 0..<campaigns {
      var test = SequentialTest(question)
      while test.decision == .undecided {
        test.take(chance.happens(bench) ? .benchError : chance.happens(rate) ? .bad : .good)
      }
      tally.decisions[test.decision, default: 0] += 1
      tally.runs += test.judged
    }
    return tally
  }

  /// The smallest number of repetitions with which a test of fixed length keeps the same two promises: it calls a device
  /// good that fails at most `c` times.
  private static func fixedLength(_ question: SequentialTest.Question) -> Int {
    let (high, low) = (Double(question.bound) / 1e6, Double(question.aim) / 1e6)
    let risk = Double(question.risk) / 1e6
    func atMost(_ c: Int, of n: Int, at rate: Double) -> Double {
      var term = (0..<n).reduce(1.0) { product, _ in product * (1 - rate) }
      var sum = term
      for k in 0..<c {
        term *= Double(n - k) / Double(k + 1) * rate / (1 - rate)
        sum += term
      }
      return sum
    }
    for n in 1...10_000 {
      for c in 0..<n {
        guard atMost(c, of: n, at: high) <= risk else { break }
        if 1 - atMost(c, of: n, at: low) <= risk { return n }
      }
    }
    return 0
  }

  /// Wrong answers that are allowed in ``campaigns``: as many as are stated, and three standard deviations of counting.
  private static func allowed(_ question: SequentialTest.Question) -> Int {
    let (count, risk) = (Double(campaigns), Double(question.risk) / 1e6)
    return Int(count * risk + 3 * (count * risk * (1 - risk)).squareRoot())
  }

  /// The probability that the test says something of a device that fails at a rate: every course it can take, weighed.
  private static func probability(
    _ decision: SequentialTest.Decision, failing rate: Int, _ question: SequentialTest.Question
  ) -> Double {
    let share = Double(rate) / 1e6
    // What the test knows depends only on the numbers of good and bad results.
    var open: [(test: SequentialTest, weight: Double)] = [(SequentialTest(question), 1)]
    var sum = 0.0
    while !open.isEmpty {
      var next: [(test: SequentialTest, weight: Double)] = []
      for (test, weight) in open {
        for (trial, chance) in [(SequentialTest.Trial.good, 1 - share), (.bad, share)] {
          var after = test
          after.take(trial)
          if after.decision == decision { sum += weight * chance }
          guard after.decision == .undecided else { continue }
          if let last = next.last, last.test.failed == after.failed {
            next[next.count - 1].weight += weight * chance
          } else {
            next.append((after, weight * chance))
          }
        }
      }
      open = next
    }
    return sum
  }

  @Test func thePromisesHoldExactly() throws {
    let question = try #require(Self.question)
    let risk = Double(question.risk) / 1e6
    let good = Self.probability(.below, failing: question.bound, question)
    let bad = Self.probability(.above, failing: question.aim, question)
    #expect(good <= risk)
    #expect(bad <= risk)
    // Neither by never deciding, nor by being far stricter than stated.
    #expect(good > risk / 2)
    #expect(bad > risk / 2)
    print("sequential test, exactly: \(good) called good at the bound, \(bad) called bad at the aim; allowed \(risk)")
  }

  @Test func bothErrorRatesAreWithinWhatIsStated() throws {
    let question = try #require(Self.question)
    let allowed = Self.allowed(question)
    let bad = try Self.campaigns(failing: question.bound, seed: 1)
    let good = try Self.campaigns(failing: question.aim, seed: 2)
    #expect(bad[.below] <= allowed)
    #expect(good[.above] <= allowed)
    #expect(bad[.exhausted] == 0)
    #expect(good[.exhausted] == 0)
    let fixed = Self.fixedLength(question)
    let perfect = try Self.campaigns(failing: 0, seed: 3)
    let terrible = try Self.campaigns(failing: 400_000, seed: 4)
    func mean(_ tally: Tally) -> Int { tally.runs / Self.campaigns }
    #expect(perfect[.below] == Self.campaigns)
    #expect(terrible[.below] == 0)
    #expect(mean(good) < fixed)
    #expect(mean(bad) < fixed)
    print(
      """
      sequential test, failure rate below 10 % (aim 2.5 %, risk 5 %), \(Self.campaigns) campaigns each:
        at 10 %:  \(bad[.below]) wrongly called good (stated 500, allowed \(allowed)), \(mean(bad)) repetitions on average
        at 2.5 %: \(good[.above]) wrongly called bad (stated 500, allowed \(allowed)), \(mean(good)) repetitions on average
        at 0 %: \(mean(perfect)) repetitions; at 40 %: \(mean(terrible)); a fixed test needs \(fixed): \
      saved \(fixed - mean(good)), \(fixed - mean(bad)), \(fixed - mean(perfect)) and \(fixed - mean(terrible)) per campaign
      """)
  }

  @Test func benchErrorsCountNeitherForNorAgainstTheDevice() throws {
    let question = try #require(Self.question)
    let allowed = Self.allowed(question)
    // A quarter of the bound is a bench in order.
    let bad = try Self.campaigns(failing: question.bound, bench: question.benchBound / 4, seed: 5)
    let good = try Self.campaigns(failing: question.aim, bench: question.benchBound / 4, seed: 6)
    #expect(bad[.below] <= allowed)
    #expect(good[.above] <= allowed)
    #expect(bad[.benchUnusable] + good[.benchUnusable] <= 2 * allowed)
    let plain = try Self.campaigns(failing: question.aim, seed: 2)
    #expect(abs(good[.below] + good[.benchUnusable] - plain[.below]) <= allowed)
  }

  @Test func aBenchErrorDoesNotBringTheAnswerNearer() throws {
    let question = try #require(Self.question)
    var (calm, disturbed) = (SequentialTest(question), SequentialTest(question))
    while calm.decision == .undecided { calm.take(.good) }
    while disturbed.decision == .undecided { disturbed.take(disturbed.total % 10 == 9 ? .benchError : .good) }
    #expect(disturbed.decision == .below)
    #expect(disturbed.judged == calm.judged)
    #expect(disturbed.benchErrors == (calm.judged - 1) / 9)
    #expect(disturbed.total == disturbed.judged + disturbed.benchErrors)
  }

  @Test func aBenchThatFailsTooOftenEndsTheTest() throws {
    let broken = try Self.campaigns(failing: 0, bench: 900_000, seed: 7)
    #expect(broken[.benchUnusable] > Self.campaigns * 99 / 100)
    #expect(broken[.above] == 0)
  }

  @Test func theLimitEndsTheTestWithoutAnAnswer() throws {
    var test = SequentialTest(try #require(SequentialTest.Question(below: 20_000, risk: 50_000, limit: 3)))
    for _ in 0..<3 { test.take(.good) }
    #expect(test.decision == .exhausted)
    test.take(.bad)
    #expect(test.failed == 0)
    #expect(test.total == 3)
  }

  @Test func whatCannotBeAskedIsRefused() {
    #expect(SequentialTest.Question(below: 0, risk: 50_000) == nil)
    #expect(SequentialTest.Question(below: 1_000_000, risk: 50_000) == nil)
    #expect(SequentialTest.Question(below: 20_000, aim: 20_000, risk: 50_000) == nil)
    #expect(SequentialTest.Question(below: 20_000, risk: 0) == nil)
    #expect(SequentialTest.Question(below: 20_000, risk: 500_000) == nil)
    #expect(SequentialTest.Question(below: 20_000, risk: 50_000, limit: 0) == nil)
  }
}
