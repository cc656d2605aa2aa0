/// Text made safe for XML 1.0, wherever it came from.
enum XMLText {
  /// Octets of one text beyond which it is cut: a device may talk without end.
  static let limit = 64 * 1024

  /// The text for an element's content; its lines stay lines.
  static func content(_ text: String) -> String { escaped(text, lineFeed: "\n") }

  /// The text for an attribute's value in double quotes. Line breaks are written as references, since a reader would
  /// turn them into blanks (XML 1.0, 3.3.3).
  static func attribute(_ text: String) -> String { escaped(text, lineFeed: "&#10;") }

  /// Characters that XML 1.0 does not have are left out, and those that would change how the rest is shown are spelled
  /// out.
  private static func escaped(_ text: String, lineFeed: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      guard result.utf8.count < limit else { return result + "…" }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n": result += lineFeed
      case "\r": result += "&#13;"
      case "\t": result += "&#9;"
      case _ where scalar.properties.generalCategory == .format:
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: if isAllowed(scalar) { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }

  /// Whether XML 1.0 has the character, and readers show it as one.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFFFD: true
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }
}
