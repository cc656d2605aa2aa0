/// Text from files made safe for a terminal.
public enum TerminalText {
  /// The same text with control characters, direction marks and invisible characters spelled out, so that a file
  /// can neither move the cursor nor hide a part of itself. A tab becomes a blank.
  public static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars { result.unicodeScalars.append(contentsOf: escaped(scalar).unicodeScalars) }
    return result
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return " " }
    if isHarmless(scalar) { return String(Character(scalar)) }
    return "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}
