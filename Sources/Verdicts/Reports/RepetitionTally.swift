/// How one scenario did over the repetitions of a run.
///
/// What the device did and what befell the bench are counted apart: a repetition in which no attempt judged the device
/// is no part of ``judged``.
public struct RepetitionTally: Hashable, Sendable {
  /// The scenario's id.
  public let id: String
  /// The matrix cell; empty without one.
  public let cell: String
  /// n: repetitions in which the device was judged.
  public private(set) var judged = 0
  /// k: those among them in which the device failed.
  public private(set) var failed = 0
  /// Repetitions in which the bench failed, also those in which the device was judged afterwards.
  public private(set) var benchErrors = 0
  /// Repetitions in which the harness failed.
  public private(set) var harnessErrors = 0
  /// Repetitions that nothing could run.
  public private(set) var blocked = 0

  /// Nothing was counted yet.
  public init(id: String, cell: String) {
    self.id = id
    self.cell = cell
  }

  /// The id with its cell.
  public var name: String { id + cell }

  /// Counts one repetition by all of its attempts.
  public mutating func count(_ attempts: [Verdict]) {
    let kinds = attempts.map(\.kind)
    if kinds.contains(where: \.isAboutDevice) {
      judged += 1
      if kinds.contains(.failed) { failed += 1 }
    }
    if kinds.contains(.benchError) { benchErrors += 1 }
    if kinds.contains(.harnessError) { harnessErrors += 1 }
    if kinds.allSatisfy({ $0 == .blocked }) { blocked += 1 }
  }

  /// Where the true share of failures lies, as far as these repetitions tell; `nil` when nothing was judged.
  public var interval: WilsonInterval? { WilsonInterval(failed, of: judged) }
}

extension RepetitionTally: Codable {
  private enum Key: CodingKey { case id, cell, failed, judged, low, high, benchErrors, harnessErrors, blocked }

  /// Writes the counters and, for readers, the ends of the interval.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
    try object.encode(cell, forKey: .cell)
    try object.encode(failed, forKey: .failed)
    try object.encode(judged, forKey: .judged)
    try object.encode(interval.map { Double($0.low) / 1_000_000 }, forKey: .low)
    try object.encode(interval.map { Double($0.high) / 1_000_000 }, forKey: .high)
    try object.encode(benchErrors, forKey: .benchErrors)
    try object.encode(harnessErrors, forKey: .harnessErrors)
    try object.encode(blocked, forKey: .blocked)
  }

  /// Reads what ``encode(to:)`` writes. Throws for what no report can hold.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try object.decode(String.self, forKey: .id), cell: try object.decode(String.self, forKey: .cell))
    judged = try object.count(.judged)
    failed = try object.decode(.failed, in: 0...judged)
    benchErrors = try object.count(.benchErrors)
    harnessErrors = try object.count(.harnessErrors)
    blocked = try object.count(.blocked)
  }
}

/// The score interval of a share that was counted, at 95 % (E. B. Wilson, Journal of the American Statistical
/// Association 22 (1927), 209): unlike others it is right for few repetitions and for none that failed.
public struct WilsonInterval: Hashable, Sendable {
  /// How reports call it.
  public static let name = "Wilson 95 %"
  /// Normal quantile of 97.5 %.
  private static let quantile = 1.959_963_984_540_054

  /// The lower end, in millionths.
  public let low: Int
  /// The upper end, in millionths.
  public let high: Int

  /// The interval for `count` of `total`; `nil` for none of none and for counts that cannot be.
  public init?(_ count: Int, of total: Int) {
    guard total > 0, (0...total).contains(count) else { return nil }
    let (n, share, z) = (Double(total), Double(count) / Double(total), Self.quantile)
    let middle = share + z * z / (2 * n)
    let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    func millionths(_ value: Double) -> Int { Int((min(1, max(0, value)) * 1_000_000).rounded()) }
    low = count == 0 ? 0 : millionths((middle - reach) / scale)
    high = count == total ? 1_000_000 : millionths((middle + reach) / scale)
  }
}

extension Verdict.Kind {
  /// Whether it says anything about the device.
  var isAboutDevice: Bool {
    switch self {
    case .passed, .failed, .flaky, .known, .mended: true
    case .benchError, .harnessError, .blocked: false
    }
  }
}
