import Timeline

/// A JSON value whose members keep their order, so that the same report is the same octets everywhere (RFC 8259).
public indirect enum JSONValue: Hashable, Sendable {
  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value.
    public let value: JSONValue
  }

  /// Nothing.
  case null
  /// Yes or no.
  case flag(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond the range of signed ones.
  case unsigned(UInt64)
  /// Seconds with six decimals.
  case seconds(Duration)
  /// Text, of whatever origin.
  case text(String)
  /// Values in order.
  case list([JSONValue])
  /// Members in order.
  case object([Member])

  /// An object of members in this order. A key that occurs twice is the caller's mistake.
  static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  /// Text, or `null`.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

  /// The value on one line, in UTF-8.
  public var line: [UInt8] {
    var output: [UInt8] = []
    write(to: &output, indent: nil)
    return output
  }

  /// The value over several lines, two blanks a level, with a line feed at the end, in UTF-8.
  public var document: [UInt8] {
    var output: [UInt8] = []
    write(to: &output, indent: 0)
    output.append(0x0A)
    return output
  }

  private func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output += "null".utf8
    case .flag(let flag): output += (flag ? "true" : "false").utf8
    case .integer(let number): output += String(number).utf8
    case .unsigned(let number): output += String(number).utf8
    case .seconds(let duration): output += DecimalSeconds.text(duration).utf8
    case .text(let text): Self.write(text, to: &output)
    case .list(let values):
      Self.write(values, "[", "]", to: &output, indent: indent) { value, output, indent in
        value.write(to: &output, indent: indent)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &output, indent: indent) { member, output, indent in
        Self.write(member.key, to: &output)
        output += (indent == nil ? ":" : ": ").utf8
        member.value.write(to: &output, indent: indent)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], _ open: String, _ close: String, to output: inout [UInt8], indent: Int?,
    _ body: (Item, inout [UInt8], Int?) -> Void
  ) {
    output += open.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { output += ",".utf8 }
      newLine(indent.map { $0 + 2 }, &output)
      body(item, &output, indent.map { $0 + 2 })
    }
    if !items.isEmpty { newLine(indent, &output) }
    output += close.utf8
  }

  private static func newLine(_ indent: Int?, _ output: inout [UInt8]) {
    guard let indent else { return }
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: indent))
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    // Nearly all text is printable ASCII, and goes in as it is.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return output.append(contentsOf: text.utf8)
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\"".utf8
      case "\\": output += "\\\\".utf8
      case "\n": output += "\\n".utf8
      case "\r": output += "\\r".utf8
      case "\t": output += "\\t".utf8
      // Line separators end a line for some readers of line-by-line JSON; delete and C1 controls move terminals.
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value), "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        output += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      default: output += UTF8.encode(scalar)!
      }
    }
  }
}

/// Durations as decimal seconds, without floating point.
enum DecimalSeconds {
  /// Seconds with six decimals, rounded down to the microsecond.
  static func text(_ duration: Duration) -> String {
    let microseconds = max(0, duration.wholeNanoseconds / 1_000)
    let fraction = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}
