/// Numbers as SCPI writes them (IEEE 488.2, 8.7.2 to 8.7.4).
enum SCPINumber {
  /// Volts as millivolts; `nil` for anything that is not a number of volts on a bench.
  static func millivolts(_ text: String) -> Int? {
    let text = text.hasSuffix("V") ? text.dropLast() : text[...]
    guard text.utf8.count <= 24, let volts = Double(text), volts.isFinite, abs(volts) < 1_000 else { return nil }
    return Int((volts * 1_000).rounded())
  }

  /// Amperes as microamperes; `nil` for anything that is not a number of amperes on a bench.
  static func microamperes(_ text: String) -> Int? {
    let text = text.hasSuffix("A") ? text.dropLast() : text[...]
    guard text.utf8.count <= 24, let amperes = Double(text), amperes.isFinite, abs(amperes) < 100 else { return nil }
    return Int((amperes * 1_000_000).rounded())
  }

  /// Microamperes as amperes: `0.008000`.
  static func amperes(_ microamperes: Int) -> String { text(microamperes, places: 6) }

  /// Millivolts as volts: `3.700`.
  static func volts(_ millivolts: Int) -> String { text(millivolts, places: 3) }

  /// A number of small units with its decimal places. The sign stands apart: a supply that is off may measure less than 0 V.
  private static func text(_ number: Int, places: Int) -> String {
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (number < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}
