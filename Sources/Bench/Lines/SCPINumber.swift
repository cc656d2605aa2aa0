/// Numbers as SCPI writes them (IEEE 488.2, 8.7.2 to 8.7.4).
enum SCPINumber {
  /// Volts as millivolts; `nil` for anything that is not a number of volts on a bench.
  static func millivolts(_ text: String) -> Int? {
    let text = text.hasSuffix("V") ? text.dropLast() : text[...]
    guard text.utf8.count <= 24, let volts = Double(text), volts.isFinite, abs(volts) < 1_000 else { return nil }
    return Int((volts * 1_000).rounded())
  }

  /// Millivolts as volts: `3.700`.
  static func volts(_ millivolts: Int) -> String {
    let rest = String(millivolts % 1_000)
    return "\(millivolts / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
