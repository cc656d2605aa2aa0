/// What a measured figure counts, in whole numbers of a small unit, so that the same samples give the same octets
/// everywhere.
package enum MeasuredUnit: String, Hashable, Sendable, CaseIterable {
  /// Time, counted in nanoseconds.
  case time = "ms"
  /// Data, counted in octets.
  case octets
  /// How quickly data comes, counted in octets a second.
  case speed = "octets/s"
  /// A rate, counted in thousandths of a hertz.
  case rate = "Hz"
  /// A share or a ratio, counted in millionths.
  case ratio = "%"
  /// How much faster something is than it should be, counted in thousandths of a millionth.
  case drift = "ppm"
  /// A voltage, counted in microvolts.
  case voltage = "mV"

  /// Small units in one unit as it is written.
  package var scale: Int64 {
    switch self {
    case .time: 1_000_000
    case .octets, .speed: 1
    case .rate, .voltage, .drift: 1_000
    case .ratio: 10_000
    }
  }

  /// A number of small units as it is written, such as `14648.4375 ms`.
  package func text(_ value: Int64) -> String {
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
    var decimals = ""
    if rest > 0 {
      let digits = String(rest)
      decimals = "." + String(repeating: "0", count: "\(scale)".utf8.count - 1 - digits.utf8.count) + digits
      while decimals.hasSuffix("0") { decimals.removeLast() }
    }
    return "\(value < 0 ? "-" : "")\(whole)\(decimals) \(rawValue)"
  }

  /// The number that ``text(_:)`` writes, and its unit; `nil` for anything else, and beyond the range of 64 bits.
  package static func parse(_ text: String) -> (value: Int64, unit: MeasuredUnit)? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let unit = MeasuredUnit(rawValue: String(words[1])) else { return nil }
    var number = words[0]
    let isNegative = number.first == "-"
    if isNegative { number.removeFirst() }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let places = "\(unit.scale)".utf8.count - 1
    guard parts.count == 1 || parts.count == 2 && (1...max(1, places)).contains(parts[1].utf8.count) && places > 0,
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
    else { return nil }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard !parts[0].isEmpty,
      let value = Int64(parts[0] + decimals + String(repeating: "0", count: places - decimals.utf8.count))
    else { return nil }
    return (isNegative ? -value : value, unit)
  }
}
