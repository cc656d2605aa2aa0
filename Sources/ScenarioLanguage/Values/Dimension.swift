import Text

/// A kind of quantity that is written with a unit.
///
/// Every quantity is an `Int64` in the base unit of its dimension; no floating point is involved.
public enum Dimension: String, Hashable, Sendable, CaseIterable {
  /// A span of time, kept in nanoseconds.
  case duration
  /// An electric potential, kept in millivolts.
  case voltage
  /// A relative frequency error, kept in parts per billion.
  case frequencyError = "frequency error"
  /// An amount of data, kept in bytes.
  case bytes = "data size"
  /// A share of a whole, kept in millionths.
  case share
  /// A radio power, kept in hundredths of a dBm.
  case power
  /// A distance, kept in millimetres.
  case distance

  /// One spelling of a unit.
  public struct Unit: Hashable, Sendable {
    /// The symbol as it is written after the number.
    public let symbol: String
    /// How many base units it holds.
    public let factor: Int64
    /// Spellings that people try, each answered with this unit.
    public let misspellings: [String]

    init(_ symbol: String, _ factor: Int64, _ misspellings: [String] = []) {
      self.symbol = symbol
      self.factor = factor
      self.misspellings = misspellings
    }
  }

  /// The units of this dimension, smallest first.
  public var units: [Unit] {
    switch self {
    case .duration: Self.durationUnits
    case .voltage: Self.voltageUnits
    case .frequencyError: Self.frequencyErrorUnits
    case .bytes: Self.byteUnits
    case .share: Self.shareUnits
    case .power: Self.powerUnits
    case .distance: Self.distanceUnits
    }
  }

  /// The smallest and the largest amount, in base units, that a file may state.
  public var limits: ClosedRange<Int64> {
    switch self {
    case .duration: -Self.longest...Self.longest
    case .voltage: 0...100_000
    case .frequencyError: -1_000_000_000...1_000_000_000
    case .bytes: 0...(1 << 40)
    case .share: 0...1_000_000
    case .power: -20_000...10_000
    case .distance: 0...1_000_000_000
    }
  }

  /// A quantity of this dimension as it is written, for messages and tables.
  public var example: String {
    switch self {
    case .duration: "5 s"
    case .voltage: "3.05 V"
    case .frequencyError: "-20 ppm"
    case .bytes: "247 B"
    case .share: "84 %"
    case .power: "-60 dBm"
    case .distance: "5 m"
    }
  }

  /// An article, the name and an example, for messages.
  public var sentence: String { "a \(self == .power ? "radio power" : rawValue) such as `\(example)`" }

  /// The unit with this symbol, or `nil`.
  public func unit(_ symbol: some StringProtocol) -> Unit? { units.first { $0.symbol == symbol } }

  /// The dimension that has a unit with this symbol; symbols are unique over all dimensions.
  public static func of(symbol: some StringProtocol) -> Dimension? { allCases.first { $0.unit(symbol) != nil } }

  /// Ten years in nanoseconds, so that sums of durations stay far from overflow.
  private static let longest: Int64 = 3_660 * 86_400 * 1_000_000_000

  private static let durationUnits = [
    Unit("ns", 1), Unit("us", 1_000, ["µs", "μs", "usec"]), Unit("ms", 1_000_000, ["msec", "millis", "milliseconds"]),
    Unit("s", 1_000_000_000, ["sec", "secs", "second", "seconds", "S"]),
    Unit("min", 60_000_000_000, ["m", "mins", "minute", "minutes"]),
    Unit("h", 3_600_000_000_000, ["hr", "hrs", "hour", "hours", "H"]),
    Unit("d", 86_400_000_000_000, ["day", "days"]), Unit("w", 604_800_000_000_000, ["wk", "week", "weeks"]),
  ]
  private static let voltageUnits = [
    Unit("mV", 1, ["mv", "millivolt", "millivolts"]), Unit("V", 1_000, ["v", "volt", "volts"]),
  ]
  private static let frequencyErrorUnits = [Unit("ppb", 1), Unit("ppm", 1_000, ["PPM"])]
  private static let byteUnits = [
    Unit("B", 1, ["b", "byte", "bytes"]), Unit("KiB", 1_024, ["kB", "KB", "k", "K", "kiB", "kib"]),
    Unit("MiB", 1_048_576, ["MB", "M", "mib"]),
  ]
  private static let shareUnits = [Unit("%", 10_000, ["percent", "pct"])]
  private static let powerUnits = [Unit("dBm", 100, ["dbm", "DBM", "dB"])]
  private static let distanceUnits = [
    Unit("mm", 1), Unit("cm", 10), Unit("m", 1_000, ["meter", "metre", "meters", "metres"]),
    Unit("km", 1_000_000),
  ]
}

/// Why text is not a quantity of the wanted dimension.
public enum QuantityFailure: Error, Hashable, Sendable {
  /// The text does not begin with a decimal number.
  case notANumber
  /// A number stands alone.
  case missingUnit
  /// The unit is none of this dimension's; the nearest one, where one is near.
  case unknownUnit(String, nearest: String?)
  /// The unit is right, but there is more than one blank around it, or one that is not a space.
  case oddBlanks(unit: String)
  /// There are more decimals than the base unit can hold.
  case tooFine
  /// The amount is outside the dimension's limits.
  case outOfRange
}

extension Dimension {
  /// Reads `3.05 V` into base units: a sign, digits, decimals, at most one blank, a unit.
  public func parse(_ text: String) throws(QuantityFailure) -> Int64 {
    guard let number = DecimalNumber(prefixOf: text) else { throw .notANumber }
    let symbol = number.rest.first == " " ? number.rest.dropFirst() : number.rest
    let written = symbol.trimmingBlanks
    guard !written.isEmpty else { throw .missingUnit }
    guard let unit = unit(symbol) else {
      if unit(written) != nil { throw .oddBlanks(unit: written) }
      throw .unknownUnit(written, nearest: nearestSymbol(to: written))
    }
    let amount = try number.scaled(by: unit.factor)
    guard limits.contains(amount) else { throw .outOfRange }
    return amount
  }

  /// The symbol that is probably meant by a word that is none: units are so short that one of another initial is not.
  private func nearestSymbol(to word: String) -> String? {
    if let unit = units.first(where: { $0.misspellings.contains(word) }) { return unit.symbol }
    let initial = word.first?.lowercased()
    return Spelling.nearest(to: word, among: units.map(\.symbol).filter { $0.first?.lowercased() == initial })
  }

  /// Writes an amount of base units with the largest unit that needs no decimals, else with decimals of the
  /// largest unit that is not more than the amount; voltages always in volts.
  public func text(_ amount: Int64) -> String {
    if amount == 0 { return "0 \(preferredUnit.symbol)" }
    if self == .voltage {
      return "\(DecimalNumber.text(amount, perUnit: preferredUnit.factor)) \(preferredUnit.symbol)"
    }
    if let whole = units.last(where: { amount % $0.factor == 0 }) {
      return "\(amount / whole.factor) \(whole.symbol)"
    }
    let unit = units.last { amount.magnitude >= $0.factor.magnitude } ?? units[0]
    return "\(DecimalNumber.text(amount, perUnit: unit.factor)) \(unit.symbol)"
  }

  private var preferredUnit: Unit {
    switch self {
    case .duration: units[3]
    case .voltage, .frequencyError: units[1]
    case .bytes, .share, .power: units[0]
    case .distance: units[2]
    }
  }
}
