/// Counts how one scenario ended over the repetitions of a run.
///
/// Device failures and bench errors are counted separately: a repetition in which no attempt judged the device is not
/// part of ``judged``.
package struct RepetitionTally: Hashable, Sendable {
  /// The scenario's id.
  package let id: String
  /// The matrix cell; empty without one.
  package let cell: String
  /// n: repetitions in which the device was judged.
  package private(set) var judged = 0
  /// k: those among them in which the device failed, other than by a known defect.
  package private(set) var failed = 0
  /// Judged repetitions in which a known defect showed.
  package private(set) var known = 0
  /// Repetitions in which the bench failed, also those in which the device was judged afterwards.
  package private(set) var benchErrors = 0
  /// Repetitions in which the harness failed.
  package private(set) var harnessErrors = 0
  /// Repetitions in which the scenario was blocked.
  package private(set) var blocked = 0

  /// Creates a tally without any repetition.
  package init(id: String, cell: String) {
    self.id = id
    self.cell = cell
  }

  /// The id with its cell.
  package var name: String { id + cell }

  /// Counts one repetition, given the verdicts of all its attempts.
  package mutating func count(_ attempts: [Verdict]) {
    let kinds = attempts.map(\.kind)
    if kinds.contains(where: \.isAboutDevice) {
      judged += 1
      if kinds.contains(.failed) { failed += 1 }
      if kinds.contains(.known) { known += 1 }
    }
    if kinds.contains(.benchError) { benchErrors += 1 }
    if kinds.contains(.harnessError) { harnessErrors += 1 }
    if kinds.allSatisfy({ $0 == .blocked }) { blocked += 1 }
  }

  /// The interval in which the true share of failures lies, estimated from these repetitions; `nil` when none was
  /// judged.
  package var interval: WilsonInterval? { WilsonInterval(failed, of: judged) }
}

extension RepetitionTally: Codable {
  private enum Key: CodingKey { case id, cell, failed, known, judged, low, high, benchErrors, harnessErrors, blocked }

  /// Writes the counters and, for readers, the ends of the interval.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
    try object.encode(cell, forKey: .cell)
    try object.encode(failed, forKey: .failed)
    if known > 0 { try object.encode(known, forKey: .known) }
    try object.encode(judged, forKey: .judged)
    try object.encode(interval.map { Double($0.low) / 1_000_000 }, forKey: .low)
    try object.encode(interval.map { Double($0.high) / 1_000_000 }, forKey: .high)
    try object.encode(benchErrors, forKey: .benchErrors)
    try object.encode(harnessErrors, forKey: .harnessErrors)
    try object.encode(blocked, forKey: .blocked)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try object.decode(String.self, forKey: .id), cell: try object.decode(String.self, forKey: .cell))
    judged = try object.count(.judged)
    failed = try object.decode(.failed, in: 0...judged)
    known = object.contains(.known) ? try object.decode(.known, in: 0...judged) : 0
    benchErrors = try object.count(.benchErrors)
    harnessErrors = try object.count(.harnessErrors)
    blocked = try object.count(.blocked)
  }
}

/// The score interval of a share that was counted, at 95 % (E. B. Wilson, Journal of the American Statistical
/// Association 22 (1927), 209): unlike simpler intervals it is also right for few repetitions and for zero failures.
package struct WilsonInterval: Hashable, Sendable {
  /// The name that reports use for it.
  package static let name = "Wilson 95 %"
  /// Normal quantile of 97.5 %.
  private static let quantile = 1.959_963_984_540_054

  /// The lower bound, in millionths.
  package let low: Int
  /// The upper bound, in millionths.
  package let high: Int

  /// Creates the interval for `count` of `total`. Returns `nil` if `total` is 0 or `count` is outside 0...total.
  package init?(_ count: Int, of total: Int) {
    guard total > 0, (0...total).contains(count) else { return nil }
    let (n, share, z) = (Double(total), Double(count) / Double(total), Self.quantile)
    let middle = share + z * z / (2 * n)
    let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    func millionths(_ value: Double) -> Int { Int((min(1, max(0, value)) * 1_000_000).rounded()) }
    low = count == 0 ? 0 : millionths((middle - reach) / scale)
    high = count == total ? 1_000_000 : millionths((middle + reach) / scale)
  }

  /// `2.8 % to 21.3 %`
  package var text: String { "\(Self.percent(low)) to \(Self.percent(high))" }

  /// Millionths as a percentage with one decimal.
  private static func percent(_ millionths: Int) -> String {
    let tenths = (millionths + 500) / 1_000
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Verdict.Kind {
  /// Whether a verdict of this kind says anything about the device.
  package var isAboutDevice: Bool {
    switch self {
    case .passed, .failed, .flaky, .known, .mended: true
    case .benchError, .harnessError, .blocked: false
    }
  }
}
