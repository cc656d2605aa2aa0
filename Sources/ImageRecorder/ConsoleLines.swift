/// Makes lines of the octets that a firmware writes to its console: printable ASCII, whatever it writes.
///
/// Colours and movements of the cursor (ECMA-48 control sequences) are left out, other octets are spelled `\xNN`.
struct ConsoleLines: Sendable {
  /// Octets of a line; a longer one is continued on the next.
  static let longestLine = 240
  /// Lines that are told of one recorder; one more says that the rest is left out.
  static let lineLimit = 2_000
  /// Octets of a control sequence; a longer one is none, and its rest is shown.
  private static let longestSequence = 16
  private static let escape: UInt8 = 0x1B

  private var line: [UInt8] = []
  private var sequence: [UInt8] = []
  private var lineCount = 0

  /// Takes octets and returns the lines that they end.
  mutating func take(_ octets: [UInt8]) -> [String] {
    var lines: [String] = []
    for octet in octets where lineCount <= Self.lineLimit { take(octet, &lines) }
    return lines
  }

  /// The line that was begun, when nothing follows any more; `nil` where there is none.
  mutating func takeRest() -> String? {
    sequence = []
    var lines: [String] = []
    end(&lines)
    return lines.first
  }

  private mutating func take(_ octet: UInt8, _ lines: inout [String]) {
    if !sequence.isEmpty {
      sequence.append(octet)
      if isSequenceComplete { sequence = [] }
    } else if octet == Self.escape {
      sequence = [octet]
    } else if octet == UInt8(ascii: "\n") || octet == UInt8(ascii: "\r") {
      end(&lines)
    } else if octet != 0 {
      line.append(octet)
      if line.count == Self.longestLine { end(&lines) }
    }
  }

  /// Whether the octets since the escape are a whole sequence: a single one behind it, or `[`, parameters and a letter.
  private var isSequenceComplete: Bool {
    guard sequence.count > 2 else { return sequence.count == 2 && sequence[1] != UInt8(ascii: "[") }
    return (0x40...0x7E).contains(sequence[sequence.count - 1]) || sequence.count > Self.longestSequence
  }

  private mutating func end(_ lines: inout [String]) {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty, lineCount <= Self.lineLimit else { return }
    lineCount += 1
    lines.append(lineCount > Self.lineLimit ? "… the rest is left out" : Self.text(line))
  }

  private static func text(_ octets: [UInt8]) -> String {
    var text = ""
    for octet in octets {
      if (0x20...0x7E).contains(octet) {
        text.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        let digits = String(octet, radix: 16, uppercase: true)
        text += octet == UInt8(ascii: "\t") ? " " : "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
