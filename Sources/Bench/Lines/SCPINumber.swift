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
  static func amperes(_ microamperes: Int) -> String {
    let rest = String(microamperes % 1_000_000)
    return "\(microamperes / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }

  /// Millivolts as volts: `3.700`.
  static func volts(_ millivolts: Int) -> String {
    let rest = String(millivolts % 1_000)
    return "\(millivolts / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
